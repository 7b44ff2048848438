//! Defines the result of a call: typed facts inside the core, and the [`Outcome`], whose texts are written from the
//! facts. Only [`replay`](super::Replay) reads these texts, by the phrases in `markers.rs`.

use std::borrow::Borrow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::{Hints, Owner, READ_ONLY, Tool, ToolKey, no_hints};
use crate::error::{Error, ErrorCode};
use crate::json::{self, JsonText};

use super::arguments::Arguments;
use super::definitions::READ_SKILL;

/// The result of a call, for the host.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome {
    /// A discovery tool ran.
    Result(Answered),
    /// A real tool is to be run, or a file of a skill is to be read.
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    Dispatch {
        /// The name under which the host registered it.
        name: Arc<str>,
        /// The server that it was registered with.
        server: Option<Arc<str>>,
        /// The id of the session, if the tool is one of the session's own; for a child, the id of the session that it
        /// descends from.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<Arc<str>>,
        /// The name that the model used.
        model_name: Arc<str>,
        /// The arguments as the model wrote them.
        arguments: JsonText,
        /// The server's hints about the effect: MCP's hints as a number with a base-3 digit each for `readOnlyHint`,
        /// `destructiveHint`, `idempotentHint` and `openWorldHint`, the first one lowest; 0 is a missing hint, 1 is
        /// false, 2 is true. [`Tool::effect`] is the effect derived from them.
        #[serde(skip_serializing_if = "no_hints")]
        hints: Hints,
        /// The skill file that is to be read; then `name` is the name of the discovery tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        skill: Option<SkillFile>,
    },
    /// Nothing is to be run.
    Refused {
        /// The reason.
        error: Refusal,
    },
}

/// The answer of a discovery tool.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Answered {
    /// The text for the model.
    pub content: String,
    /// True if the call was wrong.
    pub is_error: bool,
    /// The kind of the mistake.
    pub error_code: Option<ErrorCode>,
    /// The tools that the call loaded.
    pub revealed: Vec<Arc<str>>,
    /// The tools that the answer shows, in its order, by the names that the model sees.
    pub found: Vec<Arc<str>>,
    /// The tools of `found` whose parameters are in the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub described: Vec<Arc<str>>,
    /// Tools that clearly fit a search, but were not loaded: they change or destroy something, and the query does not
    /// ask for that. The answer says this too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Arc<str>>,
    /// The skills that the answer shows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills_found: Vec<Arc<str>>,
    /// The skills of `skills_found` whose texts are in the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills_loaded: Vec<Arc<str>>,
    /// The names in the call, if all of them are unknown or ambiguous.
    #[serde(skip)]
    pub(super) not_found: Vec<String>,
}

/// A skill file that the host must read. Its answer is [`SessionHandle::skill_text`](crate::SessionHandle::skill_text).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SkillFile {
    /// The name under which the skill was registered.
    pub name: Arc<str>,
    /// The server that it was registered with.
    pub server: Option<Arc<str>>,
    /// The path within its folder, without `.` and `..` and with `/` between its parts; `None` for the text of the
    /// skill itself.
    pub path: Option<String>,
}

/// The refusal of a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The kind of the reason.
    pub code: ErrorCode,
    /// The reason and the next step, for the model.
    pub message: String,
}

/// The result of a call, as facts.
pub(super) enum Facts {
    /// A discovery tool answered.
    Answered(Answered),
    /// The call of a discovery tool was wrong.
    Misused(Error),
    /// A real tool is to be run.
    Dispatched(Arc<Tool>, Arguments),
    /// A file of a skill is to be read, or its text if there is no path.
    ReadsSkill(Arc<Tool>, Option<String>),
    /// Nothing is to be run.
    Refused {
        /// The reason and the next step.
        error: Error,
        /// True if the refusal loaded the tool, so that the same call will succeed.
        is_mended: bool,
    },
}

