//! Answers the calls of one conversation: calls that the model makes now, calls of a stored conversation, and the
//! search for a user's request before the model is asked.

use std::sync::Arc;

use crate::catalog::{Catalog, Tool, ToolKey};
use crate::discovery::definitions::READ_CUT_ANSWER;
use crate::discovery::{self, Budget, Context, MessageFormat, Outcome, Replay, Turn, searched_query};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::map::Set;
use crate::session::{Session, ToolState};

use super::answers::HistoryReport;
use super::search::by_position;
use super::views::Shared;
use super::{Indexed, Inner, SessionHandle, ToolSource, Tools};

impl SessionHandle {
    /// Decides what happens with a call of the model. `arguments` is an object: JSON text as the model wrote it, or a
    /// value. If the call itself is wrong, the outcome says so to the model.
    ///
    /// # Errors
    /// `counter_failed`, if the number of tokens decides what is deferred; `ranker_failed`; `session_closed`.
    pub fn call(&self, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        self.call_in(&Turn::default(), name, arguments)
    }

    /// Answers a call as [`SessionHandle::call`] does, with data from the host about the turn in which it is made.
    ///
    /// # Errors
    /// The errors of [`SessionHandle::call`].
    pub fn call_in(&self, turn: &Turn, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        let arguments = &*arguments.json()?;
        let settings = &self.sift.inner.settings;
        let query = if self.sift.has_ranker() { searched_query(&settings.discovery, name, arguments) } else { None };
        let scores = match query {
            Some(query) => self.sift.ranked(&query, Some((&self.id, self.owner)), &turn.scores)?,
            None => turn.scores.clone(),
        };
        // A call of a tool that the session sees needs no search index.
        let looks_up = |catalog: &Catalog, session: &Session| {
            settings.discovery.is_discovery_tool(name) || !self.sees(catalog, session, turn, name)
        };
        self.with_context(turn, &scores, looks_up, |context| discovery::call(context, name, arguments))
    }

    /// Returns the answer of a tool for the model: an answer of more than `most` characters is cut, and its end says
    /// how to read on. The session keeps the whole answer, and from now on its requests offer the discovery tool
    /// `read_cut_answer`.
    pub fn cut_answer(&self, text: &str, most: usize) -> String {
        self.cut_answer_of(text, 0, most, true)
    }

    /// Does the same as [`SessionHandle::cut_answer`]. `length` is the number of characters of the whole answer if
    /// `text` is only its beginning. The answer is not kept in that case, without `reads_on`, if the session was
    /// closed, or if a tool of the catalog has the name of the discovery tool.
    #[doc(hidden)]
    pub fn cut_answer_of(&self, text: &str, length: usize, most: usize, reads_on: bool) -> String {
        let cut = |tools: &Tools, session: &mut Session| {
            let is_taken = tools.catalog.by_name_for(self.owner, READ_CUT_ANSWER.definition.name).is_some();
            let all = &self.sift.inner.cut_answers;
            discovery::cut(text, length, most, Some((session, all)).filter(|_| reads_on && !is_taken))
        };
        self.locked(cut).unwrap_or_else(|_| discovery::cut(text, length, most, None))
    }

    /// Returns the text of a skill or skill file for the model, as the answer to a dispatch with a
    /// [`SkillFile`](crate::SkillFile). The answer says whose words these are; a long one is cut as by
    /// [`SessionHandle::cut_answer`].
    ///
    /// # Errors
    /// `tool_unknown` if the skill has left the catalog; `session_closed`.
    pub fn skill_text(&self, server: Option<&str>, name: &str, path: Option<&str>, text: &str) -> Result<String> {
        self.locked(|Tools { catalog, .. }, session| {
            let key = ToolKey { server: server.map(Arc::from), name: name.into(), is_skill: true };
            let unknown = || Error::new(ErrorCode::ToolUnknown, format!("there is no skill {}", excerpt(name)));
            let skill = catalog.by_key_for(self.owner, &key).ok_or_else(unknown)?;
            Ok(discovery::cut_skill(&skill.skill_block(path, text), session, &self.sift.inner.cut_answers))
        })?
    }

