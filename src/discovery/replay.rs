//! Replays the calls of a conversation in a session that has loaded nothing. Each call loads, uses and evicts the same
//! tools as when it was made. Only answers of discovery tools and calls of tools that ran count; other texts load
//! nothing.

use std::sync::Arc;

use crate::assembly::Gate;
use crate::catalog::{Catalog, Tool};
use crate::error::Result;
use crate::json::Fields;
use crate::limits;
use crate::markers::{A_SKILL, ADDED, AVAILABLE, ITEM, LOADED, LOADED_BEFORE, SKILL_TEXT, SKILLS_LOADED};
use crate::session::{Eligibility, Session, ToolState};
use crate::text::snake_case;

use super::history::{Call, MessageFormat, Part, calls_of, names_at, references, visit};
use super::refusal::{self, Refusal};
use super::surface::{Action, Answer, DiscoverySettings, Reveal, UnrevealedCall};

/// The maximum number of comparisons in one replay: less than a second's work. At the default limit these are 4,000
/// tools that were loaded and evicted: no conversation that fits a model has so many.
const MOST_COMPARED: usize = 2_000_000;

/// The state of a replay.
pub struct Replay<'a> {
    pub catalog: &'a Catalog,
    pub eligibility: &'a Eligibility,
    pub settings: &'a DiscoverySettings,
    /// The deferral policies that apply.
    pub gate: Gate,
    /// The session, after [`Session::rewind`].
    pub session: &'a mut Session,
    /// The names that an answer reports as loaded, but that are not loaded.
    pub missing: Vec<Arc<str>>,
    /// The number of comparisons so far: at a limit, each new tool is compared with all loaded ones.
    pub compared: usize,
}

