//! Reads what effects a request asks for: to read, to write or to destroy.

use super::effect::Effect;

/// Words before an imperative: *I want to post*, *please post*.
const BEFORE_IMPERATIVES: &[&str] = &[
    "and", "can", "could", "i", "lets", "must", "not", "or", "please", "should", "then", "to", "us", "we", "will",
    "would", "you",
];
/// Words of a question for something that is there.
const QUESTION_WORDS: &[&str] = &["how", "what", "when", "where", "which", "who", "whose", "why"];
/// Verbs that begin such a question.
const QUESTION_VERBS: &[&str] = &["are", "did", "does", "has", "have", "is", "was", "were"];

/// The effects that a request asks for; none where it names no verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub reads: bool,
    pub writes: bool,
    pub destroys: bool,
}

impl Asked {
    /// Takes in a word in lower case, with the word before it in the same clause.
    pub fn hear(&mut self, word: &str, before: Option<&str>) {
        let is_imperative = before.is_none_or(|before| BEFORE_IMPERATIVES.contains(&before));
        match Effect::asked_by(word, is_imperative) {
            Effect::Read => self.reads = true,
            Effect::Write => self.writes = true,
            Effect::Destroy => self.destroys = true,
            Effect::Unknown => {
                let is_question = before.is_none() && QUESTION_VERBS.contains(&word);
                self.reads |= is_question || QUESTION_WORDS.contains(&word);
            }
        }
    }

    /// Whether a tool does something else than what is asked for. Nothing is known of a request without verbs, and of a tool
    /// that does not say what it does.
    pub fn contradicts(self, effect: Effect) -> bool {
        let Asked { reads, writes, destroys } = self;
        match effect {
            Effect::Unknown => false,
            Effect::Read => !reads && (writes || destroys),
            // *Drop someone a line* asks to write.
            Effect::Write => reads && !writes && !destroys,
            Effect::Destroy => !destroys && (reads || writes),
        }
    }
}
