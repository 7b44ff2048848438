//! Exposes the core to JavaScript as one class. Its methods decode, call the core and encode; they decide nothing.
//!
//! Values cross the boundary in three ways, chosen by measuring a prototype (1,000 tools, 713 KB of JSON, Node 20):
//! - **Tool lists in** as UTF-8 JSON bytes, with schemas left as text: 10 to 16 ms, most of it `JSON.stringify`. As
//!   objects through serde-wasm-bindgen the same list took 25 to 41 ms.
//! - **Options in** as objects through serde-wasm-bindgen, since JSON would turn `NaN` into `null`; they are small.
//! - **Answers out** as JSON text, since `JSON.parse` is the fastest way to build objects.
//!
//! A plain search and a call take less time than decoding their options and encoding their hits would. So they take their
//! options as scalars, and a search answers in numbers: JavaScript asks for the texts of a tool once and keeps them by the
//! tool's id, which is another one when the tool changes.

mod convert;
mod seed;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use toolsift::bindings::{check_id, options};
use toolsift::{Confidence, PROFILES, Restored, SessionHandle, Stage, ToolKey, ToolSift, Turn};

use convert::{Result, counter, found, json, text, value};

type Answer = Result<String>;

/// The core, as JavaScript holds it. The package's own classes are the public face of it.
#[wasm_bindgen]
pub struct Core(ToolSift);

