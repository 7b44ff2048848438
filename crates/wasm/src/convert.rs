//! Converts the values between JavaScript and the core: options, text and the token counter in; JSON text, numbers and
//! errors out.
//!
//! The token counter is the only code of the host that runs inside the core. It never throws, because the npm package
//! wraps it: an error thrown through wasm would leave the core locked forever.

use js_sys::{Float64Array, Function, Object, Reflect};
use send_wrapper::SendWrapper;
use serde::Serialize;
use wasm_bindgen::JsValue;

use toolsift::bindings::{Numbered, options::OptionValue};
use toolsift::{Error, ErrorCode, TokenCounter};

/// The result of the methods of this crate.
pub(super) type Result<T> = std::result::Result<T, Thrown>;

/// An error of the core, which JavaScript catches as `{ code, message, alias? }`.
pub struct Thrown(Error);

impl From<Error> for Thrown {
    fn from(error: Error) -> Self {
        Thrown(error)
    }
}

/// Reads options as plain data. They are read as one value first: for a struct, serde-wasm-bindgen looks up only the
/// known fields in the object, and so would ignore a misspelt key.
pub(super) fn value(value: JsValue) -> Result<OptionValue> {
    let options = serde_wasm_bindgen::from_value(value);
    Ok(options.map_err(|e| Error::new(ErrorCode::OptionInvalid, format!("options are not plain data: {e}")))?)
}

/// Reads definitions, which are UTF-8 text, and makes room for them: if less than a quarter of the memory is free, it grows
/// by a quarter. The allocator grows it in steps of 64 KB. From 32 MB on, V8 collects garbage at each step.
pub(super) fn definitions(bytes: &[u8]) -> Result<&str> {
    #[cfg(target_arch = "wasm32")]
    {
        const PAGE: usize = 64 << 10;
        let mut room: Vec<u8> = Vec::new();
        _ = room.try_reserve_exact(core::arch::wasm32::memory_size(0) * PAGE / 4);
        std::hint::black_box(room);
    }
    Ok(std::str::from_utf8(bytes).map_err(|e| Error::new(ErrorCode::NotJson, format!("not UTF-8: {e}")))?)
}

/// Makes the host's token counter, or the default one. The function returns a count, or a text that describes the
/// error.
pub(super) fn counter(function: Option<Function>) -> TokenCounter {
    let Some(function) = function else { return TokenCounter::Characters };
    // The core requires a counter that threads can share. A JavaScript function stays on its thread, and wasm has only
    // one.
    let function = SendWrapper::new(function);
    TokenCounter::Host(Box::new(move |text| {
        let Ok(answer) = function.call1(&JsValue::UNDEFINED, &JsValue::from_str(text)) else {
            return Err("threw".to_owned());
        };
        answer.as_f64().ok_or_else(|| answer.as_string().unwrap_or_else(|| "returned no number".to_owned()))
    }))
}

/// Writes an answer as JSON text.
pub(super) fn json(answer: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(answer).map_err(|_| Error::new(ErrorCode::NotJson, "an answer could not be written"))?)
}

/// Writes the result of a search, as a `Float64Array` or as JSON text.
pub(super) fn found(found: Numbered) -> Result<JsValue> {
    match found {
        Numbered::Numbers(numbers) => Ok(Float64Array::from(&numbers[..]).into()),
        Numbered::Texts(result) => Ok(json(&result)?.into()),
    }
}

impl From<Thrown> for JsValue {
    fn from(Thrown(error): Thrown) -> JsValue {
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
