//! Defines the forms in which the host may pass JSON: text, values, and types that serialize.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::catalog::ToolDefinition;
use crate::error::{Error, ErrorCode, Result};
use crate::json::JsonText;
use crate::session::Snapshot;

/// JSON from the host: definitions of tools, arguments of a call, a snapshot, the messages of a conversation.
///
/// A `str` is JSON text, and is read unchanged. A `serde_json::Value`, a [`ToolDefinition`] and lists of any types that
/// serialize are written as JSON first: for example the tools of an MCP client, or structs of the host. Pass a single
/// struct of the host as `serde_json::to_value(&it)?`.
///
/// ```
/// use serde_json::json;
/// use toolsift::{RegisterOptions, Settings, ToolDefinition, ToolSift};
///
/// let sift = ToolSift::new(Settings::default());
/// let options = RegisterOptions::default();
/// sift.register(r#"[{ "name": "from_text" }]"#, &options)?;
/// sift.register(&json!([{ "name": "from_a_value" }]), &options)?;
/// sift.register(&[ToolDefinition::new("from_a_struct")], &options)?;
/// assert_eq!(sift.registered().len(), 3);
/// # Ok::<(), toolsift::Error>(())
/// ```
pub trait ToolSource {
    /// Returns the JSON text.
    ///
    /// # Errors
    /// `not_json` if a value does not serialize.
    fn json(&self) -> Result<Cow<'_, str>>;
}

impl ToolSource for str {
    fn json(&self) -> Result<Cow<'_, str>> {
        Ok(Cow::Borrowed(self))
    }
}

impl ToolSource for String {
    fn json(&self) -> Result<Cow<'_, str>> {
        Ok(Cow::Borrowed(self))
    }
}

impl ToolSource for JsonText {
    fn json(&self) -> Result<Cow<'_, str>> {
        Ok(Cow::Borrowed(self.get()))
    }
}

macro_rules! values {
    ($([$($of:tt)*] $value:ty,)*) => {$(
        impl<$($of)*> ToolSource for $value {
            fn json(&self) -> Result<Cow<'_, str>> {
                written(self)
            }
        }
    )*};
}

values! {
    [] Value,
    [] Map<String, Value>,
    [] ToolDefinition,
    [] Snapshot,
    [T: Serialize] [T],
    [T: Serialize] Vec<T>,
}

impl<T: Serialize, const N: usize> ToolSource for [T; N] {
    fn json(&self) -> Result<Cow<'_, str>> {
        written(self.as_slice())
    }
}

impl<T: ToolSource + ?Sized> ToolSource for &T {
    fn json(&self) -> Result<Cow<'_, str>> {
        (**self).json()
    }
}

fn written(value: &(impl Serialize + ?Sized)) -> Result<Cow<'_, str>> {
    let json = serde_json::to_string(value);
    let failed = |e| Error::new(ErrorCode::NotJson, format!("a value does not serialize as JSON: {e}")).with_source(e);
    json.map(Cow::Owned).map_err(failed)
}
