//! Decodes what JavaScript passes: options, text, and the token counter of the host.
//!
//! No code of the host's runs in here, but for the token counter: the package passes options as fresh plain data, and a
//! counter that never throws. An error thrown through wasm would leave the core borrowed for good.

use js_sys::Function;
use wasm_bindgen::JsValue;

use crate::TokenCounter;
use crate::error::{Error, ErrorCode, Result};
use crate::options::OptionValue;

/// Options as plain data. They are kept as one value first: serde-wasm-bindgen looks up the fields of a struct in an object, and so
/// would pass over a misspelt key.
pub(super) fn value(value: JsValue) -> Result<OptionValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|e| Error::new(ErrorCode::OptionInvalid, format!("options are not plain data: {e}")))
}

/// UTF-8 text.
pub(super) fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|e| Error::new(ErrorCode::NotJson, format!("not UTF-8: {e}")))
}

/// A token counter of the host's, or the default. The function returns a count, or a text that says what went wrong.
pub(super) fn counter(function: Option<Function>) -> TokenCounter {
    let Some(function) = function else { return TokenCounter::Characters };
    TokenCounter::Host(Box::new(move |text| {
        let Ok(answer) = function.call1(&JsValue::UNDEFINED, &JsValue::from_str(text)) else {
            return Err("threw".to_owned());
        };
        answer.as_f64().ok_or_else(|| answer.as_string().unwrap_or_else(|| "returned no number".to_owned()))
    }))
}
