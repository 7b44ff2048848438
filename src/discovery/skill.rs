//! Loads skills: their texts become part of the answer, and the tools that they name are loaded. Also reads their
//! files.

use std::sync::Arc;

use crate::catalog::{Effect, Skill, Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::{self, Object};
use crate::limits;
use crate::markers::WORK_BY_IT;
use crate::search::NameIndex;
use crate::session::ToolState;
use crate::text::short_list;

use super::arguments::loose_text;
use super::context::Context;
use super::definitions::READ_SKILL;
use super::next_step::did_you_mean;
use super::outcome::{Answered, Facts};
use super::read_on::cut_skill;
use super::surface::{Action, Reveal};

/// The tools of a skill may take this many times the budget of one search, because its author has chosen them.
const BUDGETS: usize = 8;

/// The skills that were loaded for an answer.
#[derive(Default)]
pub(super) struct Loaded<'c> {
    /// Each skill with its note: its tools, and what is missing.
    pub skills: Vec<(&'c Arc<Tool>, String)>,
    /// The tools that the skills name and the session may see, each once.
    pub tools: Vec<&'c Arc<Tool>>,
    /// The names of the tools that were loaded now.
    pub revealed: Vec<Arc<str>>,
    /// The skills that do not fit into this answer or into the session, each with the reason.
    pub refused: Vec<(Arc<str>, String)>,
    texts: Vec<String>,
}

impl Loaded<'_> {
    /// Returns the end of the answer: the texts of the skills and the next steps.
    pub(super) fn text(&self) -> String {
        if self.texts.is_empty() {
            return String::new();
        }
        format!("\n\n{}", self.texts.join("\n\n"))
    }

    pub(super) fn names(&self) -> Vec<Arc<str>> {
        self.skills.iter().map(|(skill, _)| skill.model_name.clone()).collect()
    }

    /// Makes an answer with the texts of the skills.
    pub(super) fn answer(&self) -> Answered {
        Answered { skills_found: self.names(), skills_loaded: self.names(), ..Answered::default() }
    }
}

/// Loads skills, as many as one answer has room for. Their tools are loaded as far as the scope, the limits of the
/// session and a budget allow.
pub(super) fn load<'c>(context: &mut Context<'c>, skills: &[&'c Arc<Tool>]) -> Loaded<'c> {
    let mut loaded = Loaded::default();
    let index = context.names();
    let mut left = limits::SKILL_CHARS;
    for skill in skills {
        let Some(content) = skill.skill() else { continue };
        let block = Some(content.text()).filter(|text| !text.is_empty()).map(|text| skill.skill_block(None, text));
        let chars = block.as_ref().map_or(0, |block| block.to_string().chars().count());
        if chars > left && !loaded.texts.is_empty() {
            loaded
                .refused
                .push((skill.model_name.clone(), "its text is too long for this answer: load it alone".into()));
            continue;
        }
        if let Err(error) = context.reveal(skill) {
            loaded.refused.push((skill.model_name.clone(), error.message().to_owned()));
            continue;
        }
        left = left.saturating_sub(chars);
        let note = reveal_tools(context, &index, skill, content, &mut loaded);
        loaded.skills.push((skill, note));
        let text = block.map(|block| cut_skill(&block, context.session, context.cut_answers) + "\n");
        loaded.texts.push(text.unwrap_or_default() + &next_step(context, skill, content));
    }
    loaded
}

/// Loads the tools of a skill that was found before the first request; the prompt has the beginning of its text.
/// Returns the names of the tools and the skill that were not loaded before.
pub(super) fn load_ahead<'c>(context: &mut Context<'c>, skill: Option<&'c Arc<Tool>>) -> Vec<Arc<str>> {
    let loads = context.settings.reveal == Reveal::OnSearch;
    let skill = skill.filter(|skill| loads && context.state(skill) == ToolState::Deferred);
    let Some(skill) = skill else { return Vec::new() };
    let Some(content) = skill.skill().filter(|_| context.reveal(skill).is_ok()) else { return Vec::new() };
    context.session.note_ahead(&skill.key);
    let mut loaded = Loaded::default();
    let index = context.names();
    reveal_tools(context, &index, skill, content, &mut loaded);
    loaded.revealed.insert(0, skill.model_name.clone());
    loaded.revealed
}