    /// Returns the real tool that a call through another tool leads to, or `None` if it leads to no tool. This is not a
    /// call: it loads nothing, and a refusal does not count as a failure.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    #[doc(hidden)]
    pub fn forwarded(&self, name: &str, arguments: &str) -> Result<Option<Outcome>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::forwarded(&context, name, arguments))
    }

    /// Loads the tools that clearly fit a user's request, before the model is asked. Returns the names of the tools
    /// that were not loaded before, or none while every tool is sent.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn prefetch(&self, request: &str, budget: Budget) -> Result<Vec<Arc<str>>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::prefetch(context, request, budget))
    }

    /// Runs a function with the data that decides about calls.
    fn with_context<T>(
        &self,
        turn: &Turn,
        scores: &[(String, f64)],
        looks_up: impl FnOnce(&Catalog, &Session) -> bool,
        run: impl FnOnce(Context<'_>) -> T,
    ) -> Result<T> {
        let Inner { settings, empty_index, cut_answers, .. } = &*self.sift.inner;
        self.locked(|tools, session| {
            let indexed = looks_up(&tools.catalog, session).then(|| self.sift.indexed());
            let (catalog, index) = match &indexed {
                Some(Indexed { tools, index }) => (&tools.catalog, &**index),
                None => (&tools.catalog, empty_index),
            };
            let shared = self.shared(catalog, session);
            let gate = self.inputs(catalog, &shared, session).gate()?;
            let Shared { view, corpus, kinds, .. } = &*shared;
            let visible = turn.visible.names();
            let in_this_turn = visible.as_ref().map(|names| corpus.of_names(catalog, self.owner, names));
            Ok(run(Context {
                catalog,
                session,
                eligibility: &settings.eligibility,
                settings: &settings.discovery,
                index,
                gate,
                corpus: in_this_turn.as_ref().unwrap_or(corpus),
                whole: corpus,
                kinds: kinds.as_ref(),
                view,
                cut_answers,
                turn,
                scores: &by_position(scores, catalog, &settings.discovery.search, self.owner)?,
                visible,
            }))
        })?
    }

    /// Returns true if the session sees a tool with this name in this turn.
    fn sees(&self, catalog: &Catalog, session: &Session, turn: &Turn, name: &str) -> bool {
        let eligibility = &self.sift.inner.settings.eligibility;
        let is_visible = |name: &str| turn.visible.names().is_none_or(|names| names.contains(name));
        // A call of a skill loads it, which needs the index to look up the tools that it names.
        let is_seen =
            |tool: &Arc<Tool>| !tool.key.is_skill && eligibility.state(tool, Some(session)) != ToolState::Hidden;
        let tool = catalog.by_name_for(self.owner, name);
        tool.is_some_and(|tool| is_visible(&tool.model_name) && is_seen(tool))
    }

    /// Sets the loaded tools of the session to those of a conversation: the tools that answers of the discovery tools
    /// report as loaded, and the tools that were called, in the same order and with the same evictions. All other tools
    /// are deferred again. Tools that the host itself loaded or concealed appear in no message. Replaying the same
    /// messages again changes nothing.
    ///
    /// `messages` are all messages that the model is sent, as a JSON list, in their order.
    ///
    /// # Errors
    /// `messages_invalid`; `format_mismatch` if the messages have an answered call in another format, but none in this
    /// one; `not_json`, `counter_failed`, `session_closed`. After an error nothing has changed.
    pub fn replay(&self, messages: &(impl ToolSource + ?Sized), format: MessageFormat) -> Result<HistoryReport> {
        let messages = messages.json()?;
        let follow = Replay::read(&messages, format)?;
        let settings = &self.sift.inner.settings;
        let (eligibility, settings) = (&settings.eligibility, &settings.discovery);
        self.with_inputs(|inputs, session| {
            let (catalog, gate) = (inputs.catalog, inputs.gate()?);
            let before = self.revealed_in(catalog, session);
            let turn = session.rewind();
            let mut replay = Replay { catalog, eligibility, settings, gate, session, missing: Vec::new(), compared: 0 };
            follow(&mut replay);
            replay.session.catch_up(turn);
            let missing = replay.missing;
            let now = self.revealed_in(catalog, session);
            Ok(HistoryReport {
                revealed: without(&now, &before),
                concealed: without(&before, &now),
                missing: without(&missing, &now),
            })
        })
    }
}

/// Returns the names that are not in `others`, each once.
fn without(names: &[Arc<str>], others: &[Arc<str>]) -> Vec<Arc<str>> {
    let mut seen: Set<&Arc<str>> = others.iter().collect();
    names.iter().filter(|name| seen.insert(name)).cloned().collect()
}
