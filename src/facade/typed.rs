//! Takes what Rust programs hold (definitions, arguments, snapshots and calls as values) beside JSON text.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::catalog::{RegisterOptions, RegisterReport, SyncReport, ToolKey};
use crate::discovery::{Outcome, Turn};
use crate::error::{Error, ErrorCode, Result};
use crate::session::Scope;

use super::{SessionHandle, ToolSift};

impl ToolSift {
    /// Registers a list of tool definitions one by one: a broken tool is in the report and costs nothing but itself.
    ///
    /// The list is anything that serializes as one: a slice of [`ToolDefinition`](crate::ToolDefinition)s, a
    /// `serde_json::Value`, the tools of an MCP client, or the host's own structs, in the shape of MCP, OpenAI, Anthropic or
    /// Google. JSON text is for [`ToolSift::register_json`].
    ///
    /// # Errors
    /// `not_json` when it does not serialize as a list; `list_too_large`.
    pub fn register(
        &self,
        definitions: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.register_json(&list(definitions, "register")?, options)
    }

    /// Registers one definition, of the same shapes.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn register_one(
        &self,
        definition: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.register_one_json(&list(definition, "register_one")?, options)
    }

    /// Makes the tools of one server be exactly those of a list, of the same shapes.
    ///
    /// # Errors
    /// `not_json` when it does not serialize as a list; `list_too_large`.
    pub fn sync(
        &self,
        server: &str,
        definitions: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.sync_json(server, &list(definitions, "sync")?, options)
    }

    /// Opens the session of a [`Snapshot`](crate::Snapshot), or of a value that one was written as. See
    /// [`ToolSift::restore_json`].
    ///
    /// # Errors
    /// What [`ToolSift::restore_json`] says.
    pub fn restore(
        &self,
        snapshot: &(impl Serialize + ?Sized),
        scope: Option<&Scope>,
        replace: bool,
    ) -> Result<(SessionHandle, Vec<ToolKey>)> {
        self.restore_json(&text(snapshot)?, scope, replace)
    }
}

impl SessionHandle {
    /// Registers tools of the session's own, as [`ToolSift::register`] registers shared ones. No other session sees,
    /// searches or calls them, whatever their names; they go when the session is closed or evicted. A server of the
    /// session's own replaces the shared server of the same name for it. A shared tool that is registered later is hidden
    /// from the session while one of its own has the name.
    ///
    /// # Errors
    /// What [`ToolSift::register`] says; `session_closed`.
    pub fn register(
        &self,
        definitions: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.register_json(&list(definitions, "register")?, options)
    }

    /// Registers one tool of the session's own.
    ///
    /// # Errors
    /// What [`ToolSift::register_one`] says; `session_closed`.
    pub fn register_one(
        &self,
        definition: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.register_one_json(&list(definition, "register_one")?, options)
    }

    /// Makes the tools of one server of the session's own be exactly those of a list.
    ///
    /// # Errors
    /// What [`ToolSift::sync`] says; `session_closed`.
    pub fn sync(
        &self,
        server: &str,
        definitions: &(impl Serialize + ?Sized),
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.sync_json(server, &list(definitions, "sync")?, options)
    }

    /// Decides what a call of the model comes to. Vendors that give arguments as JSON text are read by
    /// [`SessionHandle::call_json`].
    ///
    /// # Errors
    /// `counter_failed`, where tokens decide whether tools are held back; `ranker_failed`; `session_closed`. What is wrong
    /// with the call itself is an outcome, for the model to read.
    pub fn call(&self, name: &str, arguments: &Value) -> Result<Outcome> {
        self.call_in(&Turn::default(), name, arguments)
    }

    /// Answers a call as [`SessionHandle::call`] does, with what the host says of the turn in which it is made.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_in(&self, turn: &Turn, name: &str, arguments: &Value) -> Result<Outcome> {
        self.call_json_in(turn, name, &text(arguments)?)
    }

    /// Makes the reveals of the session those of some calls. See [`SessionHandle::replay_json`].
    ///
    /// # Errors
    /// What [`SessionHandle::replay_json`] says.
    pub fn replay(&self, calls: &(impl Serialize + ?Sized)) -> Result<Vec<Arc<str>>> {
        self.replay_json(&text(calls)?)
    }
}

/// What definitions serialize as. A text is none: it was probably meant for the method that takes JSON text.
fn list(definitions: &(impl Serialize + ?Sized), method: &str) -> Result<String> {
    let json = text(definitions)?;
    if json.starts_with('"') {
        let message = format!("{method} takes values; {method}_json takes JSON text");
        return Err(Error::new(ErrorCode::NotJson, message));
    }
    Ok(json)
}

fn text(value: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|e| Error::new(ErrorCode::NotJson, format!("a value does not serialize as JSON: {e}")))
}
