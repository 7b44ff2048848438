//! The effect of a tool: it reads, writes or destroys. MCP's annotations say so; where they are missing, the verb of the
//! tool's name does.

use std::sync::OnceLock;

use crate::map::Map;
use crate::text::{behind_underscores, name_parts};

use super::verbs::{DESTROYING_IMPERATIVES, DESTROYS, IMPERATIVES, IRREGULAR, READS, WRITES, WRITES_OR_NOUNS};

/// What a call of a tool does to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Neither the annotations nor the name say.
    #[default]
    Unknown,
    /// It changes nothing.
    Read,
    /// It adds or changes something.
    Write,
    /// It removes something that cannot be brought back.
    Destroy,
}

/// The hints of MCP's `annotations` about a tool's effect as one number: a digit of base 3 for each of `readOnlyHint`,
/// `destructiveHint`, `idempotentHint` and `openWorldHint`, the first one lowest. 0 stands for a hint that is missing, 1 for
/// `false`, 2 for `true`.
pub type Hints = usize;

/// The keys of the hints, the lowest digit first.
pub(super) const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
/// How many numbers there are.
pub(super) const HINT_NUMBERS: usize = 3usize.pow(HINTS.len() as u32);
const FALSE: usize = 1;
const TRUE: usize = 2;

/// Whether no hint is given.
pub(crate) fn no_hints(hints: &Hints) -> bool {
    *hints == 0
}

impl Effect {
    /// The effect of a tool by its annotations, or else by its name.
    pub(super) fn of(hints: Hints, name: &str) -> Self {
        let by_name = Effect::of_name(name);
        let (read_only, destructive) = (hints % 3, hints / 3 % 3);
        match (read_only, destructive) {
            (TRUE, _) => Effect::Read,
            (_, TRUE) => Effect::Destroy,
            // What changes something without destroying writes, whatever its name.
            (FALSE, FALSE) => Effect::Write,
            (FALSE, _) if by_name == Effect::Destroy => Effect::Destroy,
            (FALSE, _) => Effect::Write,
            _ => by_name,
        }
    }

    /// The effect that the verb of a name says: the first verb, and any that `and` or `or` joins to it.
    pub fn of_name(name: &str) -> Self {
        let parts = name_parts(without_server(name));
        let mut effect = Effect::Unknown;
        for (at, part) in parts.iter().enumerate() {
            let is_joined = at > 0 && matches!(&*parts[at - 1], "and" | "or");
            if effect == Effect::Unknown || is_joined {
                effect = stronger(effect, of_base_form(part));
            }
        }
        effect
    }

    /// The effect that a word of a request asks for; `is_imperative` says that it is an imperative, as *post* in *post a
    /// message* does, but not in *the last post*.
    pub fn asked_by(word: &str, is_imperative: bool) -> Self {
        let meant = FORMS.get_or_init(forms).get(word).copied().unwrap_or_default();
        if is_imperative { meant.as_imperative } else { meant.inside }
    }
}

/// What a form of a verb asks for.
#[derive(Clone, Copy, Default)]
struct Meant {
    /// Inside a sentence.
    inside: Effect,
    as_imperative: Effect,
}

static FORMS: OnceLock<Map<String, Meant>> = OnceLock::new();

/// Every form of every verb of the tables.
fn forms() -> Map<String, Meant> {
    let mut meant: Map<String, Meant> = Map::default();
    // A word that stands in several tables counts as what stands last here.
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
            let meant = meant.entry(form).or_default();
            meant.as_imperative = effect;
            if counts_inside {
                meant.inside = effect;
            }
        }
    }
    for (form, verb) in IRREGULAR {
        let of_verb = meant.get(*verb).copied().unwrap_or_default();
        meant.insert((*form).to_owned(), of_verb);
    }
    meant
}

/// A verb and its forms in -ed and -ing. The form in -s is a noun more often: *orders*, *updates*.
fn forms_of(verb: &str) -> Vec<String> {
    let mut forms: Vec<String> = ["", "d", "ed", "ing"].iter().map(|ending| format!("{verb}{ending}")).collect();
    if let Some(last) = verb.chars().next_back() {
        forms.extend(["ed", "ing"].map(|ending| format!("{verb}{last}{ending}")));
    }
    forms.extend(verb.strip_suffix('e').map(|stem| format!("{stem}ing")));
    forms.extend(verb.strip_suffix('y').map(|stem| format!("{stem}ied")));
    forms
}

/// A name without the server that some clients write in front of it: `mcp__github__create_issue` is `create_issue`.
pub(crate) fn without_server(name: &str) -> &str {
    if name.starts_with("mcp__") { behind_underscores(name) } else { name }
}

fn of_base_form(part: &str) -> Effect {
    if DESTROYS.contains(&part) {
        Effect::Destroy
    } else if WRITES.contains(&part) || WRITES_OR_NOUNS.contains(&part) {
        Effect::Write
    } else if READS.contains(&part) {
        Effect::Read
    } else {
        Effect::Unknown
    }
}

fn stronger(a: Effect, b: Effect) -> Effect {
    if (b as u8) > (a as u8) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_do() {
        for (name, effect) in [
            ("insert-many", Effect::Write),
            ("deleteMany", Effect::Destroy),
            ("mcp__send-grid__list_contacts", Effect::Read),
            ("get_deleted_items", Effect::Read),
            ("find_and_replace", Effect::Write),
            ("list_or_delete", Effect::Destroy),
            ("browser_click", Effect::Unknown),
            ("aggregate", Effect::Unknown),
            ("", Effect::Unknown),
        ] {
            assert_eq!(Effect::of_name(name), effect, "{name}");
        }
    }

    #[test]
    fn annotations_go_before_names() {
        let digit = |hint: Option<bool>| hint.map_or(0, |hint| 1 + usize::from(hint));
        let of = |read_only, destructive, name| Effect::of(digit(read_only) + 3 * digit(destructive), name);
        assert_eq!(of(Some(true), Some(true), "delete_file"), Effect::Read);
        assert_eq!(of(None, Some(true), "get_file"), Effect::Destroy);
        assert_eq!(of(Some(false), Some(false), "delete_file"), Effect::Write);
        assert_eq!(of(Some(false), None, "get_file"), Effect::Write);
        assert_eq!(of(Some(false), None, "delete_file"), Effect::Destroy);
        assert_eq!(of(None, Some(false), "delete_file"), Effect::Destroy);
        assert_eq!(of(None, None, "x"), Effect::Unknown);
    }

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
            assert_eq!(Effect::asked_by(word, false), effect, "{word}");
        }
        assert_eq!(Effect::asked_by("post", false), Effect::Unknown);
        assert_eq!(Effect::asked_by("post", true), Effect::Write);
        assert_eq!(Effect::asked_by("clean", true), Effect::Destroy);
    }
}
