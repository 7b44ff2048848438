//! Decodes what JavaScript passes: options, text, and the token counter of the host.
//!
//! No code of the host's runs in here, but for the token counter: the package passes options as fresh plain data, and a
//! counter that never throws. An error thrown through wasm would leave the core borrowed for good.

use js_sys::{Array, Function, Object};
use wasm_bindgen::{JsCast, JsValue};

use crate::TokenCounter;
use crate::error::{Error, ErrorCode, Result};
use crate::options::{DEPTH, OptionValue};

/// Options as plain data.
pub(super) fn value(value: JsValue) -> Result<OptionValue> {
    plain(&value, DEPTH).map_err(|e| Error::new(ErrorCode::OptionInvalid, format!("options are not plain data: {e}")))
}

/// A value that may nest so many levels more. The package passes fresh arrays and objects only, so that no code of the host's
/// runs while they are walked.
fn plain(value: &JsValue, depth: usize) -> std::result::Result<OptionValue, &'static str> {
    if value.is_null() || value.is_undefined() {
        return Ok(OptionValue::Null);
    }
    if let Some(value) = value.as_bool() {
        return Ok(OptionValue::Bool(value));
    }
    if let Some(number) = value.as_f64() {
        return Ok(OptionValue::Number(number));
    }
    if let Some(text) = value.as_string() {
        return Ok(OptionValue::Text(text));
    }
    let depth = depth.checked_sub(1).ok_or("they nest too deep")?;
    if Array::is_array(value) {
        let mut list = Vec::new();
        for item in value.unchecked_ref::<Array>().iter() {
            list.push(plain(&item, depth)?);
        }
        return Ok(OptionValue::List(list));
    }
    if !value.is_object() {
        return Err("they hold a value of another type");
    }
    let mut entries = Vec::new();
    for entry in Object::entries(value.unchecked_ref::<Object>()).iter() {
        let entry = entry.unchecked_ref::<Array>();
        let key = entry.get(0).as_string().unwrap_or_default();
        entries.push((key, plain(&entry.get(1), depth)?));
    }
    Ok(OptionValue::Map(entries))
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
