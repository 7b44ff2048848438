//! What did JavaScript pass? Values, bytes and functions, as the core takes them.

use js_sys::{Array, Function, Reflect, Symbol};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::TokenCounter;
use crate::error::{Error, ErrorCode};
use crate::options::{DEPTH, Value};

use super::encode::thrown;

/// A plain value.
pub(super) fn value(value: JsValue) -> Result<Value, JsValue> {
    plain(&value, DEPTH)
        .map_err(|e| thrown(Error::new(ErrorCode::OptionInvalid, format!("options are no plain data: {e}"))))
}

#[wasm_bindgen]
extern "C" {
    /// An object's own entries. Its getters are the host's code, and may throw.
    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn entries_of(value: &JsValue) -> Result<Array, JsValue>;
}

/// A value that may nest so many levels more.
fn plain(value: &JsValue, depth: usize) -> Result<Value, String> {
    if value.is_null() || value.is_undefined() {
        return Ok(Value::Null);
    }
    if let Some(value) = value.as_bool() {
        return Ok(Value::Bool(value));
    }
    if value.is_bigint() {
        let whole = i64::try_from(value.clone()).map_err(|_| "a whole number beyond 64 bits".to_owned())?;
        return Ok(Value::Number(whole as f64));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Value::Number(number));
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::Text(text));
    }
    let inner = |value: &JsValue| match depth.checked_sub(1) {
        Some(depth) => plain(value, depth),
        None => Err(format!("nested deeper than {DEPTH} levels")),
    };
    if Array::is_array(value) {
        return Ok(Value::List(
            value.unchecked_ref::<Array>().iter().map(|item| inner(&item)).collect::<Result<_, _>>()?,
        ));
    }
    // What can be walked through and is no array has no entries that would say what is in it.
    if !value.is_object() || Reflect::has(value, &Symbol::iterator()).unwrap_or(true) {
        return Err(format!("it holds {value:?}"));
    }
    let mut entries = Vec::new();
    for entry in entries_of(value).map_err(|error| describe(&error))?.iter() {
        let entry = entry.unchecked_ref::<Array>();
        let key = entry.get(0).as_string().unwrap_or_default();
        entries.push((key, inner(&entry.get(1))?));
    }
    Ok(Value::Map(entries))
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
    let message = Reflect::get(value, &JsValue::from_str("message")).ok().and_then(|m| m.as_string());
    message.unwrap_or_else(|| format!("{value:?}"))
}
