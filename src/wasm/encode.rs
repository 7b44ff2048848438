//! Encodes what JavaScript gets back: JSON text, and errors as plain objects that the package turns into its own class.

use js_sys::{Float64Array, Object, Reflect};
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::{Error, ErrorCode, Result};
use crate::facade::Numbered;

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
