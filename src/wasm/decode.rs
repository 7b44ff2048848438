//! What did JavaScript pass? Values, bytes and functions, as the core takes them.

use js_sys::Function;
use wasm_bindgen::JsValue;

use crate::TokenCounter;
use crate::error::{Error, ErrorCode};
use crate::options::Value;

use super::encode::thrown;

/// A plain value.
pub(super) fn value(value: JsValue) -> Result<Value, JsValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|e| thrown(Error::new(ErrorCode::OptionInvalid, format!("options are no plain data: {e}"))))
}

/// UTF-8 text.
pub(super) fn text(bytes: &[u8]) -> Result<&str, JsValue> {
    std::str::from_utf8(bytes).map_err(|e| thrown(Error::new(ErrorCode::NotJson, format!("not UTF-8: {e}"))))
}

/// A token counter of the host's, or the default.
pub(super) fn counter(function: Option<Function>) -> TokenCounter {
    let Some(function) = function else { return TokenCounter::Characters };
    TokenCounter::Host(Box::new(move |text| {
        let count = function.call1(&JsValue::UNDEFINED, &JsValue::from_str(text));
        let count = count.map_err(|error| format!("threw: {}", describe(&error)))?;
        count.as_f64().ok_or_else(|| format!("returned {}; a count is a number", describe(&count)))
    }))
}

fn describe(value: &JsValue) -> String {
    let message = js_sys::Reflect::get(value, &JsValue::from_str("message")).ok().and_then(|m| m.as_string());
    message.unwrap_or_else(|| format!("{value:?}"))
}
