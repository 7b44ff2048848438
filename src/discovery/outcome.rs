//! The outcome of a call: typed facts inside the core, and the texts for the model that are written from them. No code
//! reads such a text.

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::{Hints, Owner, Tool, no_hints};
use crate::error::{Error, ErrorCode};
use crate::json::{self, JsonText};

use super::arguments::Arguments;

/// What a call comes to, for the host.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome {
    /// A discovery tool ran.
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    Result {
        /// What the model is to read.
        content: String,
        /// Whether the call was wrong.
        is_error: bool,
        /// What was wrong with it.
        error_code: Option<ErrorCode>,
        /// The tools that it revealed.
        revealed: Vec<Arc<str>>,
    },
    /// A real tool is to be run.
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    Dispatch {
        /// The name under which the host registered it.
        name: Arc<str>,
        /// The server that it was registered with.
        server: Option<Arc<str>>,
        /// The session, by its id, where the tool is one of the session's own.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<Arc<str>>,
        /// The name that the model used.
        model_name: Arc<str>,
        /// The arguments as the model wrote them.
        arguments: JsonText,
        /// What its server says of its effect: MCP's hints as a number, whose digits of base 3 stand for `readOnlyHint`,
        /// `destructiveHint`, `idempotentHint` and `openWorldHint`, the first one lowest; 0 is a missing hint, 1 false, 2 true.
        /// [`Tool::effect`] says what follows from them.
        #[serde(skip_serializing_if = "no_hints")]
        hints: Hints,
    },
    /// Nothing is to be run.
    Refused {
        /// Why not.
        error: Refusal,
    },
}

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The kind of reason.
    pub code: ErrorCode,
    /// The reason and the way out, for the model.
    pub message: String,
}

/// What a call came to, as facts.
pub(super) enum Facts {
    /// A discovery tool answered.
    Answered(Answered),
    /// The call of a discovery tool was wrong.
    Misused(Error),
    /// A real tool is to be run.
    Dispatched(Arc<Tool>, Arguments),
    /// Nothing is to be run.
    Refused(Refused),
}

/// The answer of a discovery tool.
#[derive(Default)]
pub(super) struct Answered {
    /// What the model is to read.
    pub content: String,
    /// The tools that the call revealed.
    pub revealed: Vec<Arc<str>>,
    /// The names that the call gave, where all that it gave are of no tool.
    pub not_found: Vec<String>,
}

/// A call that does not run.
pub(super) struct Refused {
    /// The reason and the way out.
    pub error: Error,
    /// Whether the refusal loaded the tool, so that the same call is right the next time.
    pub is_mended: bool,
}

/// Why a call failed: the same for calls that fail for the same reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure<'f> {
    /// The kind of reason.
    pub code: ErrorCode,
    /// The names that it is about.
    pub names: &'f [String],
}

impl Facts {
    /// The answer of a discovery tool that named nothing wrong.
    pub(super) fn answer(content: String, revealed: Vec<Arc<str>>) -> Self {
        Facts::Answered(Answered { content, revealed, not_found: Vec::new() })
    }

    /// A refusal that changes nothing.
    pub(super) fn refused(error: Error) -> Self {
        Facts::Refused(Refused { error, is_mended: false })
    }

    /// Why the call failed, if it failed and would fail again.
    pub(super) fn failure(&self) -> Option<Failure<'_>> {
        match self {
            Facts::Answered(Answered { not_found, .. }) if !not_found.is_empty() => {
                Some(Failure { code: ErrorCode::ToolUnknown, names: not_found })
            }
            Facts::Misused(error) | Facts::Refused(Refused { error, is_mended: false }) => {
                Some(Failure { code: error.code(), names: &[] })
            }
            Facts::Answered(_) | Facts::Dispatched(..) | Facts::Refused(_) => None,
        }
    }

    /// Writes the texts; `advice` is a sentence that ends what the model reads, and `session` is the id of the session.
    pub(super) fn into_outcome(self, advice: &str, session: &str) -> Outcome {
        match self {
            Facts::Answered(Answered { content, revealed, .. }) => {
                Outcome::Result { content: with_advice(content, advice), is_error: false, error_code: None, revealed }
            }
            Facts::Misused(error) => {
                let message = with_advice(error.message().to_owned(), advice);
                Outcome::Result {
                    content: format!("{{\"error\":{}}}", json::quoted(&message)),
                    is_error: true,
                    error_code: Some(error.code()),
                    revealed: Vec::new(),
                }
            }
            Facts::Dispatched(tool, arguments) => Outcome::Dispatch {
                name: tool.key.name.clone(),
                server: tool.key.server.clone(),
                session: (tool.owner != Owner::SHARED).then(|| session.into()),
                model_name: tool.model_name.clone(),
                arguments: arguments.into_raw().into(),
                hints: tool.hints,
            },
            Facts::Refused(Refused { error, .. }) => {
                let message = with_advice(error.message().to_owned(), advice);
                Outcome::Refused { error: Refusal { code: error.code(), message } }
            }
        }
    }
}

/// A text that ends as sentences do, and the advice; without advice the text as it is.
fn with_advice(text: String, advice: &str) -> String {
    match (advice, text.ends_with('.')) {
        ("", _) => text,
        (_, true) => format!("{text} {advice}"),
        (_, false) => format!("{text}. {advice}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_fail_again_is_a_failure() {
        let error = || Error::new(ErrorCode::ToolNotRevealed, "x is not loaded");
        let refused = |is_mended| Facts::Refused(Refused { error: error(), is_mended });
        assert_eq!(refused(false).failure(), Some(Failure { code: ErrorCode::ToolNotRevealed, names: &[] }));
        assert_eq!(refused(true).failure(), None, "the tool is loaded now");
        // A text that looks like a failure is none.
        assert_eq!(Facts::answer("Not found: x".to_owned(), Vec::new()).failure(), None);
        let names = vec!["x".to_owned()];
        let missing = Facts::Answered(Answered { not_found: names.clone(), ..Answered::default() });
        assert_eq!(missing.failure(), Some(Failure { code: ErrorCode::ToolUnknown, names: &names }));
    }

    #[test]
    fn advice_stands_behind_a_whole_sentence() {
        let text = |facts: Facts, advice| match facts.into_outcome(advice, "") {
            Outcome::Result { content, .. } => content,
            Outcome::Refused { error } => error.message,
            Outcome::Dispatch { .. } => String::new(),
        };
        let wrong = |message: &str| Error::new(ErrorCode::QueryRequired, message);
        assert_eq!(text(Facts::Misused(wrong("a \"b\"")), "Stop."), r#"{"error":"a \"b\". Stop."}"#);
        assert_eq!(text(Facts::refused(wrong("a.")), "Stop."), "a. Stop.");
        assert_eq!(text(Facts::refused(wrong("a")), ""), "a");
    }
}
