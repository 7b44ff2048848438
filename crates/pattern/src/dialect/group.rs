//! Keeps an open group of a pattern: its alternatives so far, and the last atom, which may be repeated.

use crate::automaton::Fragment;

/// The flags of `(?imsU)`, which are valid up to the end of the surrounding group.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) many_lines: bool,
    pub(super) dot_all: bool,
    pub(super) lazy: bool,
}

/// The last element before the current position.
pub(super) enum Last {
    Nothing,
    Atom(Fragment),
    /// A repetition, which must not be repeated again directly.
    Repetition(Fragment),
}

/// An open group, or the whole pattern.
pub(super) struct Group {
    /// The flags that were valid before it.
    pub(super) flags: Flags,
    options: Vec<Fragment>,
    pub(super) option: Fragment,
    pub(super) last: Last,
}

impl Group {
    pub(super) fn new(flags: Flags) -> Self {
        Group { flags, options: Vec::new(), option: Fragment::empty(), last: Last::Nothing }
    }

    /// Adds the last atom to the current alternative, since it can no longer be repeated, and sets a new one.
    pub(super) fn settle(&mut self, last: Last) {
        if let Last::Atom(atom) | Last::Repetition(atom) = std::mem::replace(&mut self.last, last) {
            self.option.then(&atom);
        }
    }

    /// Allows a repetition after flags to repeat the element before them, as RE2 does: `a(?i)*`.
    pub(super) fn pass_flags(&mut self) {
        self.last = match std::mem::replace(&mut self.last, Last::Nothing) {
            Last::Repetition(atom) => Last::Atom(atom),
            last => last,
        };
    }

    pub(super) fn next_option(&mut self) {
        self.settle(Last::Nothing);
        self.options.push(std::mem::replace(&mut self.option, Fragment::empty()));
    }

    pub(super) fn close(mut self) -> Fragment {
        self.next_option();
        Fragment::either(self.options)
    }
}
