//! What is the model told? How to find tools, what there is to be found, and as much of a deferred tool as is shown.

use crate::catalog::Tool;
use crate::text::first_sentence;

/// What the model sees of a deferred tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disclosure {
    /// Nothing.
    Hidden,
    /// Its name, in the prompt.
    Names,
    /// Its name and the first sentence of its description, in the prompt.
    Sentences,
}

impl Disclosure {
    /// Every value with its text form.
    pub const ALL: &[(&str, Disclosure)] =
        &[("hidden", Disclosure::Hidden), ("names", Disclosure::Names), ("sentences", Disclosure::Sentences)];
}

/// Characters of a first sentence that a listing shows.
const SENTENCE_CHARS: usize = 160;

/// The texts of a prompt section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptText {
    /// What the situation is, and what to do.
    pub opening: &'static str,
    /// The heading of the host's categories.
    pub categories: &'static str,
    /// The steps to follow.
    pub closing: &'static str,
    /// The heading of the deferred tools.
    pub listing: &'static str,
}

impl PromptText {
    /// The section without a listing.
    pub(super) fn section(&self, categories: &[String]) -> String {
        let list: String = categories.iter().map(|category| format!("- {}\n", one_line(category))).collect();
        let categories = if list.is_empty() { String::new() } else { format!("{}\n{list}\n", self.categories) };
        format!("{}\n\n{categories}{}", self.opening, self.closing)
    }

    /// The listing of deferred tools, to stand behind the section; empty where there is nothing to list.
    pub(super) fn listing(&self, disclosure: Disclosure, tools: &[&Tool]) -> String {
        if disclosure == Disclosure::Hidden || tools.is_empty() {
            return String::new();
        }
        let lines: String = tools.iter().map(|tool| line(disclosure, tool)).collect();
        format!("\n\n{}\n{}", self.listing, lines.trim_end())
    }
}

fn line(disclosure: Disclosure, tool: &Tool) -> String {
    let sentence = first_sentence(&tool.description);
    if disclosure == Disclosure::Names || sentence.is_empty() {
        return format!("- {}\n", tool.model_name);
    }
    let mut shown: String = sentence.chars().take(SENTENCE_CHARS).collect();
    if shown.len() < sentence.len() {
        shown.push('…');
    }
    format!("- {}: {shown}\n", tool.model_name)
}

/// A text without line breaks, so that it cannot pretend to be more than one entry of a list.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