#[wasm_bindgen]
impl Core {
    /// An empty catalog. `count_tokens` is a function or undefined.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, count_tokens: Option<Function>) -> Result<Core> {
        let settings = options::settings(&value(options)?)?;
        Ok(Core(ToolSift::with_counter(settings, counter(count_tokens))))
    }

    /// Takes an index in where there is nothing yet; after an error this is of no use.
    pub fn load(&mut self, index: &[u8]) -> Result<()> {
        Ok(self.0.load(index)?)
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

    /// Throws where a session is not open under that number any more. It is no use of the session.
    #[wasm_bindgen(js_name = checkOpen)]
    pub fn check_open(&self, session: &str, number: u32) -> Result<()> {
        Ok(self.0.check_number(session, number)?)
    }

    /// Registers a JSON list of definitions: shared tools for the owner 0, or else tools of a session's
    /// own, under the number that `checkOpen` has checked.
    pub fn register(&mut self, owner: u32, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let list = text(list)?;
        json(&self.0.register_for(owner, list, &options)?)
    }

    /// Registers one definition, or throws what is wrong with it.
    #[wasm_bindgen(js_name = registerOne)]
    pub fn register_one(&mut self, owner: u32, definition: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let definition = text(definition)?;
        json(&self.0.register_one_for(owner, definition, &options)?)
    }

    /// Makes the tools of the server in the options be exactly a JSON list.
    pub fn sync(&mut self, owner: u32, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let (server, list) = (options.server.as_deref().unwrap_or_default(), text(list)?);
        json(&self.0.sync_for(owner, server, list, &options)?)
    }

    /// Removes tools.
    pub fn unregister(&mut self, owner: u32, which: JsValue) -> Answer {
        let (server, names) = options::which(&value(which)?)?;
        let (server, names) = (server.as_deref(), names.as_deref());
        json(&self.0.unregister_for(owner, server, names)?)
    }

    /// Whether an owner has a tool that was registered under a server and a name.
    #[wasm_bindgen(js_name = hasTool)]
    pub fn has_tool(&self, owner: u32, server: &str, name: &str) -> bool {
        self.0.has_tool(owner, &ToolKey::new(server, name))
    }

    /// Searches for a query alone: numbers (see [`Numbered`](toolsift::bindings::Numbered)), or the JSON text of [`Core::search`] where hits have reasons.
    pub fn find(&self, query: &str, limit: Option<u32>, session: Option<String>) -> Result<JsValue> {
        found(self.0.search_numbered(query, limit.map(|limit| limit as usize), session)?)
    }

    /// The name, server and description of each of the tools at some positions, which a search has found just now.
    pub fn texts(&self, positions: &[u32]) -> Answer {
        json(&self.0.texts(positions))
    }

    /// The names of the stages and of the confidences, which are indexes in an answer of [`Core::find`].
    pub fn names() -> Answer {
        json(&(Stage::ALL, Confidence::ALL))
    }

    /// Searches, with all options.
    pub fn search(&mut self, query: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?)?;
        json(&self.0.search(query).options(options).run()?)
    }

    /// Says why a tool is found or not.
    pub fn explain(&mut self, query: &str, name: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?)?;
        json(&self.0.search(query).options(options).explain(name)?)
    }

    /// The definition of a discovery tool or a shared tool in the form of MCP, as JSON text; undefined where there is no such tool.
    pub fn definition(&self, name: &str) -> Option<String> {
        self.0.definition(name)
    }

    /// The tools.
    pub fn tools(&mut self) -> Answer {
        json(&self.0.tools()?)
    }

    /// What everything costs.
    pub fn size(&mut self, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.0.size(format)?)
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> f64 {
        self.0.revision() as f64
    }

    /// Opens a session, or returns the open one. Returns its number: the same id gets another one when it is opened again.
    #[wasm_bindgen(js_name = openSession)]
    pub fn open_session(&mut self, id: &str, options: JsValue) -> Result<u32> {
        let scope = options::session(&value(options)?)?;
        Ok(self.0.session(id, scope.as_ref())?.number())
    }

    /// Opens a child of a session, under the same number.
    #[wasm_bindgen(js_name = openChild)]
    pub fn open_child(&mut self, session: &str, number: u32, id: &str, options: JsValue) -> Result<()> {
        let scope = options::session(&value(options)?)?;
        self.session(session, number)?.child(id, scope.as_ref())?;
        Ok(())
    }

    /// Closes the session of a number, and says whether there was one.
    #[wasm_bindgen(js_name = closeNumber)]
    pub fn close_number(&mut self, id: &str, number: u32) -> bool {
        self.0.close_number(id, number)
    }

    /// Closes the open session of an id, and says whether there was one.
    #[wasm_bindgen(js_name = closeSession)]
    pub fn close_session(&mut self, id: &str) -> Result<bool> {
        check_id(id)?;
        Ok(self.0.close(id))
    }

    /// Whether a session may see less than everything.
    #[wasm_bindgen(js_name = isScoped)]
    pub fn is_scoped(&mut self, session: &str, number: u32) -> Result<bool> {
        Ok(self.session(session, number)?.is_scoped()?)
    }

    /// Changes what a session may see; returns what was concealed.
    pub fn rescope(&mut self, session: &str, number: u32, scope: JsValue) -> Answer {
        let scope = options::scope(&value(scope)?)?;
        json(&self.session(session, number)?.rescope(&scope)?)
    }

    /// Opens the session of a snapshot; returns its id, its number: the same id gets another one when it is opened again, and what is missing.
    pub fn restore(&mut self, snapshot: &str, options: JsValue) -> Answer {
        let options = options::restore(&value(options)?)?;
        let Restored { session, missing, .. } = self.0.restore(snapshot, &options)?;
        json(&(session.id(), session.number(), missing))
    }

    /// Tools and prompt text for a session's next request, which is only looked at if it is not sent.
    pub fn assemble(&mut self, session: &str, number: u32, options: JsValue, is_sent: bool) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.session(session, number)?.assembled(format, is_sent)?)
    }

    /// The tools that are held back from a session unless they are revealed.
    #[wasm_bindgen(js_name = heldBack)]
    pub fn held_back(&mut self, session: &str, number: u32, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.session(session, number)?.held_back(format)?)
    }

    /// What a call of the model comes to; `arguments` is JSON text.
    pub fn call(&mut self, session: &str, number: u32, name: &str, arguments: &str, turn: JsValue) -> Answer {
        let turn = options::turn(&value(turn)?)?;
        json(&self.session(session, number)?.call_in(&turn, name, arguments)?)
    }

    /// What a call of the model comes to, where the host says nothing of the turn but the time in milliseconds.
    #[wasm_bindgen(js_name = callAt)]
    pub fn call_at(&mut self, session: &str, number: u32, name: &str, arguments: &str, now: f64) -> Answer {
        let mut turn = Turn::default();
        turn.now = Some(now);
        json(&self.session(session, number)?.call_in(&turn, name, arguments)?)
    }

    /// The real tool that a call through another tool comes to, or null.
    pub fn forwarded(&mut self, session: &str, number: u32, name: &str, arguments: &str) -> Answer {
        json(&self.session(session, number)?.forwarded(name, arguments)?)
    }

    /// An answer as the model is to read it; `length` is how many characters all of it has, where it is the beginning of one.
    #[wasm_bindgen(js_name = cutAnswer)]
    pub fn cut_answer(
        &mut self,
        session: &str,
        number: u32,
        text: &str,
        length: f64,
        most: u32,
        reads_on: bool,
    ) -> String {
        self.0.session_of(session, number).cut_answer_of(text, length as usize, most as usize, reads_on)
    }

    /// What the host read of a skill, as the model is to read it.
    #[wasm_bindgen(js_name = skillText)]
    pub fn skill_text(
        &mut self,
        session: &str,
        number: u32,
        server: Option<String>,
        name: &str,
        path: Option<String>,
        text: &str,
    ) -> Answer {
        Ok(self.session(session, number)?.skill_text(server.as_deref(), name, path.as_deref(), text)?)
    }

    /// Whether the session of a number is open. It is no use of the session.
    #[wasm_bindgen(js_name = isOpen)]
    pub fn is_open(&self, session: &str, number: u32) -> bool {
        self.0.session_of(session, number).is_open()
    }

    /// Reveals what a request of the user's finds.
    pub fn prefetch(&mut self, session: &str, number: u32, request: &str, options: JsValue) -> Answer {
        let budget = options::prefetch(&value(options)?)?;
        json(&self.session(session, number)?.prefetch(request, budget)?)
    }

    /// Reveals tools.
    pub fn reveal(&mut self, session: &str, number: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?)?;
        json(&self.session(session, number)?.reveal(&names)?)
    }

    /// Takes reveals back.
    pub fn conceal(&mut self, session: &str, number: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?)?;
        json(&self.session(session, number)?.conceal(&names)?)
    }

    /// Defers again what was used the longest ago.
    pub fn evict(&mut self, session: &str, number: u32, options: JsValue) -> Answer {
        let (tools, tokens) = options::evict(&value(options)?)?;
        json(&self.session(session, number)?.evict(tools, tokens)?)
    }

    /// Whether a session may see a tool that is not in the catalog.
    pub fn admits(&mut self, session: &str, number: u32, server: &str, name: &str) -> Result<bool> {
        Ok(self.session(session, number)?.admits(&ToolKey::new(server, name))?)
    }

    /// Entries of the host's lists and of a session's scope that name no tool.
    pub fn unmatched(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number)?.unmatched()?)
    }

    /// Reveals what a conversation revealed, and nothing else.
    pub fn replay(&mut self, session: &str, number: u32, messages: &str, options: JsValue) -> Answer {
        let format = options::replay(&value(options)?)?;
        json(&self.session(session, number)?.replay(messages, format)?)
    }

    /// The revealed tools.
    pub fn revealed(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number)?.revealed()?)
    }

    /// The tools as they stand in a session.
    #[wasm_bindgen(js_name = sessionTools)]
    pub fn session_tools(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number)?.tools()?)
    }

    /// Of the tools as they stand in a session those of some names, one a line.
    #[wasm_bindgen(js_name = sessionToolsNamed)]
    pub fn session_tools_named(&mut self, session: &str, number: u32, names: &str) -> Answer {
        json(&self.session(session, number)?.tools_named(names)?)
    }

    /// Brings a session up to date with its record in a store.
    #[wasm_bindgen(js_name = openRecord)]
    pub fn open_record(&mut self, session: &str, number: u32, text: &str, has_scope: bool, now: f64) -> Result<()> {
        Ok(self.session(session, number)?.open_record(text, has_scope, now as u64)?)
    }

    /// The record that a store is to keep of a session in the place of another one.
    #[wasm_bindgen(js_name = saveRecord)]
    pub fn save_record(
        &mut self,
        session: &str,
        number: u32,
        text: &str,
        now: f64,
        ttl: f64,
    ) -> Result<Option<String>> {
        Ok(self.session(session, number)?.save_record(text, now as u64, ttl as u64)?)
    }

    /// What a session knows.
    pub fn snapshot(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number)?.snapshot()?)
    }
}

impl Core {
    fn session(&mut self, id: &str, number: u32) -> Result<SessionHandle> {
        Ok(self.0.open_session(id, number)?)
    }
}
