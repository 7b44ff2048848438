//! Converts what crosses the boundary: options, text and the token counter in; JSON text, numbers and errors out.
//!
//! The token counter is the only code of the host's that runs in here. It never throws, because the package wraps it: an
//! error thrown through wasm would leave the core borrowed for good.

use js_sys::{Float64Array, Function, Object, Reflect};
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::TokenCounter;
use crate::error::{Error, ErrorCode, Result};
use crate::facade::Numbered;
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

/// An answer as JSON text.
pub(super) fn json(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer).map_err(|_| Error::new(ErrorCode::NotJson, "an answer could not be written"))
}

/// What a search found, as a `Float64Array` or as JSON text.
pub(super) fn found(found: Numbered) -> Result<JsValue> {
    match found {
        Numbered::Numbers(numbers) => Ok(Float64Array::from(&numbers[..]).into()),
        Numbered::Texts(result) => Ok(json(&result)?.into()),
    }
}

/// An error as `{ code, message, alias? }`: what JavaScript catches when a method of the boundary returns the error.
impl From<Error> for JsValue {
    fn from(error: Error) -> JsValue {
        let object = Object::new();
        let set = |key: &str, value: &str| {
            // Setting a property of a fresh plain object cannot fail.
            let _ = Reflect::set(&object, &JsValue::from_str(key), &JsValue::from_str(value));
        };
        set("code", error.code().as_str());
        set("message", error.message());
        if let Some(alias) = error.alias() {
            set("alias", alias);
        }
        object.into()
    }
}
