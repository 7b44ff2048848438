//! Changes of shared tools, for the tests of the stages. The facade changes the tools of any owner.

use std::sync::Arc;

use crate::error::Result;

use super::register::RegisterOptions;
use super::registry::Catalog;
use super::report::{RegisterReport, SyncReport};
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
