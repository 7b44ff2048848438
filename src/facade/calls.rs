//! Answers the calls of one conversation: what the model calls now, what it has called before, and what a request of the user's
//! loads before the model is asked.

use std::sync::Arc;

use crate::catalog::{Catalog, Tool, ToolKey};
use crate::discovery::definitions::READ_CUT_ANSWER;
use crate::discovery::{self, Budget, Context, MessageFormat, Outcome, Replay, Turn, searched_query};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::map::Set;
use crate::session::{Session, ToolState};

use super::answers::HistoryReport;
use super::ranker::by_position;
use super::views::Shared;
use super::{Indexed, Inner, SessionHandle, ToolSource, Tools};

impl SessionHandle {
    /// Decides what a call of the model comes to. `arguments` is an object: JSON text as the model wrote it, or a value. What
    /// is wrong with the call itself is an outcome, for the model to read.
    ///
    /// # Errors
    /// `counter_failed`, where tokens decide whether tools are held back; `ranker_failed`; `session_closed`.
    pub fn call(&self, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        self.call_in(&Turn::default(), name, arguments)
    }

    /// Answers a call as [`SessionHandle::call`] does, with what the host says of the turn in which it is made.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_in(&self, turn: &Turn, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        let arguments = &*arguments.json()?;
        let settings = &self.sift.inner.settings;
        let query = if self.sift.has_ranker() { searched_query(&settings.discovery, name, arguments) } else { None };
        let scores = match query {
            Some(query) => self.sift.ranked(&query, Some((&self.id, self.owner)), &turn.scores)?,
            None => turn.scores.clone(),
        };
        // A call of a tool that the session sees looks nothing up.
        let looks_up = |catalog: &Catalog, session: &Session| {
            settings.discovery.is_discovery_tool(name) || !self.sees(catalog, session, turn, name)
        };
        self.with_context(turn, &scores, looks_up, |context| discovery::call(context, name, arguments))
    }

    /// The answer of a tool as the model is to read it: one of more than `most` characters is cut, and its end says how to read on.
    /// The session keeps all of it, and its requests offer the discovery tool `read_cut_answer` from now on.
    pub fn cut_answer(&self, text: &str, most: usize) -> String {
        self.cut_answer_of(text, 0, most, true)
    }

    /// As [`SessionHandle::cut_answer`]; `length` is how many characters all of it has, where `text` is its beginning. It is not
    /// kept then, nor without `reads_on`, nor where the session was closed or the catalog has a tool of that name.
    #[doc(hidden)]
    pub fn cut_answer_of(&self, text: &str, length: usize, most: usize, reads_on: bool) -> String {
        let cut = |tools: &Tools, session: &mut Session| {
            let is_taken = tools.catalog.by_name_for(self.owner, READ_CUT_ANSWER.definition.name).is_some();
            let all = &self.sift.inner.cut_answers;
            discovery::cut(text, length, most, Some((session, all)).filter(|_| reads_on && !is_taken))
        };
        self.locked(cut).unwrap_or_else(|_| discovery::cut(text, length, most, None))
    }

    /// What the host read of a skill, as the model is to read it: the answer to a dispatch with a
    /// [`SkillFile`](crate::SkillFile). It says whose words these are; a long one is cut as [`SessionHandle::cut_answer`] does.
    ///
    /// # Errors
    /// `tool_unknown` where the skill has left the catalog; `session_closed`.
    pub fn skill_text(&self, server: Option<&str>, name: &str, path: Option<&str>, text: &str) -> Result<String> {
        self.locked(|Tools { catalog, .. }, session| {
            let key = ToolKey { server: server.map(Arc::from), name: name.into(), is_skill: true };
            let unknown = || Error::new(ErrorCode::ToolUnknown, format!("there is no skill {}", excerpt(name)));
            let skill = catalog.by_key_for(self.owner, &key).ok_or_else(unknown)?;
            Ok(discovery::cut_skill(&skill.skill_block(path, text), session, &self.sift.inner.cut_answers))
        })?
    }

    /// The real tool that a call through another tool comes to; none where it comes to no tool. Looking is no call: it loads
    /// nothing, and what is refused counts as no failure.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    #[doc(hidden)]
    pub fn forwarded(&self, name: &str, arguments: &str) -> Result<Option<Outcome>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::forwarded(&context, name, arguments))
    }

    /// Loads what a request of the user's clearly finds, before the model is asked. Returns the names of the tools that were
    /// not loaded before: none while every tool is sent.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn prefetch(&self, request: &str, budget: Budget) -> Result<Vec<Arc<str>>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::prefetch(context, request, budget))
    }

    /// Does something with what a call is decided by.
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

    /// Whether the session sees a tool of a name in a turn.
    fn sees(&self, catalog: &Catalog, session: &Session, turn: &Turn, name: &str) -> bool {
        let eligibility = &self.sift.inner.settings.eligibility;
        let is_visible = |name: &str| turn.visible.names().is_none_or(|names| names.contains(name));
        // A skill is loaded, for which the names of its tools are looked up.
        let is_seen =
            |tool: &Arc<Tool>| !tool.key.is_skill && eligibility.state(tool, Some(session)) != ToolState::Hidden;
        let tool = catalog.by_name_for(self.owner, name);
        tool.is_some_and(|tool| is_visible(&tool.model_name) && is_seen(tool))
    }

    /// Makes the reveals of the session those of a conversation: the tools that the answers of the discovery tools report as loaded,
    /// and the tools that were called, in the same order and with the same evictions. Other tools are deferred again. Reveals and
    /// conceals of the host are in no message. The same messages again change nothing.
    ///
    /// `messages` are all messages that the model is sent, as a JSON list, in their order.
    ///
    /// # Errors
    /// `messages_invalid`; `format_mismatch` where the messages hold no call that was answered in this format, but in another;
    /// `not_json`, `counter_failed`, `session_closed`. Nothing has changed then.
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

/// The names that are none of some others, each once.
fn without(names: &[Arc<str>], others: &[Arc<str>]) -> Vec<Arc<str>> {
    let mut seen: Set<&Arc<str>> = others.iter().collect();
    names.iter().filter(|name| seen.insert(name)).cloned().collect()
}
