//! Defines the parts that only a skill has: instructions for the model, and the tools that the instructions name.

use std::sync::Arc;
use std::{fmt, iter};

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, Fields};
use crate::limits;
use crate::markers::SKILL_TEXT;
use crate::text::{beginning, behind, one_line};

use super::import::{string, wrong_type};
use super::tool::Tool;

/// A named set of instructions for the model. The model finds it as it finds a tool, and reads it instead of calling
/// it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Skill {
    pub(super) text: Arc<str>,
    pub(super) tools: Box<[Box<str>]>,
    pub(super) is_readable: bool,
}

impl Skill {
    /// Reads the skill in a definition; `None` if the definition is of a tool.
    ///
    /// # Errors
    /// `skill_invalid`, `skill_too_large`; `option_invalid` for a field of the wrong type.
    pub(super) fn read(definition: &Fields<'_>) -> Result<Option<Skill>> {
        if definition.get("kind") != Some("\"skill\"") {
            return Ok(None);
        }
        let is_readable = definition.get("readable") == Some("true");
        let too_large = |what: &str, size: usize, most: usize| {
            Error::new(ErrorCode::SkillTooLarge, format!("a skill {what}: {size}; at most {most}"))
        };
        let text = string("text", definition.get("text"), usize::MAX)?.unwrap_or_default();
        if text.trim().is_empty() && !is_readable {
            let message = "a skill needs a text, or what reads it (readable)";
            return Err(Error::new(ErrorCode::SkillInvalid, message));
        }
        if text.len() > limits::SKILL_BYTES {
            return Err(too_large("has a text of too many bytes", text.len(), limits::SKILL_BYTES));
        }
        let tools = definition.get("tools").filter(|raw| *raw != "null").unwrap_or("[]");
        let tools = json::items(tools).map_err(|_| wrong_type("tools", "a list of names of tools", tools))?;
        if tools.len() > limits::SKILL_TOOLS {
            return Err(too_large("names too many tools", tools.len(), limits::SKILL_TOOLS));
        }
        let name = |raw| string("tools", Some(raw), 12 * limits::ANY_NAME_CHARS).map(Option::unwrap_or_default);
        let tools = tools.into_iter().map(|raw| Ok(name(raw)?.into_boxed_str())).collect::<Result<_>>()?;
        Ok(Some(Skill { text: text.into(), tools, is_readable }))
    }

    /// Returns the instructions; empty if only the host can read them.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the names of the tools that it uses, as its author wrote them.
    pub fn tools(&self) -> &[Box<str>] {
        &self.tools
    }

    /// Returns true if the host can read files of it.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Returns the texts that are kept of it.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        iter::once(&*self.text).chain(self.tools.iter().map(|name| &**name))
    }

    /// Returns the headings that are indexed: lines that begin with `#`, outside of code blocks.
    pub(crate) fn headings(&self) -> impl Iterator<Item = &str> {
        let mut opened = "";
        let mut left = limits::SKILL_HEADINGS_BYTES;
        self.text.lines().map(str::trim_start).filter_map(move |line| {
            let mark = if line.starts_with('~') { '~' } else { '`' };
            let rest = line.trim_start_matches(mark);
            let fence = &line[..line.len() - rest.len()];
            // Inline code does not begin a block.
            let opens = fence.len() >= 3 && !(mark == '`' && rest.contains('`'));
            if opened.is_empty() && opens {
                opened = fence;
            } else if fence.starts_with(opened) && rest.trim().is_empty() {
                opened = "";
            }
            let heading = line.strip_prefix('#').filter(|_| opened.is_empty())?;
            let heading = beginning(heading.trim_matches(['#', ' ']), left);
            left -= heading.len();
            Some(heading)
        })
    }
}

impl Tool {
    /// Wraps the text of a skill, or of one of its files, for the model.
    pub(crate) fn skill_block(&self, path: Option<&str>, text: &str) -> SkillBlock {
        let attribute = |value: &str| one_line(value).replace(['"', '<', '>'], "_");
        let from = self.server().map_or("user".to_owned(), |server| format!("server {}", attribute(server)));
        let path = path.map(|path| format!(" path=\"{}\"", attribute(path))).unwrap_or_default();
        let tag = format!("{SKILL_TEXT}\"{}\"{path} from=\"{from}\">", attribute(&self.model_name));
        let mut written = String::new();
        for (at, piece) in text.trim().split('<').enumerate() {
            if at > 0 {
                let tag = piece.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
                written.push_str(if behind("skill", tag).is_some() { "&lt;" } else { "<" });
            }
            written.push_str(piece);
        }
        SkillBlock { tag, text: written }
    }
}

/// The text of a skill for the model, in an element that names its origin.
pub(crate) struct SkillBlock {
    /// The opening tag of the element.
    pub tag: String,
    /// The text, escaped so that it cannot end the element.
    pub text: String,
}

impl SkillBlock {
    /// Wraps a text, or a part of one, in the element with this opening tag.
    pub(crate) fn within(tag: &str, text: &str) -> String {
        format!("{tag}\n{text}\n</skill>")
    }
}

impl fmt::Display for SkillBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&SkillBlock::within(&self.tag, &self.text))
    }
}