impl Facts {
    /// Makes the answer of a discovery tool to a correct call, with the tools that it loaded and those that it shows.
    pub(super) fn answer<'t, T: Borrow<Tool> + 't>(
        content: String,
        revealed: Vec<Arc<str>>,
        found: impl IntoIterator<Item = &'t T>,
    ) -> Self {
        let mut answer = Answered { content, revealed, ..Answered::default() };
        for tool in found.into_iter().map(Borrow::borrow) {
            let shown = if tool.key.is_skill { &mut answer.skills_found } else { &mut answer.found };
            shown.push(tool.model_name.clone());
        }
        Facts::Answered(answer)
    }

    /// Notes that the answer has the parameters of all tools that it shows.
    pub(super) fn with_parameters(mut self) -> Self {
        if let Facts::Answered(answer) = &mut self {
            answer.described.clone_from(&answer.found);
        }
        self
    }

    /// Makes a refusal that changes nothing.
    pub(super) fn refused(error: Error) -> Self {
        Facts::Refused { error, is_mended: false }
    }

    /// Returns the reason of a failure that would happen again: the same text for the same reason.
    pub(super) fn failure(&self) -> Option<String> {
        match self {
            Facts::Answered(Answered { not_found, .. }) if !not_found.is_empty() => {
                Some(format!("{} {}", ErrorCode::ToolUnknown.as_str(), not_found.join(" ")))
            }
            Facts::Misused(error) | Facts::Refused { error, is_mended: false } => {
                // A search that is refused for its rate will succeed later.
                (error.code() != ErrorCode::RateLimited).then(|| error.code().as_str().to_owned())
            }
            Facts::Answered(_) | Facts::Dispatched(..) | Facts::ReadsSkill(..) | Facts::Refused { .. } => None,
        }
    }

    /// Writes the texts. `advice` is a sentence at the end of the model's text, and `session` is the id of the session.
    pub(super) fn into_outcome(self, advice: &str, session: &str) -> Outcome {
        match self {
            Facts::Answered(answer) => {
                let content = with_advice(&answer.content, advice);
                Outcome::Result(Answered { content, ..answer })
            }
            Facts::Misused(error) => {
                let content = format!("{{\"error\":{}}}", json::quoted(&with_advice(error.message(), advice)));
                let error_code = Some(error.code());
                Outcome::Result(Answered { content, is_error: true, error_code, ..Answered::default() })
            }
            Facts::Dispatched(tool, arguments) => Outcome::Dispatch {
                name: tool.key.name.clone(),
                server: tool.key.server.clone(),
                session: (tool.owner != Owner::SHARED).then(|| session.into()),
                model_name: tool.model_name.clone(),
                arguments: tool.parameters.restored(arguments.into_raw()).into(),
                hints: tool.hints,
                skill: None,
            },
            Facts::ReadsSkill(tool, path) => {
                let ToolKey { server, name, .. } = tool.key.clone();
                let mut arguments = format!("{{\"skill\":{}", json::quoted(&name));
                if let Some(path) = &path {
                    arguments.push_str(&format!(",\"path\":{}", json::quoted(path)));
                }
                let reads: Arc<str> = READ_SKILL.definition.name.into();
                Outcome::Dispatch {
                    name: reads.clone(),
                    server: None,
                    session: (tool.owner != Owner::SHARED).then(|| session.into()),
                    model_name: reads,
                    arguments: json::raw(&(arguments + "}")).unwrap_or_else(|_| RawValue::NULL.to_owned()).into(),
                    hints: READ_ONLY,
                    skill: Some(SkillFile { name, server, path }),
                }
            }
            Facts::Refused { error, .. } => Outcome::Refused {
                error: Refusal { code: error.code(), message: with_advice(error.message(), advice) },
            },
        }
    }
}

/// Adds the advice to a text, after a full stop; without advice the text is unchanged.
fn with_advice(text: &str, advice: &str) -> String {
    match (advice, text.ends_with('.')) {
        ("", _) => text.to_owned(),
        (_, true) => format!("{text} {advice}"),
        (_, false) => format!("{text}. {advice}"),
    }
}
