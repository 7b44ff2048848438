//! Defines shorthands for tests: changes of shared tools, and the reading of a schema alone.

use crate::error::Result;
use crate::json;

use super::register::RegisterOptions;
use super::registry::Catalog;
use super::report::{RegisterReport, SyncReport};
use super::schema::{self, Schema};
use super::tool::Owner;

impl Catalog {
    pub(crate) fn register(&mut self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_for(Owner::SHARED, list, options)
    }

    pub(crate) fn sync(&mut self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        self.sync_for(Owner::SHARED, server, list, options)
    }
}

impl Schema {
    pub(crate) fn read(json: &str) -> Result<(Self, Option<String>)> {
        let (schema, changes) = Schema::of_checked(json::checked(json).map_err(schema::invalid)?)?;
        Ok((schema, changes.told().1))
    }
}
