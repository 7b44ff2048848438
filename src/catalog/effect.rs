//! Determines the effect of a tool: it reads, writes or destroys. MCP's annotations decide; if they are missing, the
//! verb of the tool's name decides.

use crate::text::{behind_underscores, name_parts};

use super::verbs::{DESTROYS, READS, WRITES, WRITES_OR_NOUNS};

/// The effect of a call on the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Neither the annotations nor the name tell the effect.
    #[default]
    Unknown,
    /// The call changes nothing.
    Read,
    /// The call adds or changes something.
    Write,
    /// The call removes something that cannot be restored.
    Destroy,
}

impl Effect {
    /// Every effect, in the order of the discriminants.
    pub(crate) const ALL: [Effect; 4] = [Effect::Unknown, Effect::Read, Effect::Write, Effect::Destroy];
}

/// The hints of MCP's `annotations` about a tool's effect as one number: a base-3 digit for each of `readOnlyHint`,
/// `destructiveHint`, `idempotentHint` and `openWorldHint`, the first one lowest. 0 is a missing hint, 1 is `false`, 2
/// is `true`.
pub type Hints = usize;

/// The keys of the hints, for the lowest digit first.
pub(super) const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
/// The number of possible [`Hints`] values.
pub(super) const HINT_NUMBERS: usize = 3usize.pow(HINTS.len() as u32);
const FALSE: usize = 1;
const TRUE: usize = 2;
/// The hints of a tool that only reads.
pub(crate) const READ_ONLY: Hints = TRUE;

/// Returns true if no hint is given.
pub(crate) fn no_hints(hints: &Hints) -> bool {
    *hints == 0
}

impl Effect {
    /// Returns the effect of a tool by its annotations, or else by its name.
    pub(super) fn of(hints: Hints, name: &str) -> Self {
        let by_name = Effect::of_name(name);
        let (read_only, destructive) = (hints % 3, hints / 3 % 3);
        match (read_only, destructive) {
            // If a tool claims to be both read-only and destructive, the more dangerous claim counts.
            (_, TRUE) => Effect::Destroy,
            (TRUE, _) => Effect::Read,
            // A tool that changes something without destroying writes, whatever its name is.
            (FALSE, FALSE) => Effect::Write,
            (FALSE, _) if by_name == Effect::Destroy => Effect::Destroy,
            (FALSE, _) => Effect::Write,
            _ => by_name,
        }
    }

    /// Returns the effect that a call must be allowed to have, by the annotations alone. MCP lets clients assume that a
    /// tool without hints may destroy. Of two contradicting hints, the more dangerous one counts.
    pub(super) fn declared(hints: Hints) -> Self {
        match (hints % 3, hints / 3 % 3) {
            (_, TRUE) => Effect::Destroy,
            (TRUE, _) => Effect::Read,
            (_, FALSE) => Effect::Write,
            _ => Effect::Destroy,
        }
    }

    /// Returns the effect of the first verb in a name, or the strongest one of several verbs joined by `and` or `or`.
    pub fn of_name(name: &str) -> Self {
        let parts = name_parts(without_server(name));
        let mut effect = Effect::Unknown;
        for (at, part) in parts.iter().enumerate() {
            let is_joined = at > 0 && matches!(&*parts[at - 1], "and" | "or");
            if effect == Effect::Unknown || is_joined {
                effect = effect.max(of_base_form(part));
            }
        }
        effect
    }
}

/// Returns a name without the server that some clients prefix: `mcp__github__create_issue` becomes `create_issue`.
pub(crate) fn without_server(name: &str) -> &str {
    if name.starts_with("mcp__") { behind_underscores(name) } else { name }
}

pub(super) fn of_base_form(part: &str) -> Effect {
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
        assert_eq!(of(Some(true), Some(false), "delete_file"), Effect::Read);
        assert_eq!(of(Some(true), Some(true), "get_file"), Effect::Destroy);
        assert_eq!(of(None, Some(true), "get_file"), Effect::Destroy);
        assert_eq!(of(Some(false), Some(false), "delete_file"), Effect::Write);
        assert_eq!(of(Some(false), None, "get_file"), Effect::Write);
        assert_eq!(of(Some(false), None, "delete_file"), Effect::Destroy);
        assert_eq!(of(None, Some(false), "delete_file"), Effect::Destroy);
        assert_eq!(of(None, None, "x"), Effect::Unknown);
    }
}
