//! Defines the methods that only the bindings to other languages need: sessions by id and number instead of handles,
//! and tools by owner.

use crate::assembly::{Definition, Format, in_full};
use crate::catalog::{Owner, ToolKey};

use super::{SessionHandle, ToolSift};

impl ToolSift {
    /// Returns the definition of the discovery tool or shared tool with this name, in MCP's format.
    #[doc(hidden)]
    pub fn definition(&self, name: &str) -> Option<String> {
        let surface = &self.inner.settings.assembly.surface;
        let written = |tool: &Definition| Format::Mcp.write(tool.name, tool.description, tool.parameters);
        let discovery = surface.iter().find(|tool| tool.name == name).map(written);
        discovery.or_else(|| self.tool(name).map(|tool| in_full(&tool, Format::Mcp)))
    }

    /// Returns a handle for a session id and [number](SessionHandle::number). The session may be closed. With an empty id,
    /// the handle changes the tools of this number: 0 stands for the host.
    #[doc(hidden)]
    pub fn session_of(&self, id: &str, number: u32) -> SessionHandle {
        SessionHandle::new(self, id, Owner::new(number))
    }

    /// Returns true if an owner has a tool that was registered with this server and name.
    #[doc(hidden)]
    pub fn has_tool(&self, owner: u32, key: &ToolKey) -> bool {
        self.tools_now().catalog.has(Owner::new(owner), key)
    }
}
