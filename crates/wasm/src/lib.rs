//! Exposes the core to JavaScript as one class. Its methods decode, call the core and encode; they decide nothing.
//!
//! Values cross the boundary in three ways, chosen by measuring a prototype (1,000 tools, 713 KB of JSON, Node 20):
//! - **Tool lists in** as UTF-8 JSON bytes, with schemas left as text: 10 to 16 ms, most of it `JSON.stringify`. As
//!   objects through serde-wasm-bindgen the same list took 25 to 41 ms.
//! - **Options in** as objects through serde-wasm-bindgen, since JSON would turn `NaN` into `null`; they are small.
//! - **Answers out** as JSON text, since `JSON.parse` is the fastest way to build objects.
//!
//! A plain search and a call take less time than decoding options and encoding hits. So they take their options as
//! scalars, and a search returns numbers: JavaScript asks for the texts of a tool once, and caches them by the tool's
//! id, which changes when the tool changes.

mod convert;
mod seed;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use toolsift::bindings::{check_id, options};
use toolsift::{AnswerText, Confidence, PROFILES, Restored, SessionHandle, Stage, ToolKey, ToolSift, Turn};

use convert::{Result, counter, definitions, found, json, value};

type Answer = Result<String>;

/// The core. Programs use the classes of the npm package instead.
#[wasm_bindgen]
pub struct Core(ToolSift);