/// Writes the next step after the text of a skill.
fn next_step(context: &Context<'_>, skill: &Tool, content: &Skill) -> String {
    let name = READ_SKILL.definition.name;
    let reads = |path: &str| format!("{name}({{\"skill\":{}{path}}})", json::quoted(&skill.model_name));
    match (content.is_readable() && context.reads_skills(), content.text().is_empty()) {
        (true, true) => format!("Read {} before you act: {}.", skill.model_name, reads("")),
        (true, false) => format!("{WORK_BY_IT} A file that it names: {}.", reads(",\"path\":\"...\"")),
        (false, _) => WORK_BY_IT.to_owned(),
    }
}

/// Loads the tools that a skill names, and writes a note about them. A server's skill loads no tool that may destroy,
/// except tools of its own server: the model has to ask for such a tool by name.
fn reveal_tools<'c>(
    context: &mut Context<'c>,
    index: &NameIndex<'c>,
    skill: &Tool,
    content: &Skill,
    loaded: &mut Loaded<'c>,
) -> String {
    let mut budget = context.settings.budget.tokens.saturating_mul(BUDGETS);
    let [mut there, mut risky, mut left_out, mut missing]: [Vec<&str>; 4] = Default::default();
    let is_own = |tool: &Tool| skill.server().is_none() || tool.server() == skill.server();
    for name in content.tools() {
        let Some(tool) = tool_of(context, index, skill, name) else {
            missing.push(name);
            continue;
        };
        if loaded.tools.iter().any(|other| other.key == tool.key) {
            there.push(&tool.model_name);
            continue;
        }
        let is_deferred = context.state(tool) == ToolState::Deferred;
        if is_deferred && tool.effect == Effect::Destroy && !is_own(tool) {
            risky.push(&tool.model_name);
            continue;
        }
        if is_deferred && context.settings.reveal != Reveal::Never {
            let fits = budget.checked_sub(tool.tokens());
            if fits.is_none() || context.reveal(tool).is_err() {
                left_out.push(&tool.model_name);
                continue;
            }
            budget = fits.unwrap_or(0);
            loaded.revealed.push(tool.model_name.clone());
        }
        context.session.touch(&tool.key);
        loaded.tools.push(tool);
        there.push(&tool.model_name);
    }
    let add = context.settings.name_of(Action::Add);
    let way = add.map_or("search for the exact name".to_owned(), |add| format!("load with {add}"));
    let parts = [
        ("its tools", there),
        (&*format!("may destroy, so {way} if the user wants that"), risky),
        ("not loaded, for lack of room", left_out),
        ("not here", missing),
    ];
    let parts = parts.iter().filter(|(_, names)| !names.is_empty());
    let parts: Vec<String> = parts.map(|(what, names)| format!("{what}: {}", short_list(&names.join(", ")))).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// Returns the tool that a skill means by a name: a tool of its own server, or else the only tool that the name may
/// mean. Some clients write brackets after a name, which are ignored.
fn tool_of<'c>(context: &Context<'c>, index: &NameIndex<'c>, skill: &Tool, name: &str) -> Option<&'c Arc<Tool>> {
    let name = name.split('(').next().unwrap_or_default().trim();
    let of_server = skill.server().map(|server| ToolKey::new(server, name));
    let of_server = of_server.and_then(|key| context.catalog.by_key_for(context.session.owner(), &key));
    of_server.filter(|tool| context.sees(tool)).or_else(|| context.only(index, name, false))
}

/// Answers a call of a skill as if it were a tool: the skill is loaded.
pub(super) fn answer<'c>(context: &mut Context<'c>, skill: &'c Arc<Tool>) -> Facts {
    let loaded = load(context, &[skill]);
    if let [(name, reason), ..] = &loaded.refused[..] {
        return Facts::refused(Error::new(ErrorCode::RevealedFull, format!("{name}: {reason}")));
    }
    let notes: String =
        loaded.skills.iter().map(|(skill, note)| format!("{} is a skill{note}.", skill.model_name)).collect();
    let found = loaded.tools.iter().map(|tool| tool.model_name.clone()).collect();
    let (content, answer) = (notes + &loaded.text(), loaded.answer());
    Facts::Answered(Answered { content, revealed: loaded.revealed, found, ..answer })
}

