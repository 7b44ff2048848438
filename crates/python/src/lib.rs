//! Exposes the core to Python as two classes. Their methods decode, call the core and encode; they decide nothing.
//!
//! - **Tool lists, arguments and snapshots in** as JSON text, which the core reads directly.
//! - **Options in** as Python objects, since JSON has no `nan`.
//! - **Answers out** as JSON text: `json.loads` makes objects of it faster than separate conversions would.
//!
//! The interpreter lock is released while the core works, so that threads can search at the same time.

mod convert;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use toolsift::bindings::options;
use toolsift::{AnswerText, PROFILES, Restored, SessionHandle, Settings, ToolSift};

use convert::{Answer, check_not_counting, counter, fail, json, value};

/// Calls the core without the interpreter lock, and writes the answer as JSON text.
fn ask<T: serde::Serialize + Send>(py: Python<'_>, call: impl FnOnce() -> toolsift::Result<T> + Send) -> Answer {
    run(py, || call().map(|answer| json(&answer)))
}

/// Calls the core without the interpreter lock.
fn run<T: Send>(py: Python<'_>, call: impl FnOnce() -> toolsift::Result<T> + Send) -> PyResult<T> {
    check_not_counting()?;
    py.detach(call).map_err(fail)
}

/// A catalog of tools.
#[pyclass(frozen, module = "toolsift._core")]
struct Core(ToolSift);

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (options, count_tokens=None, index=None))]
    fn new(
        py: Python<'_>,
        options: &Bound<'_, PyAny>,
        count_tokens: Option<Py<PyAny>>,
        index: Option<&[u8]>,
    ) -> PyResult<Core> {
        let settings: Settings = options::settings(&value(options)?).map_err(fail)?;
        let sift = ToolSift::with_counter(settings, counter(count_tokens));
        if let Some(index) = index {
            run(py, || sift.load(index))?;
        }
        Ok(Core(sift))
    }

    fn register(&self, py: Python<'_>, list: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.0.register(list, &options))
    }

    fn register_one(&self, py: Python<'_>, definition: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.0.register_one(definition, &options))
    }

    fn sync(&self, py: Python<'_>, list: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.0.sync(options.server.as_deref().unwrap_or_default(), list, &options))
    }

    fn unregister(&self, py: Python<'_>, which: &Bound<'_, PyAny>) -> Answer {
        let (server, names) = options::which(&value(which)?).map_err(fail)?;
        ask(py, || self.0.unregister(server.as_deref(), names.as_deref()))
    }

    fn search(&self, py: Python<'_>, query: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::search(&value(options)?).map_err(fail)?;
        ask(py, || self.0.search(query).options(options).run())
    }

    fn explain(&self, py: Python<'_>, query: &str, name: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::search(&value(options)?).map_err(fail)?;
        ask(py, || self.0.search(query).options(options).explain(name))
    }

    fn tools(&self, py: Python<'_>) -> Answer {
        ask(py, || self.0.tools())
    }

    fn size(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> Answer {
        let format = options::assemble(&value(options)?).map_err(fail)?;
        ask(py, || self.0.size(format))
    }

    fn settings(&self, py: Python<'_>) -> Answer {
        ask(py, || Ok(self.0.settings()))
    }

    fn revision(&self, py: Python<'_>) -> PyResult<u64> {
        run(py, || Ok(self.0.revision()))
    }

    fn content_hash(&self, py: Python<'_>) -> PyResult<String> {
        run(py, || Ok(self.0.content_hash()))
    }

    fn export_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let index = run(py, || Ok(self.0.export_index()))?;
        Ok(PyBytes::new(py, &index))
    }

    fn session(&self, py: Python<'_>, id: &str, options: &Bound<'_, PyAny>) -> PyResult<Session> {
        let scope = options::session(&value(options)?).map_err(fail)?;
        run(py, || self.0.session(id, scope.as_ref())).map(|handle| Session(self.0.clone(), handle))
    }

    fn close_session(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        run(py, || Ok(self.0.close(id)))
    }

    /// Restores a snapshot. Returns its session, and the missing tools as JSON text.
    fn restore(&self, py: Python<'_>, snapshot: &str, options: &Bound<'_, PyAny>) -> PyResult<(Session, String)> {
        let options = options::restore(&value(options)?).map_err(fail)?;
        let Restored { session, missing, .. } = run(py, || self.0.restore(snapshot, &options))?;
        Ok((Session(self.0.clone(), session), json(&missing)))
    }
}

/// A conversation.
#[pyclass(frozen, module = "toolsift._core")]
struct Session(ToolSift, SessionHandle);

#[pymethods]
impl Session {
    #[getter]
    fn id(&self) -> &str {
        self.1.id()
    }

    /// Returns a number that differs from that of a later session with the same id.
    #[getter]
    fn number(&self) -> u32 {
        self.1.number()
    }

