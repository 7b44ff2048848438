//! An open group of a pattern: its options so far, and what a repetition may repeat.

use crate::automaton::Fragment;

/// What `(?imsU)` sets, up to the end of the group around it.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) many_lines: bool,
    pub(super) dot_all: bool,
    pub(super) lazy: bool,
}

/// What stands before the current position, as far as a repetition cares.
pub(super) enum Last {
    Nothing,
    Atom(Fragment),
    /// It takes no other repetition right behind it.
    Repetition(Fragment),
}

/// An open group, or the whole pattern.
pub(super) struct Group {
    /// The flags that were in force before it.
    pub(super) flags: Flags,
    options: Vec<Fragment>,
    pub(super) option: Fragment,
    pub(super) last: Last,
}

impl Group {
    pub(super) fn new(flags: Flags) -> Self {
        Group { flags, options: Vec::new(), option: Fragment::empty(), last: Last::Nothing }
    }

    /// Puts the last atom where nothing repeats it any more.
    pub(super) fn settle(&mut self, last: Last) {
        if let Last::Atom(atom) | Last::Repetition(atom) = std::mem::replace(&mut self.last, last) {
            self.option.then(&atom);
        }
    }

    /// Lets what stands behind flags repeat what stands before them, as RE2 does: `a(?i)*`.
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
