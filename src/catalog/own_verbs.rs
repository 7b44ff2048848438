//! The verbs of a tool: what its own name says that it does, and whether a request says the same, in any form. The verb may be
//! any, since no list has all of them.

use crate::text::name_parts;

use super::effect::{Effect, of_base_form, without_server};
use super::requested_effects::forms_of;
use super::tool::Tool;
use super::verbs::{IRREGULAR, OTHERS, PARTICLES};

/// Words between a verb and its particle: *roll the release back*.
const APART: usize = 4;
/// The verbs of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnVerbs {
    verbs: Vec<String>,
    /// Whether nothing tells which part of the name is the verb.
    are_guessed: bool,
}

impl OwnVerbs {
    /// Those that the name has: the first part that is known as a verb, and those which *and* or *or* joins to it. Where there are
    /// none, it is the first part.
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
        let are_guessed = verbs.is_empty();
        if are_guessed {
            verbs.extend(own.first().copied());
        }
        // `roll_back` is *rollback* as well.
        let joined = parts.windows(2).filter(|pair| verbs.contains(&&pair[0]) && PARTICLES.contains(&&*pair[1]));
        let joined: Vec<String> = joined.map(|pair| pair.concat()).collect();
        OwnVerbs { are_guessed, verbs: verbs.into_iter().cloned().chain(joined).collect() }
    }

    /// Whether a request, in words in lower case, has one of them in any form. One that reads needs to say what is known to be a verb.
    pub fn stand_in(&self, request: &[String], reads: bool) -> bool {
        !(self.are_guessed && reads) && self.verbs.iter().any(|verb| has(request, verb))
    }
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
    use crate::text::words;

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