impl<'a> Replay<'a> {
    /// Reads a conversation, and returns the function that replays its calls.
    ///
    /// # Errors
    /// The errors of [`calls_of`].
    pub(crate) fn read<'m>(messages: &'m str, format: MessageFormat) -> Result<impl Fn(&mut Replay<'_>) + 'm> {
        let calls = calls_of(messages, format)?;
        Ok(move |replay: &mut Replay<'_>| calls.iter().for_each(|call| replay.follow(call)))
    }

    fn follow(&mut self, call: &Call<'_>) {
        if call.begins {
            self.session.begin_turn();
        }
        let Some(answer) = call.answer.as_deref() else { return };
        if let Some(name) = &call.name {
            let Some(tool) = self.settings.tool(name) else { return self.called(name, call, answer) };
            if !matches!(tool.action, Action::Add | Action::Search(_)) {
                return;
            }
            visit(answer, &mut |part| {
                match (tool.action, part) {
                    (Action::Add, Part::Text(text)) => self.added(text, call),
                    (Action::Search(Answer::Ranked), Part::Text(text)) => self.searched(text),
                    (Action::Search(answer), Part::Object(fields)) => self.found(answer, fields),
                    _ => {}
                }
                true
            });
        }
        if self.settings.reveal != Reveal::Never {
            self.all_loaded(references(answer));
        }
    }

    /// Returns the tool with this name for the session's model.
    fn named(&self, name: &str) -> Option<&'a Arc<Tool>> {
        self.catalog.by_name_for(self.session.owner(), name)
    }

    fn state(&self, tool: &Tool) -> ToolState {
        self.eligibility.state(tool, Some(self.session))
    }

    /// Replays a search, from an answer with one line for each tool: `name(parameters): sentence`. Descriptions and
    /// names in it never have line breaks.
    fn searched(&mut self, text: &str) {
        // A search notes the use of tools that are loaded already, before it loads others.
        for heading in [LOADED_BEFORE, SKILLS_LOADED, LOADED] {
            let mut is_below = false;
            // The text after this is not toolsift's.
            for line in text.split('\n').take_while(|line| !line.starts_with(SKILL_TEXT)) {
                match line.strip_prefix(ITEM) {
                    Some(item) if is_below => self.item(item),
                    _ => is_below = line == heading,
                }
            }
        }
    }

    /// Replays a line of a search. A name may contain brackets: the longest name that a tool has is meant.
    fn item(&mut self, item: &str) {
        let mut named = "";
        for (at, c) in item.char_indices().take(limits::ANY_NAME_CHARS + 1) {
            let name = item.get(..at).unwrap_or_default();
            let ends = c == '(' || item[at..].starts_with(A_SKILL);
            if ends && (named.is_empty() || self.named(name).is_some()) {
                named = name;
            }
        }
        if !named.is_empty() {
            self.loaded(named, true);
        }
    }

    /// Replays a search, from an answer in JSON, which descriptions cannot break out of. [`Answer::Load`] lists the
    /// loaded tools, whichever step loaded them; the other answers list the found tools.
    fn found(&mut self, answer: Answer, lists: &Fields<'_>) {
        let key = match answer {
            Answer::Load => "loaded",
            _ if self.settings.reveal != Reveal::OnSearch => return,
            Answer::Restore => "loaded",
            Answer::Names => "tools",
            _ => "matches",
        };
        self.all_loaded(names_at(lists, key));
    }

    fn all_loaded(&mut self, names: Vec<String>) {
        names.iter().for_each(|name| self.loaded(name, false));
    }

    /// Replays the tools that [`add`](super::add) reports as added or already available. If a name contains a
    /// separator, the answer is ambiguous and is ignored. Vendors accept no such names.
    fn added(&mut self, text: &str, call: &Call<'_>) {
        if call.arguments.is_some_and(is_unclear) {
            return;
        }
        let mut lines = text.split('\n').peekable();
        for heading in [ADDED, AVAILABLE] {
            let Some(names) = lines.peek().and_then(|line| line.strip_prefix(heading)) else { continue };
            lines.next();
            for name in names.split(',') {
                let name = name.trim_start();
                // The answer repeats an available name in the model's spelling.
                let snake = snake_case(name);
                self.loaded(if self.named(name).is_some() { name } else { &snake }, false);
            }
        }
    }

    /// Replays that a tool is loaded; `is_use` is true if the answer also counts as a use of a tool that was loaded
    /// before.
    fn loaded(&mut self, name: &str, is_use: bool) {
        if self.settings.is_discovery_tool(name) {
            return;
        }
        let tool = self.named(name).map(|tool| (tool, self.state(tool)));
        let is_loaded = match tool {
            None | Some((_, ToolState::Hidden)) => false,
            Some((_, ToolState::Eager | ToolState::Pinned)) => true,
            Some((tool, ToolState::Revealed)) => {
                if is_use {
                    self.session.touch(&tool.key);
                }
                true
            }
            Some((tool, ToolState::Deferred)) => {
                let bounds = &self.settings.bounds;
                if self.session.reveals() >= bounds.tools || bounds.tokens < usize::MAX {
                    self.compared += self.session.reveals();
                }
                self.compared <= MOST_COMPARED && self.session.reveal(tool, bounds, self.catalog).is_ok()
            }
        };
        if !is_loaded {
            self.missing.push(name.into());
        }
    }

    /// Replays a call of a real tool: it was refused and loaded, was refused, or ran.
    fn called(&mut self, name: &str, call: &Call<'_>, answer: &str) {
        let unrevealed = self.settings.unrevealed_call;
        let tool = self.named(name);
        let model_name = tool.map_or(name, |tool| &tool.model_name);
        let refusal = refusal::read(answer, &[name, model_name]);
        // In Anthropic's format a reference to the called tool replaces that text, which comes after it.
        let is_loaded_now = || refusal == Some(Refusal::LoadedNow) || references(answer).iter().any(|one| one == name);
        if unrevealed == UnrevealedCall::RefuseWithSchema && is_loaded_now() {
            return self.loaded(name, false);
        }
        let Some(tool) = tool.filter(|_| refusal.is_none()) else { return };
        let runs_unrevealed = match unrevealed {
            UnrevealedCall::Run | UnrevealedCall::RefuseWithSchema => false,
            UnrevealedCall::Refuse => self.settings.reveal == Reveal::Never,
            UnrevealedCall::Allow => true,
        };
        // The tool ran, so it must have been loaded, unless it could be called without loading.
        if !runs_unrevealed
            && !call.failed
            && self.gate.holds(tool.deferral)
            && !self.session.is_leaving(tool)
            && self.state(tool) == ToolState::Deferred
        {
            self.loaded(name, false);
        }
        self.session.touch(&tool.key);
    }
}

/// Returns true if arguments of [`add`](super::add) contain a name that could be read as several.
fn is_unclear(arguments: &str) -> bool {
    let mut is_clear = true;
    visit(arguments, &mut |part| {
        if let Part::Object(fields) = part {
            let mut names = ["tool_names", "tool_name"].into_iter().flat_map(|key| names_at(fields, key));
            is_clear = names.all(|name| !name.contains([',', '\n']));
        }
        is_clear
    });
    !is_clear
}