#[wasm_bindgen]
impl Core {
    /// Makes an empty catalog. `count_tokens` is a function or undefined.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, count_tokens: Option<Function>) -> Result<Core> {
        let settings = options::settings(&value(options)?)?;
        Ok(Core(ToolSift::with_counter(settings, counter(count_tokens))))
    }

    /// Loads an index into an empty catalog. After an error, this object must not be used.
    pub fn load(&mut self, index: &[u8]) -> Result<()> {
        Ok(self.0.load(index)?)
    }

    /// Writes the catalog as an index.
    #[wasm_bindgen(js_name = exportIndex)]
    pub fn export_index(&mut self) -> Vec<u8> {
        self.0.export_index()
    }

    /// Returns a hash of the catalog's tools, as text.
    #[wasm_bindgen(js_name = contentHash)]
    pub fn content_hash(&self) -> String {
        self.0.content_hash()
    }

    /// Returns the table of profiles.
    pub fn profiles() -> Answer {
        json(&PROFILES.iter().map(|profile| profile.info()).collect::<Vec<_>>())
    }

    /// Returns the version of the core.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// Returns the settings.
    pub fn settings(&self) -> Answer {
        json(&self.0.settings())
    }

    /// Throws if the session with this number is not open any more. This does not count as use of the session.
    #[wasm_bindgen(js_name = checkOpen)]
    pub fn check_open(&self, session: &str, number: u32) -> Result<()> {
        Ok(self.session(session, number).check_open()?)
    }

    /// Registers a JSON list of definitions: as shared tools for the owner 0, or else as tools of a session's own, by a
    /// number that `checkOpen` has checked.
    pub fn register(&mut self, owner: u32, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let list = definitions(list)?;
        json(&self.session("", owner).register(list, &options)?)
    }

    /// Registers one definition. Throws its error.
    #[wasm_bindgen(js_name = registerOne)]
    pub fn register_one(&mut self, owner: u32, definition: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let definition = definitions(definition)?;
        json(&self.session("", owner).register_one(definition, &options)?)
    }

    /// Replaces the tools of the server in the options by those of a JSON list.
    pub fn sync(&mut self, owner: u32, list: &[u8], options: JsValue) -> Answer {
        let options = options::register(&value(options)?)?;
        let (server, list) = (options.server.as_deref().unwrap_or_default(), definitions(list)?);
        json(&self.session("", owner).sync(server, list, &options)?)
    }

    /// Removes tools.
    pub fn unregister(&mut self, owner: u32, which: JsValue) -> Answer {
        let (server, names) = options::which(&value(which)?)?;
        let (server, names) = (server.as_deref(), names.as_deref());
        json(&self.session("", owner).unregister(server, names)?)
    }

    /// Returns true if an owner has a tool that was registered with this server and name.
    #[wasm_bindgen(js_name = hasTool)]
    pub fn has_tool(&self, owner: u32, server: &str, name: &str) -> bool {
        self.0.has_tool(owner, &ToolKey::new(server, name))
    }

    /// Searches without options. Returns numbers (see [`Numbered`](toolsift::bindings::Numbered)), or the JSON text of
    /// [`Core::search`] if hits have reasons.
    pub fn find(&self, query: &str, limit: Option<u32>, session: Option<String>) -> Result<JsValue> {
        found(self.0.search_numbered(query, limit.map(|limit| limit as usize), session)?)
    }

    /// Returns the name, server and description of the tools at positions that a search has just returned.
    pub fn texts(&self, positions: &[u32]) -> Answer {
        json(&self.0.texts(positions))
    }

    /// Converts a tool's answer, as JSON, to text for the model.
    #[wasm_bindgen(js_name = answerText)]
    pub fn answer_text(answer: &str) -> Answer {
        json(&AnswerText::read(answer)?)
    }

    /// Returns the names of the stages and confidences, for the indexes in a result of [`Core::find`].
    pub fn names() -> Answer {
        let stages: Vec<&str> = Stage::ALL.iter().map(|(name, _)| *name).collect();
        let confidences: Vec<&str> = Confidence::ALL.iter().map(|(name, _)| *name).collect();
        json(&(stages, confidences))
    }

    /// Searches with all options.
    pub fn search(&mut self, query: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?)?;
        json(&self.0.search(query).options(options).run()?)
    }

    /// Explains why a tool is found or not.
    pub fn explain(&mut self, query: &str, name: &str, options: JsValue) -> Answer {
        let options = options::search(&value(options)?)?;
        json(&self.0.search(query).options(options).explain(name)?)
    }

    /// Returns the definition of a discovery tool or a shared tool in MCP's format, as JSON text, or undefined.
    pub fn definition(&self, name: &str) -> Option<String> {
        self.0.definition(name)
    }

    /// Returns the tools.
    pub fn tools(&mut self) -> Answer {
        json(&self.0.tools()?)
    }

    /// Returns the cost of all tools.
    pub fn size(&mut self, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.0.size(format)?)
    }

    /// Returns a number that changes whenever the catalog changes.
    pub fn revision(&self) -> f64 {
        self.0.revision() as f64
    }

    /// Opens a session, or finds the open one. Returns its number. A session that is opened again with the same id gets
    /// a new number.
    #[wasm_bindgen(js_name = openSession)]
    pub fn open_session(&mut self, id: &str, options: JsValue) -> Result<u32> {
        let scope = options::session(&value(options)?)?;
        Ok(self.0.session(id, scope.as_ref())?.number())
    }

    /// Opens a child of a session, with the same number.
    #[wasm_bindgen(js_name = openChild)]
    pub fn open_child(&mut self, session: &str, number: u32, id: &str, options: JsValue) -> Result<()> {
        let scope = options::session(&value(options)?)?;
        self.session(session, number).child(id, scope.as_ref())?;
        Ok(())
    }

    /// Closes the session with this id and number. Returns true if it was open.
    #[wasm_bindgen(js_name = closeNumber)]
    pub fn close_number(&mut self, id: &str, number: u32) -> bool {
        self.session(id, number).close()
    }

    /// Closes the open session with this id. Returns true if it was open.
    #[wasm_bindgen(js_name = closeSession)]
    pub fn close_session(&mut self, id: &str) -> Result<bool> {
        check_id(id)?;
        Ok(self.0.close(id))
    }

    /// Returns true if a session's scope is narrower than everything.
    #[wasm_bindgen(js_name = isScoped)]
    pub fn is_scoped(&mut self, session: &str, number: u32) -> Result<bool> {
        Ok(self.session(session, number).is_scoped()?)
    }

    /// Changes the scope of a session. Returns the concealed tools.
    pub fn rescope(&mut self, session: &str, number: u32, scope: JsValue) -> Answer {
        let scope = options::scope(&value(scope)?)?;
        json(&self.session(session, number).rescope(&scope)?)
    }

    /// Opens the session of a snapshot. Returns its id, its number, and the missing tools.
    pub fn restore(&mut self, snapshot: &str, options: JsValue) -> Answer {
        let options = options::restore(&value(options)?)?;
        let Restored { session, missing, .. } = self.0.restore(snapshot, &options)?;
        json(&(session.id(), session.number(), missing))
    }

    /// Assembles the tools and prompt text of a session's next request. If it is not sent, the session does not change.
    pub fn assemble(&mut self, session: &str, number: u32, options: JsValue, is_sent: bool) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.session(session, number).assembled(format, is_sent)?)
    }

    /// Returns the deferred tools of a session, loaded ones included.
    #[wasm_bindgen(js_name = heldBack)]
    pub fn held_back(&mut self, session: &str, number: u32, options: JsValue) -> Answer {
        let format = options::assemble(&value(options)?)?;
        json(&self.session(session, number).held_back(format)?)
    }

    /// Decides a call of the model; `arguments` is JSON text.
    pub fn call(&mut self, session: &str, number: u32, name: &str, arguments: &str, turn: JsValue) -> Answer {
        let turn = options::turn(&value(turn)?)?;
        json(&self.session(session, number).call_in(&turn, name, arguments)?)
    }

    /// Decides a call of the model, if the host gives only the time in milliseconds and nothing else about the turn.
    #[wasm_bindgen(js_name = callAt)]
    pub fn call_at(&mut self, session: &str, number: u32, name: &str, arguments: &str, now: f64) -> Answer {
        let mut turn = Turn::default();
        turn.now = Some(now);
        json(&self.session(session, number).call_in(&turn, name, arguments)?)
    }

    /// Returns the real tool that a call through another tool leads to, or null.
    pub fn forwarded(&mut self, session: &str, number: u32, name: &str, arguments: &str) -> Answer {
        json(&self.session(session, number).forwarded(name, arguments)?)
    }

    /// Cuts an answer for the model; `length` is the length of the whole answer if `text` is only its beginning.
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
        self.session(session, number).cut_answer_of(text, length as usize, most as usize, reads_on)
    }

    /// Returns the text of a skill or skill file for the model.
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
        Ok(self.session(session, number).skill_text(server.as_deref(), name, path.as_deref(), text)?)
    }

    /// Returns true if the session with this number is open. This does not count as use of the session.
    #[wasm_bindgen(js_name = isOpen)]
    pub fn is_open(&self, session: &str, number: u32) -> bool {
        self.session(session, number).is_open()
    }

    /// Loads the tools that fit a user's request.
    pub fn prefetch(&mut self, session: &str, number: u32, request: &str, options: JsValue) -> Answer {
        let budget = options::prefetch(&value(options)?)?;
        json(&self.session(session, number).prefetch(request, budget)?)
    }

    /// Loads tools.
    pub fn reveal(&mut self, session: &str, number: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?)?;
        json(&self.session(session, number).reveal(&names)?)
    }

    /// Defers loaded tools again.
    pub fn conceal(&mut self, session: &str, number: u32, names: JsValue) -> Answer {
        let names = options::names(&value(names)?)?;
        json(&self.session(session, number).conceal(&names)?)
    }

    /// Defers the least recently used tools again.
    pub fn evict(&mut self, session: &str, number: u32, options: JsValue) -> Answer {
        let (tools, tokens) = options::evict(&value(options)?)?;
        json(&self.session(session, number).evict(tools, tokens)?)
    }

    /// Returns true if a session may see a tool that is not in the catalog.
    pub fn admits(&mut self, session: &str, number: u32, server: &str, name: &str) -> Result<bool> {
        Ok(self.session(session, number).admits(&ToolKey::new(server, name))?)
    }

    /// Returns the entries of the host's lists and of a session's scope that match no single tool.
    pub fn unmatched(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number).unmatched()?)
    }

    /// Sets the loaded tools to those of a conversation.
    pub fn replay(&mut self, session: &str, number: u32, messages: &str, options: JsValue) -> Answer {
        let format = options::replay(&value(options)?)?;
        json(&self.session(session, number).replay(messages, format)?)
    }

    /// Returns the loaded tools.
    pub fn revealed(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number).revealed()?)
    }

    /// Returns the tools with their states in a session.
    #[wasm_bindgen(js_name = sessionTools)]
    pub fn session_tools(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number).tools()?)
    }

    /// Returns the tools with the given names, one per line, with their states in a session.
    #[wasm_bindgen(js_name = sessionToolsNamed)]
    pub fn session_tools_named(&mut self, session: &str, number: u32, names: &str) -> Answer {
        json(&self.session(session, number).tools_named(names)?)
    }

    /// Updates a session from its record in a store.
    #[wasm_bindgen(js_name = openRecord)]
    pub fn open_record(&mut self, session: &str, number: u32, text: &str, has_scope: bool, now: f64) -> Result<()> {
        Ok(self.session(session, number).open_record(text, has_scope, now as u64)?)
    }

    /// Returns the record to store for a session, or undefined if the stored record can stay.
    #[wasm_bindgen(js_name = saveRecord)]
    pub fn save_record(
        &mut self,
        session: &str,
        number: u32,
        text: &str,
        now: f64,
        ttl: f64,
    ) -> Result<Option<String>> {
        Ok(self.session(session, number).save_record(text, now as u64, ttl as u64)?)
    }

    /// Returns a snapshot of a session.
    pub fn snapshot(&mut self, session: &str, number: u32) -> Answer {
        json(&self.session(session, number).snapshot()?)
    }
}

impl Core {
    fn session(&self, id: &str, number: u32) -> SessionHandle {
        self.0.session_of(id, number)
    }
}
