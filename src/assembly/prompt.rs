//! Writes the prompt section: how to find tools, what can be found, and the listing of deferred tools.

use super::server_list::servers;
use crate::catalog::{Skill, Tool, by_server};
use crate::json;
use crate::limits;
use crate::macros::choices;
use crate::markers::WORK_BY_IT;
use crate::text::{beginning, one_line, short_sentence};

choices! {
    /// The part of a deferred tool that the model sees.
    pub enum Disclosure {
        /// Nothing.
        Hidden = "hidden",
        /// The number of tools of its server, in the prompt.
        Servers = "servers",
        /// Its name, in the prompt.
        Names = "names",
        /// Its name, in the prompt, if all names together take at most 8,000 characters; otherwise the number of tools of
        /// its server.
        Auto = "auto",
        /// Its name and the first sentence of its description, in the prompt.
        Sentences = "sentences",
        /// Its name and the beginning of its description, in the prompt.
        Descriptions = "descriptions",
        /// Its definition in the tool list, with the parameters left out.
        Stubs = "stubs",
        /// Its definition without the parameters, and with the first sentence of its description only.
        ShortStubs = "short-stubs",
        /// Its full definition in the tool list. Search then only recommends tools.
        Full = "full",
    }
}

impl Disclosure {
    /// Returns true if the tool list holds deferred tools.
    pub(super) fn is_in_list(self) -> bool {
        matches!(self, Disclosure::Stubs | Disclosure::ShortStubs | Disclosure::Full)
    }
}

choices! {
    /// When a stub takes the place of a tool's parameters.
    pub enum StubWhen {
        /// If it is smaller.
        Smaller = "smaller",
        /// Always, as the published system does.
        Always = "always",
    }
}

/// The maximum length of the list of names under [`Disclosure::Auto`], in characters: 2,000 tokens.
const NAMES_CHARS: usize = 8_000;
/// The maximum length of a description in a listing, in bytes. A longer one keeps at most 119 bytes, then `…`.
const DESCRIPTION_BYTES: usize = 120;

/// The texts of a prompt section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptText {
    /// The first paragraph: the situation, and what to do.
    pub opening: &'static str,
    /// The heading of the host's categories.
    pub categories: &'static str,
    /// The steps to follow.
    pub closing: &'static str,
    /// The heading of the deferred tools.
    pub listing: &'static str,
    /// The heading of the deferred tools by server; empty if tools are listed by name instead.
    pub by_server: &'static str,
    /// The line after the listing.
    pub listing_end: &'static str,
    /// The text of a stub, and the last line after a skill that was cut. `{name}` is replaced by the tool's name.
    pub stub: &'static str,
}

impl PromptText {
    /// Returns the section of the system prompt, without the listing.
    pub(super) fn section(&self, categories: &[String]) -> String {
        let list: String = categories.iter().map(|category| format!("- {}\n", one_line(category))).collect();
        let categories = if list.is_empty() { String::new() } else { format!("{}\n{list}", self.categories) };
        join(&[self.opening, categories.trim_end(), self.closing])
    }

    /// Returns the listing of deferred tools, or an empty text if there is nothing to list.
    pub(super) fn listing(&self, disclosure: Disclosure, tools: Vec<&Tool>) -> String {
        if tools.is_empty() || disclosure == Disclosure::Hidden || disclosure.is_in_list() {
            return String::new();
        }
        let (heading, lines) = match disclosure {
            Disclosure::Servers => (self.listing, servers(&tools)),
            Disclosure::Auto => match self.named(Disclosure::Names, &tools) {
                (_, names) if names.chars().count() > NAMES_CHARS => (self.listing, servers(&tools)),
                named => named,
            },
            _ => self.named(disclosure, &tools),
        };
        let lines = if self.listing_end.is_empty() { lines.trim_end() } else { &lines };
        format!("{heading}\n{lines}{}", self.listing_end)
    }

    /// Returns a paragraph with the beginning of a skill and the call that loads all of it.
    pub(super) fn skill(&self, tool: &Tool, reads: Option<&str>) -> String {
        let (name, about) = (&tool.model_name, short_sentence(&tool.description));
        let text = tool.skill().map_or("", Skill::text);
        if let Some(reads) = reads.filter(|_| text.is_empty()) {
            let call = format!("{reads}({{\"skill\":{}}})", json::quoted(name));
            return format!("\n\nA skill that fits: {name}: {about}\nRead it before you act: {call}.");
        }
        let cut = text.char_indices().nth(limits::SKILL_AHEAD_CHARS).map(|(at, _)| &text[..at]);
        let (text, next) = match cut {
            None if !text.is_empty() => (text.to_owned(), format!("\n{WORK_BY_IT}")),
            cut => {
                let lines = cut.map(|text| text.rsplit_once('\n').map_or(text, |(lines, _)| lines));
                (format!("{}\n…", lines.unwrap_or_default()), format!("\n{}", self.stub.replace("{name}", name)))
            }
        };
        format!("\n\nA skill that fits: {name}: {about}\n{}{next}", tool.skill_block(None, &text))
    }

    /// Returns a heading and a line for every tool: by server, or ordered by name.
    fn named(&self, disclosure: Disclosure, tools: &[&Tool]) -> (&'static str, String) {
        if self.by_server.is_empty() {
            return (self.listing, in_order(tools).map(|tool| line(disclosure, tool)).collect());
        }
        (self.by_server, grouped(disclosure, tools))
    }
}

/// Groups tools by server: names share one line; with descriptions, each tool has its own line.
fn grouped(disclosure: Disclosure, tools: &[&Tool]) -> String {
    let mut lines = String::new();
    for (server, tools) in by_server(tools.iter().copied()) {
        let heading = format!("- {} ({}):", one_line(&server), tools.len());
        let tools = in_order(&tools);
        if disclosure == Disclosure::Names {
            let names: Vec<&str> = tools.map(|tool| &*tool.model_name).collect();
            lines.push_str(&format!("{heading} {}\n", names.join(", ")));
        } else {
            let tools: String = tools.map(|tool| format!("  {}", line(disclosure, tool))).collect();
            lines.push_str(&format!("{heading}\n{tools}"));
        }
    }
    lines
}

/// Sorts tools by name.
fn in_order<'t>(tools: &[&'t Tool]) -> impl Iterator<Item = &'t Tool> {
    let mut sorted = tools.to_vec();
    sorted.sort_by(|a, b| a.model_name.cmp(&b.model_name));
    sorted.into_iter()
}

/// Joins paragraphs with a blank line between them.
fn join(paragraphs: &[&str]) -> String {
    let paragraphs: Vec<&str> = paragraphs.iter().copied().filter(|text| !text.is_empty()).collect();
    paragraphs.join("\n\n")
}

fn line(disclosure: Disclosure, tool: &Tool) -> String {
    let name = &tool.model_name;
    match disclosure {
        Disclosure::Descriptions => format!("- {name}: {}\n", cut(&one_line(&tool.description))),
        Disclosure::Sentences if !tool.description.is_empty() => {
            format!("- {name}: {}\n", short_sentence(&tool.description))
        }
        _ => format!("- {name}\n"),
    }
}

/// Returns a description, cut between characters if it is longer than [`DESCRIPTION_BYTES`].
fn cut(description: &str) -> String {
    if description.len() <= DESCRIPTION_BYTES {
        return description.to_owned();
    }
    format!("{}…", beginning(description, DESCRIPTION_BYTES - 1))
}
