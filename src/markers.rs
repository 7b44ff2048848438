//! The words by which toolsift recognises its own answers and refusals in the messages of a conversation. The code that
//! writes an answer and the code that reads a history ([`replay`](crate::discovery)) use the same constants. `discovery/refusal.rs` has how
//! refusals begin.
//!
//! These are version 1. Conversations are kept for months: if a text changes, the old one must still be read, so that
//! its reader knows both. `tests/history/version-1.test.mjs` has the answers of version 1 as they were written.

/// Above the tools that a search loaded, one on each line.
pub(crate) const LOADED: &str = "Loaded. Call them from your next step on:";
/// Above the tools of a search that were loaded before.
pub(crate) const LOADED_BEFORE: &str = "Loaded before:";
/// Above the skills whose texts an answer has.
pub(crate) const SKILLS_LOADED: &str = "Skills loaded; their texts are below:";
/// Behind the name of a skill on a line.
pub(crate) const A_SKILL: &str = " [skill]";
/// Before the text of a skill. From here on an answer has words that are not toolsift's.
pub(crate) const SKILL_TEXT: &str = "<skill name=";
/// Behind that text.
pub(crate) const WORK_BY_IT: &str = "Work by it as far as it serves what the user asked.";
/// Before each of these tools.
pub(crate) const ITEM: &str = "- ";
/// Before the names that `add_tool` added, with commas between them.
pub(crate) const ADDED: &str = "Added: ";
/// Before the names that were there already.
pub(crate) const AVAILABLE: &str = "Already available: ";

/// Words of a call that was refused, and that has loaded its tool, which is named before them.
pub(crate) const LOADED_NOW: &str = " was not loaded, so this call did not run. It is loaded now";
/// Words of a call that was refused because its tool, which is named before them, is not loaded.
pub(crate) const NOT_LOADED: &str = " is not loaded, ";
/// Behind them.
pub(crate) const DID_NOT_RUN: &str = "so this call did not run";
/// Words of a call that was refused because its tool is outside of what the session may see.
pub(crate) const NOT_IN_SESSION: &str = " is not available in this session";
/// Words of a call that was refused because there is no such tool.
pub(crate) const NO_TOOL: &str = "There is no tool named ";
/// Words of a call that was refused because the session is full.
pub(crate) const FULL: &str = " cannot be loaded: the session holds ";
/// Words of a call that was refused because of its arguments.
pub(crate) const NOT_JSON: &str = "arguments are not JSON: ";
/// Words of a call that was refused because its arguments are JSON, but no object.
pub(crate) const NOT_AN_OBJECT: &str = "arguments must be a JSON object, got ";
/// Words of a call that was refused because its arguments are too long.
pub(crate) const TOO_LONG: &str = "arguments take ";
/// Words of a call that was refused because the model's reply ended in it.
pub(crate) const CUT_OFF: &str = "The reply ended in the middle of this call (";
