//! Defines the methods that only the bindings to other languages need: sessions by id and number instead of handles,
//! and tools by owner.

use std::sync::Arc;

use crate::assembly::{Definition, Format, in_full};
use crate::catalog::{Owner, RegisterOptions, RegisterReport, SyncReport, ToolKey};
use crate::error::Result;
use crate::lock::lock;
use crate::options::check_which;

use super::search::Searcher;
use super::{SessionHandle, ToolSift};

impl ToolSift {
    /// Returns the session with this id, if it still has this [number](SessionHandle::number). It never opens a
    /// session.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn open_session(&self, id: &str, number: u32) -> Result<SessionHandle> {
        let owner = Owner::new(number);
        lock(&self.inner.sessions).session(id, owner)?;
        Ok(SessionHandle::new(self, id, owner))
    }

    /// Returns the definition of the discovery tool or shared tool with this name, in MCP's format.
    #[doc(hidden)]
    pub fn definition(&self, name: &str) -> Option<String> {
        let surface = &self.inner.settings.assembly.surface;
        let written = |tool: &Definition| Format::Mcp.write(tool.name, tool.description, tool.parameters);
        let discovery = surface.iter().find(|tool| tool.name == name).map(written);
        discovery.or_else(|| self.tool(name).map(|tool| in_full(&tool, Format::Mcp)))
    }

    /// Returns a handle for a session id and number. The session may be closed.
    #[doc(hidden)]
    pub fn session_of(&self, id: &str, number: u32) -> SessionHandle {
        SessionHandle::new(self, id, Owner::new(number))
    }

    /// Closes the session with this id, if it still has this number. Returns true if it did.
    #[doc(hidden)]
    pub fn close_number(&self, id: &str, number: u32) -> bool {
        lock(&self.inner.sessions).check_owner(id, Owner::new(number)).is_ok() && self.close(id)
    }

    /// Checks that the session with this id still has this number. The number 0 stands for the host. This does not
    /// count as use of the session.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn check_number(&self, id: &str, number: u32) -> Result<()> {
        let Some((id, owner)) = searcher(id, number) else { return Ok(()) };
        lock(&self.inner.sessions).check_owner(id, owner)
    }

    /// Returns true if an owner has a tool that was registered with this server and name.
    #[doc(hidden)]
    pub fn has_tool(&self, owner: u32, key: &ToolKey) -> bool {
        self.tools_now().catalog.has(Owner::new(owner), key)
    }

    /// Does [`ToolSift::register`] for an owner: the host if it is 0, or else the session with this number.
    ///
    /// # Errors
    /// Those of [`ToolSift::register`].
    #[doc(hidden)]
    pub fn register_for(&self, owner: u32, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let owner = Owner::new(owner);
        self.change_own(owner, list.len(), |catalog| catalog.register_for(owner, list, options))?
    }

    /// Does [`ToolSift::register_one`] for an owner.
    ///
    /// # Errors
    /// Those of [`ToolSift::register_one`].
    #[doc(hidden)]
    pub fn register_one_for(&self, owner: u32, tool: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let owner = Owner::new(owner);
        self.change_own(owner, tool.len(), |catalog| catalog.register_one_for(owner, tool, options))?
    }

    /// Does [`ToolSift::sync`] for an owner.
    ///
    /// # Errors
    /// Those of [`ToolSift::sync`].
    #[doc(hidden)]
    pub fn sync_for(&self, owner: u32, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        let owner = Owner::new(owner);
        self.change_own(owner, list.len(), |catalog| catalog.sync_for(owner, server, list, options))?
    }

    /// Does [`ToolSift::unregister`] for an owner.
    ///
    /// # Errors
    /// Those of [`ToolSift::unregister`].
    #[doc(hidden)]
    pub fn unregister_for(&self, owner: u32, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        check_which(server, names)?;
        let owner = Owner::new(owner);
        self.change_own(owner, 0, |catalog| catalog.unregister_for(owner, server, names))
    }
}

fn searcher(id: &str, number: u32) -> Searcher<'_> {
    Some((id, Owner::new(number))).filter(|(_, owner)| *owner != Owner::SHARED)
}
