//! Finds the verbs in a tool's own name, and checks whether a request has one of them in any form. Any word may be such
//! a verb, since no list of verbs is complete.

use serde_json::Value;

use crate::text::name_parts;

use super::effect::{Effect, of_base_form, without_server};
use super::requested_effects::forms_of;
use super::tool::Tool;
use super::verbs::{IRREGULAR, OTHERS, PARTICLES};

/// The maximum number of words up to a particle after its verb, as in *roll the release back*.
const APART: usize = 4;
/// The parameters whose values are verbs, as in `{"operation": "drain"}`.
const ACTIONS: [&str; 2] = ["action", "operation"];

/// The verbs in the name of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnVerbs {
    verbs: Vec<Verb>,
    /// True if no part of the name is known as a verb.
    are_guessed: bool,
}

/// A verb in all its forms.
#[derive(Clone, Debug)]
struct Verb {
    /// All forms: *scale*, *scales*, *scaling* and *scaled*; for *overwrite* also *overwritten*.
    forms: Vec<String>,
    /// If it ends in a particle: the forms of the rest, and the particle. So *rolled back* is a form of `rollback`.
    apart: Option<(Vec<String>, &'static str)>,
}

impl OwnVerbs {
    /// Finds the verbs in a tool's name: the first part that is known as a verb, and verbs that *and* or *or* joins to
    /// it. If there is none, the first part counts as the verb, unless the tool destroys and its name has several parts:
    /// the first may be a noun. Values of a parameter for the action are verbs too.
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
        let actions = actions_of(tool);
        let are_guessed = verbs.is_empty() && actions.is_empty();
        if verbs.is_empty() {
            verbs.extend(own.first().filter(|_| tool.effect != Effect::Destroy || own.len() == 1).copied());
        }
        // `roll_back` also means *rollback*.
        let joined = parts.windows(2).filter(|pair| verbs.contains(&&pair[0]) && PARTICLES.contains(&&*pair[1]));
        let joined: Vec<String> = joined.map(|pair| pair.concat()).collect();
        let verbs = verbs.into_iter().chain(joined.iter().chain(&actions)).map(|verb| Verb::of(verb)).collect();
        OwnVerbs { are_guessed, verbs }
    }

    /// Returns true if a request, given as words in lower case, has one of the verbs in any form. A request that reads
    /// never matches a guessed verb.
    pub fn stand_in(&self, request: &[String], reads: bool) -> bool {
        !(self.are_guessed && reads) && self.verbs.iter().any(|verb| verb.stands_in(request))
    }
}

/// Returns the first word of each value of the parameters that say what a tool does.
fn actions_of(tool: &Tool) -> Vec<String> {
    let schema: Value = serde_json::from_str(tool.parameters.as_str()).unwrap_or_default();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let actions = properties.filter(|(name, _)| ACTIONS.contains(&&*name_parts(name).concat()));
    let values = actions.filter_map(|(_, property)| property["enum"].as_array()).flatten();
    values.filter_map(|value| name_parts(value.as_str()?).into_iter().next()).collect()
}

impl Verb {
    fn of(verb: &str) -> Self {
        let without = |particle: &&'static str| {
            let stem = verb.strip_suffix(particle).filter(|stem| stem.len() > 1)?;
            Some((all_forms_of(stem), *particle))
        };
        Verb { forms: all_forms_of(verb), apart: PARTICLES.iter().find_map(without) }
    }

    fn stands_in(&self, request: &[String]) -> bool {
        let is_apart = |(forms, particle): &(Vec<String>, &str)| {
            let is_followed = |at: usize| request.iter().skip(at + 1).take(APART).any(|word| word == particle);
            request.iter().enumerate().any(|(at, word)| forms.contains(word) && is_followed(at))
        };
        request.iter().any(|word| self.forms.contains(word)) || self.apart.as_ref().is_some_and(is_apart)
    }
}

/// Returns the forms of a verb: regular ones, including the form in -s, and irregular ones.
fn all_forms_of(verb: &str) -> Vec<String> {
    let mut forms = forms_of(verb);
    forms.extend(["s", "es"].map(|ending| format!("{verb}{ending}")));
    forms.extend(verb.strip_suffix('y').map(|stem| format!("{stem}ies")));
    let irregular = IRREGULAR.iter().filter_map(|(form, base)| Some(format!("{}{form}", verb.strip_suffix(base)?)));
    forms.extend(irregular);
    forms
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
            assert!(all_forms_of(verb).contains(&word.to_owned()), "{word}");
        }
        for (word, verb) in [("deployment", "deploy"), ("scalable", "scale"), ("node", "no"), ("restored", "store")] {
            assert!(!all_forms_of(verb).contains(&word.to_owned()), "{word}");
        }
        let has =
            |text: &str, verb: &str| Verb::of(verb).stands_in(&words(text).map(str::to_lowercase).collect::<Vec<_>>());
        assert!(has("the release was rolled back", "rollback"));
        assert!(has("shut the old server down", "shutdown"));
        assert!(!has("roll the dice and come back", "shutdown"));
    }
}
