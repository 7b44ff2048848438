//! Reads the characters on both sides of a position, which decide `\b`, `^` and `$`.

/// What stands on one side of a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Beside {
    /// Nothing: the text begins or ends.
    Nothing,
    Newline,
    Word,
    Other,
}