/// Reads a file of a skill, or its text if no path is given.
///
/// # Errors
/// `name_required`, `tool_unknown`, `skill_path_invalid`.
pub(super) fn read<'c>(context: &mut Context<'c>, arguments: &Object) -> Result<Facts> {
    let name = loose_text(arguments.get("skill"));
    if name.is_empty() {
        return Err(Error::new(ErrorCode::NameRequired, "skill is required: the exact name of a skill"));
    }
    let unknown = || {
        let message = format!("There is no skill named {}.{}", excerpt(&name), did_you_mean(context, &name));
        Error::new(ErrorCode::ToolUnknown, message)
    };
    let skill = context.only(&context.names(), &name, true).ok_or_else(unknown)?;
    let content = skill.skill().ok_or_else(unknown)?;
    let path = normalized(&loose_text(arguments.get("path")))?;
    if path.is_none() && !content.text().is_empty() {
        return Ok(answer(context, skill));
    }
    if !content.is_readable() {
        let message = format!("The skill {} has no files: its text is all of it.", skill.model_name);
        return Err(Error::new(ErrorCode::SkillPathInvalid, message));
    }
    if path.is_none() {
        context.reveal(skill)?;
    }
    Ok(Facts::ReadsSkill(skill.clone(), path))
}

/// Returns a path within the folder of a skill, with `/` between its parts; `None` for the folder itself.
///
/// # Errors
/// `skill_path_invalid` if the path leads out of the folder, or could do so on some machine.
fn normalized(path: &str) -> Result<Option<String>> {
    let separators = ['/', '\\'];
    let parts: Vec<&str> = path.split(separators).filter(|part| !matches!(*part, "" | ".")).collect();
    let leads_out = path.starts_with(separators) || parts.contains(&"..") || path.contains(':');
    if leads_out || path.contains(char::is_control) || path.chars().count() > limits::SKILL_PATH_CHARS {
        let message = format!(
            "path is {}; it must be a file within the skill's folder, such as references/api.md: without .., a leading / or :, and \
             of at most {} characters",
            excerpt(path),
            limits::SKILL_PATH_CHARS
        );
        return Err(Error::new(ErrorCode::SkillPathInvalid, message));
    }
    Ok((!parts.is_empty()).then(|| parts.join("/")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_within_the_folder() {
        for (path, expected) in [
            ("references/api.md", Some("references/api.md")),
            ("./a//b/.\\c.md", Some("a/b/c.md")),
            ("..a/b..", Some("..a/b..")),
            ("", None),
            ("./", None),
        ] {
            assert_eq!(normalized(path).unwrap().as_deref(), expected, "{path}");
        }
        let long = "a".repeat(limits::SKILL_PATH_CHARS + 1);
        for path in
            ["..", "a/../../b", "a\\..\\b", "/etc/passwd", "\\\\host\\a", "C:\\a", "a\0b", "skill://a/b", "a:b", &long]
        {
            assert_eq!(normalized(path).unwrap_err().code(), ErrorCode::SkillPathInvalid, "{path}");
        }
    }
}
