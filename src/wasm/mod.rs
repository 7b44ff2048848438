//! Exposes the core to JavaScript as one class. Its methods decode, call the core and encode; they decide nothing.
//!
//! Values cross the boundary in three ways, chosen by measuring a prototype (1,000 tools, 713 KB of JSON, Node 20):
//! - **Tool lists in** as UTF-8 JSON bytes, with schemas left as text: 10 to 16 ms, most of it `JSON.stringify`. As
//!   objects through serde-wasm-bindgen the same list took 25 to 41 ms.
//! - **Options in** as objects, value by value, since JSON would turn `NaN` into `null`; they are small.
//! - **Answers out** as JSON text, since `JSON.parse` is the fastest way to build objects.

mod decode;
mod encode;
mod seed;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::session::check_id;
use crate::{PROFILES, SessionHandle, ToolSift, catalog, count, options, prebuilt};
use decode::{counter, text, value};
use encode::{json, thrown};

type Answer = std::result::Result<String, JsValue>;

/// The core, as JavaScript holds it. The package's own classes are the public face of it.
#[wasm_bindgen]
pub struct Core(ToolSift);

#[wasm_bindgen]
impl Core {
    /// An empty catalog. `count_tokens` is a function or undefined.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, count_tokens: Option<Function>) -> std::result::Result<Core, JsValue> {
        let settings = options::settings(&value(options)?).map_err(thrown)?;
        Ok(Core(ToolSift::with_counter(settings, counter(count_tokens))))
    }

    /// Whether an index may take so many bytes, before they are copied.
    pub fn fits(bytes: f64) -> std::result::Result<(), JsValue> {
        prebuilt::fits(count::of_float(bytes)).map_err(thrown)
    }

    /// Whether a list of tools may take so many bytes, and whether there is memory for it, before the bytes are copied.
    #[wasm_bindgen(js_name = listFits)]
    pub fn list_fits(bytes: u32) -> std::result::Result<(), JsValue> {
        catalog::check_list(bytes as usize).map_err(thrown)
    }

    /// Takes an index in where there is nothing yet; after an error this is of no use.
    pub fn load(&mut self, index: &[u8]) -> std::result::Result<(), JsValue> {
        self.0.load(index).map_err(thrown)
    }

    /// The catalog as an index.
    #[wasm_bindgen(js_name = exportIndex)]
    pub fn export_index(&mut self) -> Vec<u8> {
        self.0.export_index()
    }

    /// A number for the tools of the catalog, as text.
    #[wasm_bindgen(js_name = contentHash)]
    pub fn content_hash(&self) -> String {
        self.0.content_hash()
    }

    /// The table of profiles.
    pub fn profiles() -> Answer {
        json(&PROFILES.iter().map(|profile| profile.info()).collect::<Vec<_>>())
    }

    /// The version of the core.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// The settings in force.
    pub fn settings(&self) -> Answer {
        json(&self.0.settings())
    }

    /// Registers a JSON list of definitions.
    pub fn register(&mut self, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?).map_err(thrown)?;
        json(&self.0.register(text(list)?, &options).map_err(thrown)?)
    }

    /// Registers one definition, or throws what is wrong with it.
    #[wasm_bindgen(js_name = registerOne)]
    pub fn register_one(&mut self, definition: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?).map_err(thrown)?;
        json(&self.0.register_one(text(definition)?, &options).map_err(thrown)?)
    }

    /// Makes a server's tools be exactly a JSON list.
    pub fn sync(&mut self, server: &str, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?).map_err(thrown)?;
        json(&self.0.sync(server, text(list)?, &options).map_err(thrown)?)
    }

    /// Removes tools.
    pub fn unregister(&mut self, which: JsValue) -> Answer {
        let (server, names) = options::which(&value(which)?).map_err(thrown)?;
        json(&self.0.unregister(server.as_deref(), names.as_deref()))
    }

    /// Searches.
    pub fn search(&mut self, query: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?).map_err(thrown)?;
        json(&self.0.search_with(query, &options).map_err(thrown)?)
    }

    /// Says why a tool is found or not.
    pub fn explain(&mut self, query: &str, name: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?).map_err(thrown)?;
        json(&self.0.explain(query, name, options.session.as_deref()).map_err(thrown)?)
    }

    /// The tools.
    pub fn tools(&mut self) -> Answer {
        json(&self.0.tools().map_err(thrown)?)
    }

    /// What everything costs.
    pub fn size(&mut self, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?).map_err(thrown)?;
        json(&self.0.size(format).map_err(thrown)?)
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> f64 {
        self.0.catalog().revision() as f64
    }

    /// Opens a session, or returns the open one. Returns the number of its opening.
    #[wasm_bindgen(js_name = openSession)]
    pub fn open_session(&mut self, id: &str, options: JsValue) -> std::result::Result<u32, JsValue> {
        let scope = options::session(&value(options)?).map_err(thrown)?;
        self.0.session(id, scope.as_ref()).map(|session| session.opening()).map_err(thrown)
    }

    /// Closes the session of an opening, and says whether there was one.
    #[wasm_bindgen(js_name = closeOpening)]
    pub fn close_opening(&mut self, id: &str, opening: u32) -> bool {
        self.0.close_opening(id, opening)
    }

    /// Closes the open session of an id, and says whether there was one.
    #[wasm_bindgen(js_name = closeSession)]
    pub fn close_session(&mut self, id: &str) -> std::result::Result<bool, JsValue> {
        check_id(id).map_err(thrown)?;
        Ok(self.0.close(id))
    }

    /// Whether a session may see less than everything.
    #[wasm_bindgen(js_name = isScoped)]
    pub fn is_scoped(&mut self, session: &str, opening: u32) -> std::result::Result<bool, JsValue> {
        self.session(session, opening)?.is_scoped().map_err(thrown)
    }

    /// Changes what a session may see; returns what was concealed.
    pub fn rescope(&mut self, session: &str, opening: u32, scope: JsValue) -> Answer {
        let scope = options::scope(&value(scope)?).map_err(thrown)?;
        json(&self.session(session, opening)?.rescope(&scope).map_err(thrown)?)
    }

    /// Opens the session of a snapshot; returns its id, the number of its opening, and what is missing.
    pub fn restore(&mut self, snapshot: &str, options: JsValue) -> Answer {
        let (scope, replace) = options::restore(&value(options)?).map_err(thrown)?;
        let (id, missing) = self.0.restore(snapshot, scope.as_ref(), replace).map_err(thrown)?;
        let opening = self.0.session(&id, None).map_err(thrown)?.opening();
        json(&(id, opening, missing))
    }

    /// Tools and prompt text for a session's next request.
    pub fn assemble(&mut self, session: &str, opening: u32, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?).map_err(thrown)?;
        json(&self.session(session, opening)?.assemble(format).map_err(thrown)?)
    }

    /// The tools that are held back from a session unless they are revealed.
    #[wasm_bindgen(js_name = heldBack)]
    pub fn held_back(&mut self, session: &str, opening: u32, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?).map_err(thrown)?;
        json(&self.session(session, opening)?.held_back(format).map_err(thrown)?)
    }

    /// What a call of the model comes to; `arguments` is JSON text.
    pub fn call(&mut self, session: &str, opening: u32, name: &str, arguments: &str, turn: JsValue) -> Answer {
        let turn = options::turn(&value(turn)?).map_err(thrown)?;
        json(&self.session(session, opening)?.call_in(&turn, name, arguments).map_err(thrown)?)
    }

    /// Reveals tools.
    pub fn reveal(&mut self, session: &str, opening: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?).map_err(thrown)?;
        json(&self.session(session, opening)?.reveal(&names).map_err(thrown)?)
    }

    /// Takes reveals back.
    pub fn conceal(&mut self, session: &str, opening: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?).map_err(thrown)?;
        json(&self.session(session, opening)?.conceal(&names).map_err(thrown)?)
    }

    /// Defers again what was used the longest ago.
    pub fn evict(&mut self, session: &str, opening: u32, options: JsValue) -> Answer {
        let (tools, tokens) = options::evict(&value(options)?).map_err(thrown)?;
        json(&self.session(session, opening)?.evict(tools, tokens).map_err(thrown)?)
    }

    /// The revealed tools.
    pub fn revealed(&mut self, session: &str, opening: u32) -> Answer {
        json(&self.session(session, opening)?.revealed().map_err(thrown)?)
    }

    /// The tools as they stand in a session.
    #[wasm_bindgen(js_name = sessionTools)]
    pub fn session_tools(&mut self, session: &str, opening: u32) -> Answer {
        json(&self.session(session, opening)?.tools().map_err(thrown)?)
    }

    /// What a session knows.
    pub fn snapshot(&mut self, session: &str, opening: u32) -> Answer {
        json(&self.session(session, opening)?.snapshot().map_err(thrown)?)
    }
}

impl Core {
    fn session(&mut self, id: &str, opening: u32) -> std::result::Result<SessionHandle<'_>, JsValue> {
        self.0.open_session(id, opening).map_err(thrown)
    }
}
