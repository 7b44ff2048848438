//! Determines which effects a request asks for: to read, to write or to destroy.

use std::sync::OnceLock;

use crate::map::Map;

use super::effect::Effect;
use super::verbs::{DESTROYING_IMPERATIVES, DESTROYS, IMPERATIVES, IRREGULAR, READS, WRITES, WRITES_OR_NOUNS};

/// Words before an imperative: *I want to post*, *please post*.
const BEFORE_IMPERATIVES: &[&str] = &[
    "and", "can", "could", "i", "lets", "must", "not", "or", "please", "should", "then", "to", "us", "we", "will",
    "would", "you",
];
/// Question words: such a question asks to read.
const QUESTION_WORDS: &[&str] = &["how", "what", "when", "where", "which", "who", "whose", "why"];
/// Verbs that begin a question.
const QUESTION_VERBS: &[&str] = &["are", "did", "does", "has", "have", "is", "was", "were"];

/// The effects that a request asks for; all false if it has no known verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestedEffects {
    pub reads: bool,
    pub writes: bool,
    pub destroys: bool,
}

impl RequestedEffects {
    /// Adds a word in lower case, with the word before it in the same clause.
    pub fn add(&mut self, word: &str, before: Option<&str>) {
        let is_imperative = || before.is_none_or(|before| BEFORE_IMPERATIVES.contains(&before));
        match requested_by(word, is_imperative) {
            Effect::Read => self.reads = true,
            Effect::Write => self.writes = true,
            Effect::Destroy => self.destroys = true,
            Effect::Unknown => {
                let is_question = before.is_none() && QUESTION_VERBS.contains(&word);
                self.reads |= is_question || QUESTION_WORDS.contains(&word);
            }
        }
    }

    /// Returns true if a tool has another effect than the request asks for. A request without verbs contradicts no
    /// tool, and a tool of unknown effect is never contradicted.
    pub fn contradicts(self, effect: Effect) -> bool {
        let RequestedEffects { reads, writes, destroys } = self;
        match effect {
            Effect::Unknown => false,
            Effect::Read => !reads && (writes || destroys),
            // *Drop someone a line* asks to write.
            Effect::Write => reads && !writes && !destroys,
            Effect::Destroy => !destroys && (reads || writes),
        }
    }
}

/// Returns true if a word of a request is a verb in any position.
pub(crate) fn is_verb(word: &str) -> bool {
    requested_by(word, || false) != Effect::Unknown
}

/// Returns the effect that a word of a request asks for. *Post* is an imperative in *post a message*, but not in *the
/// last post*.
fn requested_by(word: &str, is_imperative: impl FnOnce() -> bool) -> Effect {
    static FORMS: OnceLock<Map<String, Requested>> = OnceLock::new();
    // Most words are not verbs.
    let Some(requested) = FORMS.get_or_init(forms).get(word) else { return Effect::Unknown };
    if is_imperative() { requested.as_imperative } else { requested.inside }
}

/// The effects that a form of a verb asks for.
#[derive(Clone, Copy, Default)]
struct Requested {
    /// Inside a sentence.
    inside: Effect,
    as_imperative: Effect,
}

/// Returns every form of every verb of the tables.
fn forms() -> Map<String, Requested> {
    let mut forms: Map<String, Requested> = Map::default();
    // If a word is in several tables, the last table counts.
    let tables = [
        (READS, Effect::Read, true),
        (IMPERATIVES, Effect::Write, false),
        (WRITES_OR_NOUNS, Effect::Write, false),
        (WRITES, Effect::Write, true),
        (DESTROYING_IMPERATIVES, Effect::Destroy, false),
        (DESTROYS, Effect::Destroy, true),
    ];
    for (verbs, effect, counts_inside) in tables {
        for form in verbs.iter().flat_map(|verb| forms_of(verb)) {
            let requested = forms.entry(form).or_default();
            requested.as_imperative = effect;
            if counts_inside {
                requested.inside = effect;
            }
        }
    }
    for (form, verb) in IRREGULAR {
        if let Some(of_verb) = forms.get(*verb).copied() {
            forms.insert((*form).to_owned(), of_verb);
        }
    }
    forms
}

/// Returns a verb and its forms in -ed and -ing. The form in -s is left out, since it is more often a noun: *orders*,
/// *updates*.
pub(super) fn forms_of(verb: &str) -> Vec<String> {
    let mut forms: Vec<String> = ["", "d", "ed", "ing"].iter().map(|ending| format!("{verb}{ending}")).collect();
    if let Some(last) = verb.chars().next_back() {
        forms.extend(["ed", "ing"].map(|ending| format!("{verb}{last}{ending}")));
    }
    forms.extend(verb.strip_suffix('e').map(|stem| format!("{stem}ing")));
    forms.extend(verb.strip_suffix('y').map(|stem| format!("{stem}ied")));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_ask_in_any_form_of_a_verb() {
        for (word, effect) in [
            ("delete", Effect::Destroy),
            ("dropping", Effect::Destroy),
            ("removed", Effect::Destroy),
            ("creating", Effect::Write),
            ("modified", Effect::Write),
            ("sent", Effect::Write),
            ("updates", Effect::Unknown),
            ("orders", Effect::Unknown),
            ("adder", Effect::Unknown),
            ("count", Effect::Read),
            ("many", Effect::Unknown),
        ] {
            assert_eq!(requested_by(word, || false), effect, "{word}");
        }
        assert_eq!(requested_by("post", || false), Effect::Unknown);
        assert_eq!(requested_by("post", || true), Effect::Write);
        assert_eq!(requested_by("clean", || true), Effect::Destroy);
    }
}
