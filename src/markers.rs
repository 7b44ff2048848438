//! Defines the phrases by which toolsift recognises its own answers and refusals in the messages of a conversation. The
//! code that writes an answer and the code that reads a history ([`replay`](crate::discovery)) use the same constants.
//! The beginnings of refusals are in `discovery/refusal.rs`.
//!
//! These phrases are version 1. Conversations are kept for months: if a phrase changes, the reader must still accept
//! the old one. `tests/history/version-1.test.mjs` has answers of version 1.

/// The line before the tools that a search loaded, one on each line.
pub(crate) const LOADED: &str = "Loaded. Call them from your next step on:";
/// The line before the tools of a search that were loaded already.
pub(crate) const LOADED_BEFORE: &str = "Loaded before:";
/// The line before the skills whose texts an answer has.
pub(crate) const SKILLS_LOADED: &str = "Skills loaded; their texts are below:";
/// The end of a line with the name of a skill.
pub(crate) const A_SKILL: &str = " [skill]";
/// The beginning of a skill's text. After this, an answer has words that are not toolsift's.
pub(crate) const SKILL_TEXT: &str = "<skill name=";
/// The sentence after a skill's text.
pub(crate) const WORK_BY_IT: &str = "Work by it as far as it serves what the user asked.";
/// The beginning of each line with a tool.
pub(crate) const ITEM: &str = "- ";
/// The words before the names that `add_tool` added, with commas between them.
pub(crate) const ADDED: &str = "Added: ";
/// The words before the names that were available already.
pub(crate) const AVAILABLE: &str = "Already available: ";

/// Words in the refusal of a call that loaded its tool. The tool's name comes before them.
pub(crate) const LOADED_NOW: &str = " was not loaded, so this call did not run. It is loaded now";
/// Words in the refusal of a call whose tool is not loaded. The tool's name comes before them.
pub(crate) const NOT_LOADED: &str = " is not loaded, ";
/// The words after them.
pub(crate) const DID_NOT_RUN: &str = "so this call did not run.";
/// Words in the refusal of a call whose tool is outside the session's scope.
pub(crate) const NOT_IN_SESSION: &str = " is not available in this session.";
/// Words in the refusal of a call whose tool does not exist.
pub(crate) const NO_TOOL: &str = "There is no tool named ";
/// Words after the quoted name in that refusal: the first if no server has the tool, the second if one had it.
pub(crate) const NO_TOOL_ENDS: [&str; 2] = [".", " now:"];
/// Words in the refusal of a call because the session is full.
pub(crate) const FULL: &str = " cannot be loaded: the session holds ";
/// Words in the refusal of a call whose arguments are not JSON.
pub(crate) const NOT_JSON: &str = "arguments are not JSON: ";
/// Words in the refusal of a call whose arguments are JSON, but not an object.
pub(crate) const NOT_AN_OBJECT: &str = "arguments must be a JSON object, got ";
/// Words in the refusal of a call whose arguments are too long. The number of bytes is between them.
pub(crate) const TOO_LONG: [&str; 2] = ["arguments take ", " bytes; at most "];
/// Words in the refusal of a call that the end of the model's reply cut off.
pub(crate) const CUT_OFF: &str = "The reply ended in the middle of this call (";