    /// Opens a child of the session.
    fn child(&self, py: Python<'_>, id: &str, options: &Bound<'_, PyAny>) -> PyResult<Session> {
        let scope = options::session(&value(options)?).map_err(fail)?;
        run(py, || self.1.child(id, scope.as_ref())).map(|handle| Session(self.0.clone(), handle))
    }

    fn register(&self, py: Python<'_>, list: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.1.register(list, &options))
    }

    fn register_one(&self, py: Python<'_>, definition: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.1.register_one(definition, &options))
    }

    fn sync(&self, py: Python<'_>, list: &str, options: &Bound<'_, PyAny>) -> Answer {
        let options = options::register(&value(options)?).map_err(fail)?;
        ask(py, || self.1.sync(options.server.as_deref().unwrap_or_default(), list, &options))
    }

    fn unregister(&self, py: Python<'_>, which: &Bound<'_, PyAny>) -> Answer {
        let (server, names) = options::which(&value(which)?).map_err(fail)?;
        ask(py, || self.1.unregister(server.as_deref(), names.as_deref()))
    }

    fn unmatched(&self, py: Python<'_>) -> Answer {
        ask(py, || self.1.unmatched())
    }

    fn rescope(&self, py: Python<'_>, scope: &Bound<'_, PyAny>) -> Answer {
        let scope = options::scope(&value(scope)?).map_err(fail)?;
        ask(py, || self.1.rescope(&scope))
    }

    fn assemble(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> Answer {
        let format = options::assemble(&value(options)?).map_err(fail)?;
        ask(py, || self.1.assemble(format))
    }

    fn held_back(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> Answer {
        let format = options::assemble(&value(options)?).map_err(fail)?;
        ask(py, || self.1.held_back(format))
    }

    fn call(&self, py: Python<'_>, name: &str, arguments: &str, turn: &Bound<'_, PyAny>) -> Answer {
        let turn = options::turn(&value(turn)?).map_err(fail)?;
        ask(py, || self.1.call_in(&turn, name, arguments))
    }

    fn cut_answer(&self, text: &str, most: usize) -> String {
        self.1.cut_answer(text, most)
    }

    #[pyo3(signature = (server, name, path, text))]
    fn skill_text(&self, server: Option<&str>, name: &str, path: Option<&str>, text: &str) -> PyResult<String> {
        self.1.skill_text(server, name, path, text).map_err(fail)
    }

    fn prefetch(&self, py: Python<'_>, message: &str, options: &Bound<'_, PyAny>) -> Answer {
        let budget = options::prefetch(&value(options)?).map_err(fail)?;
        ask(py, || self.1.prefetch(message, budget))
    }

    fn reveal(&self, py: Python<'_>, names: &Bound<'_, PyAny>) -> Answer {
        let names = options::names(&value(names)?).map_err(fail)?;
        ask(py, || self.1.reveal(&names))
    }

    fn conceal(&self, py: Python<'_>, names: &Bound<'_, PyAny>) -> Answer {
        let names = options::names(&value(names)?).map_err(fail)?;
        ask(py, || self.1.conceal(&names))
    }

    fn evict(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> Answer {
        let (tools, tokens) = options::evict(&value(options)?).map_err(fail)?;
        ask(py, || self.1.evict(tools, tokens))
    }

    fn replay(&self, py: Python<'_>, messages: &str, options: &Bound<'_, PyAny>) -> Answer {
        let format = options::replay(&value(options)?).map_err(fail)?;
        ask(py, || self.1.replay(messages, format))
    }

    fn revealed(&self, py: Python<'_>) -> Answer {
        ask(py, || self.1.revealed())
    }

    fn tools(&self, py: Python<'_>) -> Answer {
        ask(py, || self.1.tools())
    }

    fn snapshot(&self, py: Python<'_>) -> Answer {
        ask(py, || self.1.snapshot())
    }

    fn open_record(&self, py: Python<'_>, text: &str, has_scope: bool, now: u64) -> PyResult<()> {
        run(py, || self.1.open_record(text, has_scope, now))
    }

    fn save_record(&self, py: Python<'_>, text: &str, now: u64, ttl: u64) -> PyResult<Option<String>> {
        run(py, || self.1.save_record(text, now, ttl))
    }

    /// Closes this session, if it is still open.
    fn close(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, || Ok(self.1.close()))
    }
}

/// Returns the table of profiles.
#[pyfunction]
fn profiles() -> String {
    json(&PROFILES.iter().map(|profile| profile.info()).collect::<Vec<_>>())
}

/// Turns the answer of a tool, as JSON text, into text for the model.
#[pyfunction]
fn answer_text(py: Python<'_>, answer: &str) -> Answer {
    ask(py, || AnswerText::read(answer))
}

/// Returns the hash of the definition that an enrichment is written from.
#[pyfunction]
fn definition_hash(name: &str, description: &str) -> String {
    toolsift::definition_hash(name, description)
}

/// The core of toolsift. Programs use the classes of the package instead.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::{Core, Session, answer_text, definition_hash, profiles};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
