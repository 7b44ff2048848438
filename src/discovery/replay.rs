//! Replays the calls of a conversation in a session that has revealed nothing: each call reveals, uses and evicts what
//! it did when it was made. Only answers of discovery tools and calls of tools that ran count; other texts reveal
//! nothing.

use std::sync::Arc;

use crate::assembly::Gate;
use crate::catalog::{Catalog, Tool};
use crate::json::{Object, Value};
use crate::limits;
use crate::markers::{A_SKILL, ADDED, AVAILABLE, ITEM, LOADED, LOADED_BEFORE, SKILL_TEXT, SKILLS_LOADED};
use crate::session::{Eligibility, Session, ToolState};
use crate::text::snake_case;

use super::refusal::{self, Refusal};
use super::surface::{Action, Answer, DiscoverySettings, Reveal, UnrevealedCall};

/// Reveals that are compared in one replay, less than a second's work. At the default bound these are 4,000 tools that
/// were loaded and evicted: no conversation that a model reads holds so many.
const MOST_COMPARED: usize = 2_000_000;

/// What calls are replayed by, and what comes of them.
pub struct Replay<'a> {
    pub catalog: &'a Catalog,
    pub eligibility: &'a Eligibility,
    pub settings: &'a DiscoverySettings,
    /// Which deferred tools are held back.
    pub gate: Gate,
    /// The session, after [`Session::rewind`].
    pub session: &'a mut Session,
    /// The names that an answer says were loaded, and that are not.
    pub missing: Vec<Arc<str>>,
    /// The reveals that were compared so far: at a bound, each reveal is compared with all others.
    pub compared: usize,
}

impl<'a> Replay<'a> {
    /// Replays a call, whose fields are those of [`SessionHandle::replay`](crate::SessionHandle::replay).
    pub(crate) fn follow(&mut self, call: &Object) {
        if call.get("begins").is_some() {
            self.session.begin_turn();
        }
        let Some(said) = list(call, "said") else { return };
        if let Some(name) = call.get("name").and_then(Value::as_str) {
            let Some(tool) = self.settings.tool(name) else { return self.called(name, call, said) };
            for part in said {
                match (tool.action, part) {
                    (Action::Add, Value::Array(lines)) => self.added(lines, call),
                    (Action::Search(Answer::Ranked), Value::Array(lines)) => self.searched(lines),
                    (Action::Search(answer), Value::Object(lists)) => self.found(answer, lists),
                    (Action::Search(_) | Action::Add, _) => {}
                    _ => return,
                }
            }
        }
        if self.settings.reveal != Reveal::Never {
            self.all_loaded(call, "references");
        }
    }

    /// The tool that the session's model knows by a name.
    fn named(&self, name: &str) -> Option<&'a Arc<Tool>> {
        self.catalog.by_name_for(self.session.owner(), name)
    }

    fn state(&self, tool: &Tool) -> ToolState {
        self.eligibility.state(tool, Some(self.session))
    }

    /// What a search loaded, in an answer with one line for each tool: `name(parameters): sentence`. A line break in a
    /// description or a name is never written.
    fn searched(&mut self, lines: &[Value]) {
        // A search notes the use of the tools that it finds loaded before it loads others.
        for heading in [LOADED_BEFORE, SKILLS_LOADED, LOADED] {
            let mut is_below = false;
            // What follows are the words of others.
            let ours = lines.iter().filter_map(Value::as_str).take_while(|line| !line.starts_with(SKILL_TEXT));
            for line in ours {
                match line.strip_prefix(ITEM) {
                    Some(item) if is_below => self.item(item),
                    _ => is_below = line == heading,
                }
            }
        }
    }

    /// A name may hold brackets too: the longest one that a tool has is meant.
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

    /// What a search loaded, in an answer that is JSON, which descriptions cannot break out of. [`Answer::Load`] lists
    /// what is loaded, whatever loads it; the others list what they found.
    fn found(&mut self, answer: Answer, lists: &Object) {
        let key = match answer {
            Answer::Load => "loaded",
            _ if self.settings.reveal != Reveal::OnSearch => return,
            Answer::Restore => "loaded",
            Answer::Names => "tools",
            _ => "matches",
        };
        self.all_loaded(lists, key);
    }

    fn all_loaded(&mut self, lists: &Object, key: &str) {
        for name in list(lists, key).unwrap_or_default().iter().filter_map(Value::as_str) {
            self.loaded(name, false);
        }
    }

    /// What [`add`](super::add) says was added, and what was there already. Names that hold its separators could be
    /// read in several ways: an answer to them is not read. Vendors accept no such names.
    fn added(&mut self, lines: &[Value], call: &Object) {
        if list(call, "asked").unwrap_or_default().iter().any(is_unclear) {
            return;
        }
        let mut lines = lines.iter();
        for heading in [ADDED, AVAILABLE] {
            let line = lines.as_slice().first().and_then(Value::as_str).unwrap_or_default();
            let Some(names) = line.strip_prefix(heading) else { continue };
            lines.next();
            for name in names.split(',') {
                let name = name.trim_start();
                // The answer repeats a name that was available as the model wrote it.
                let snake = snake_case(name);
                self.loaded(if self.named(name).is_some() { name } else { &snake }, false);
            }
        }
    }

    /// A tool that an answer says is loaded; `is_use` where the answer is a use of a tool that was loaded before.
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

    /// What a call of a real tool says of it: that it was refused and loaded, that it was refused, or that it ran.
    fn called(&mut self, name: &str, call: &Object, said: &[Value]) {
        let unrevealed = self.settings.unrevealed_call;
        let tool = self.named(name);
        let model_name = tool.map_or(name, |tool| &tool.model_name);
        let refusal = refusal::read(said.iter().filter_map(Value::as_str), &[name, model_name]);
        // In Anthropic's format a reference to the called tool stands in place of that text, which follows behind.
        let is_loaded_now = call.get("refers").is_some() || refusal == Some(Refusal::LoadedNow);
        if unrevealed == UnrevealedCall::RefuseWithSchema && is_loaded_now {
            return self.loaded(name, false);
        }
        let Some(tool) = tool.filter(|_| refusal.is_none()) else { return };
        let runs_unrevealed = match unrevealed {
            UnrevealedCall::Run | UnrevealedCall::RefuseWithSchema => false,
            UnrevealedCall::Refuse => self.settings.reveal == Reveal::Never,
            UnrevealedCall::Allow => true,
        };
        // It ran, so it was revealed then, unless it could be called without.
        if !runs_unrevealed
            && call.get("failed").is_none()
            && self.gate.holds(tool.deferral)
            && !self.session.is_leaving(tool)
            && self.state(tool) == ToolState::Deferred
        {
            self.loaded(name, false);
        }
        self.session.touch(&tool.key);
    }
}

/// Whether arguments of [`add`](super::add) hold a name that could be read as several.
fn is_unclear(asked: &Value) -> bool {
    let Value::Object(lists) = asked else { return false };
    ["tool_names", "tool_name"].iter().any(|key| {
        let mut names = list(lists, key).unwrap_or_default().iter().filter_map(Value::as_str);
        names.any(|name| name.bytes().any(|b| matches!(b, b',' | b'\n')))
    })
}

fn list<'o>(object: &'o Object, key: &str) -> Option<&'o [Value]> {
    if let Some(Value::Array(list)) = object.get(key) { Some(list) } else { None }
}
