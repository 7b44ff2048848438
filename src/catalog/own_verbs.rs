//! The verbs of a tool: what its own name says that it does, and whether a request says the same, in any form. The verb may be
//! any, since no list has all of them.

use crate::json::{self, Fields};
use crate::text::{name_parts, short_sentence, words};

use super::effect::{Effect, of_base_form, without_server};
use super::requested_effects::forms_of;
use super::tool::Tool;
use super::verbs::{IRREGULAR, OTHERS, PARTICLES};

/// Words between a verb and its particle: *roll the release back*.
const APART: usize = 4;
/// Words behind which a description has a verb that it does not begin with: *This endpoint restores*, *Use this to scale*.
const BEFORE_VERBS: &[&str] = &[
    "action",
    "and",
    "api",
    "by",
    "can",
    "command",
    "endpoint",
    "for",
    "function",
    "it",
    "method",
    "operation",
    "or",
    "that",
    "to",
    "tool",
    "which",
    "will",
];
/// What cuts a description as the end of a sentence does: *Notion | Create a comment*.
const CUTS: [char; 5] = ['|', ':', ']', '(', ';'];

/// What parameters are called whose values say what a tool does: of `{"operation": "drain"}`.
const ACTIONS: &[&str] = &["action", "actions", "command", "op", "operation", "operations", "subcommand"];

/// The verbs of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnVerbs {
    verbs: Vec<String>,
    /// Whether nothing tells which part of the name is the verb.
    are_guessed: bool,
}

impl OwnVerbs {
    /// Those that the name has: the first part that is known as a verb, those which *and* or *or* joins to it, and the part that
    /// the description has as a verb. Where there are none, it is the first or the last part that the description does not have.
    pub fn of(tool: &Tool) -> Self {
        let parts = name_parts(without_server(&tool.key.name));
        let server = tool.server().map(name_parts).unwrap_or_default();
        let is_version =
            |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        let own: Vec<&String> = parts.iter().filter(|part| !server.contains(part) && !is_version(part)).collect();
        let is_known = |part: &str| OTHERS.contains(&part) || of_base_form(part) != Effect::Unknown;
        let mut verbs: Vec<&String> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let is_joined = at > 0 && matches!(&*parts[at - 1], "and" | "or");
            if is_known(part) && (verbs.is_empty() || is_joined) {
                verbs.push(part);
            }
        }
        let sentence = short_sentence(&tool.description).to_lowercase();
        let of_name = |word: &str| own.iter().copied().find(|part| is_form_of(word, part));
        // `post_archive` begins with a verb that is a noun here.
        let said = said_as_verbs(&sentence).into_iter().find_map(of_name);
        verbs.extend(said.filter(|part| verbs.is_empty() || is_known(part)));
        let are_guessed = verbs.is_empty();
        if are_guessed {
            let is_said = |part: &&&String| words(&sentence).any(|word| is_form_of(word, part));
            let ends = [own.first(), own.last()];
            verbs.extend(ends.iter().flatten().find(|part| !is_said(part)).or(ends[0].as_ref()).copied());
        }
        // `roll_back` is *rollback* as well.
        let joined = parts.windows(2).filter(|pair| verbs.contains(&&pair[0]) && PARTICLES.contains(&&*pair[1]));
        let joined: Vec<String> = joined.map(|pair| pair.concat()).collect();
        let actions = actions_of(tool);
        OwnVerbs {
            are_guessed: are_guessed && actions.is_empty(),
            verbs: verbs.into_iter().cloned().chain(joined).chain(actions).collect(),
        }
    }

    /// Whether a request, in words in lower case, has one of them in any form. One that reads needs to say what is known to be a verb.
    pub fn stand_in(&self, request: &[String], reads: bool) -> bool {
        !(self.are_guessed && reads) && self.verbs.iter().any(|verb| has(request, verb))
    }
}

/// The verbs of the values that a parameter takes which says what the tool does.
fn actions_of(tool: &Tool) -> Vec<String> {
    let properties =
        Fields::read(tool.parameters.as_str()).ok().and_then(|root| Fields::read(root.get("properties")?).ok());
    let mut verbs = Vec::new();
    for (name, property) in properties.iter().flat_map(|properties| properties.entries()) {
        if ACTIONS.contains(&&*name_parts(name).concat()) {
            let values = Fields::read(property).ok().and_then(|fields| json::items(fields.get("enum")?).ok());
            let values = values.into_iter().flatten().filter_map(|value| json::string(value).ok());
            verbs.extend(values.filter_map(|value| name_parts(&value).into_iter().next()));
        }
    }
    verbs
}

/// The words of a sentence that stand where verbs do.
fn said_as_verbs(sentence: &str) -> Vec<&str> {
    let mut said = Vec::new();
    for part in sentence.split(CUTS) {
        // A single word says what the tool is about: *Comments | Leave a comment*.
        let is_sentence = words(part).nth(1).is_some();
        let mut before: Option<&str> = None;
        for word in words(part).filter(|word| is_sentence && !word.ends_with("ly")) {
            if before.is_none_or(|before| BEFORE_VERBS.contains(&before)) {
                said.push(word);
            }
            before = Some(word);
        }
    }
    said
}

fn has(request: &[String], verb: &str) -> bool {
    if request.iter().any(|word| is_form_of(word, verb)) {
        return true;
    }
    // *Rolled back* is a form of `rollback`.
    PARTICLES.iter().any(|particle| {
        let Some(stem) = verb.strip_suffix(particle).filter(|stem| stem.len() > 1) else { return false };
        let is_followed = |at: usize| request.iter().skip(at + 1).take(APART).any(|word| word == particle);
        request.iter().enumerate().any(|(at, word)| is_form_of(word, stem) && is_followed(at))
    })
}

/// Whether a word is a form of a verb: *scales*, *scaling* and *scaled* of *scale*, *overwritten* of *overwrite*.
fn is_form_of(word: &str, verb: &str) -> bool {
    // All forms but the irregular ones begin with the verb, up to its last letter.
    let begins_alike = verb.char_indices().next_back().is_none_or(|(last, _)| word.starts_with(&verb[..last]));
    let is_of = |form: &String| form == word;
    let third = || [format!("{verb}s"), format!("{verb}es")];
    let is_in_ies = || verb.strip_suffix('y').is_some_and(|stem| word.strip_suffix("ies") == Some(stem));
    let is_irregular = || {
        IRREGULAR.iter().any(|(form, base)| {
            let before = word.strip_suffix(form);
            before.is_some() && before == verb.strip_suffix(base)
        })
    };
    let is_regular = || word == verb || forms_of(verb).iter().any(is_of) || third().iter().any(is_of) || is_in_ies();
    (begins_alike && is_regular()) || is_irregular()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_any_verb_are_known() {
        for (word, verb) in [
            ("scales", "scale"),
            ("scaling", "scale"),
            ("drained", "drain"),
            ("banned", "ban"),
            ("taken", "take"),
            ("overwritten", "overwrite"),
            ("undid", "undo"),
            ("copies", "copy"),
            ("pushes", "push"),
        ] {
            assert!(is_form_of(word, verb), "{word}");
        }
        for (word, verb) in [("deployment", "deploy"), ("scalable", "scale"), ("node", "no"), ("restored", "store")] {
            assert!(!is_form_of(word, verb), "{word}");
        }
        let said = |text: &str| words(text).map(str::to_lowercase).collect::<Vec<_>>();
        assert!(has(&said("the release was rolled back"), "rollback"));
        assert!(has(&said("shut the old server down"), "shutdown"));
        assert!(!has(&said("roll the dice and come back"), "shutdown"));
    }
}
