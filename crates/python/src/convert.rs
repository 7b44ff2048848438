//! Converts the values between Python and the core: options and the token counter in, JSON text and errors out.

use std::cell::Cell;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use toolsift::bindings::options::OptionValue;
use toolsift::{Error, TokenCounter};

/// The result of most methods: JSON text.
pub type Answer = PyResult<String>;

/// Makes an error of the package's own class. The class is written in Python, since an extension class with a stable
/// ABI cannot extend exceptions.
fn refused(code: &str, message: String, alias: Option<String>) -> PyErr {
    Python::attach(|py| {
        let class = py.import("toolsift._errors").and_then(|module| module.getattr("ToolSiftError"));
        class.and_then(|class| class.call1((code, message, alias))).map_or_else(|error| error, PyErr::from_value)
    })
}

/// Converts an error of the core.
pub fn fail(error: Error) -> PyErr {
    refused(error.code().as_str(), error.message().to_owned(), error.alias().map(str::to_owned))
}

/// Writes an answer as JSON text. Every answer of the core serializes.
pub fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// The nesting limit. Options nest three levels; a cyclic object would nest without end.
const DEPTH: usize = 8;

/// Reads options as plain data.
pub fn value(options: &Bound<'_, PyAny>) -> PyResult<OptionValue> {
    read(options, DEPTH)
}

fn read(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<OptionValue> {
    let plain = |problem: String| refused("option_invalid", format!("options are not plain data: {problem}"), None);
    if depth == 0 {
        return Err(plain(format!("nested deeper than {DEPTH} levels")));
    }
    if value.is_none() {
        Ok(OptionValue::Null)
    } else if value.is_instance_of::<PyBool>() {
        value.extract().map(OptionValue::Bool)
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        value.extract().map(OptionValue::Number).map_err(|_| plain("a number that is too large".to_owned()))
    } else if value.is_instance_of::<PyString>() {
        let text = value.extract();
        text.map(OptionValue::Text)
            .map_err(|_| refused("text_invalid", "options hold half a surrogate pair".to_owned(), None))
    } else if let Ok(map) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key = key.extract().map_err(|_| plain("a key that is no text".to_owned()))?;
            Ok((key, read(&value, depth - 1)?))
        };
        map.iter().map(entry).collect::<PyResult<_>>().map(OptionValue::Map)
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| read(&item?, depth - 1));
        items.collect::<PyResult<_>>().map(OptionValue::List)
    } else {
        Err(plain(format!("got {}", value.get_type().name()?)))
    }
}

thread_local! {
    /// True while the host's token counter runs on this thread. The core is locked then.
    static COUNTING: Cell<bool> = const { Cell::new(false) };
}

/// Refuses a use of the core by its own token counter, which would wait for itself.
pub fn check_not_counting() -> PyResult<()> {
    if COUNTING.get() {
        let message = "count_tokens must not use the ToolSift that is calling it".to_owned();
        return Err(refused("reentrant", message, None));
    }
    Ok(())
}

/// Makes the host's token counter, or the default one.
pub fn counter(function: Option<Py<PyAny>>) -> TokenCounter {
    let Some(function) = function else { return TokenCounter::Characters };
    TokenCounter::Host(Box::new(move |text| {
        COUNTING.set(true);
        let count = Python::attach(|py| {
            let answer = function.call1(py, (text,)).map_err(|error| format!("raised {error}"))?;
            let answer = answer.bind(py);
            answer.extract::<f64>().map_err(|_| format!("returned {}; a count is a number", answer.get_type()))
        });
        COUNTING.set(false);
        count
    }))
}
