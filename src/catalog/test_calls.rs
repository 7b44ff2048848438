//! What only the tests of the stages call: changes of shared tools, where the facade changes the tools of any owner, and the
//! reading of a schema by itself.

use std::sync::Arc;

use crate::error::Result;
use crate::json;

use super::register::RegisterOptions;
use super::registry::Catalog;
use super::report::{RegisterReport, SyncReport};
use super::schema::{self, Schema};
use super::table::SHARED;

impl Catalog {
    pub(crate) fn register(&mut self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_for(SHARED, list, options)
    }

    pub(crate) fn sync(&mut self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        self.sync_for(SHARED, server, list, options)
    }

    pub(crate) fn unregister(&mut self, server: Option<&str>, names: Option<&[String]>) -> Vec<Arc<str>> {
        self.unregister_for(SHARED, server, names)
    }
}

impl Schema {
    pub(crate) fn read(json: &str) -> Result<(Self, Option<String>)> {
        Schema::of_checked(json::checked(json).map_err(schema::invalid)?)
    }
}
