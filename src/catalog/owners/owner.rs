//! The owner of a tool: all sessions, or one of them.

/// Whose a tool is. Most tools are shared by all sessions; a session may have tools of its own, which no other session sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Owner(u32);

impl Owner {
    /// All sessions.
    pub const SHARED: Owner = Owner(0);
    /// The owner of what has left the catalog.
    pub(in crate::catalog) const NOBODY: Owner = Owner(u32::MAX);

    /// The session of a number, or [`Owner::SHARED`] for 0. A session that is closed and opened again has another number.
    pub const fn new(number: u32) -> Self {
        Owner(number)
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}
