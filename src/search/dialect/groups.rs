//! Reads groups: options side by side, and flags that end with the group.

use crate::search::automaton::Fragment;

use super::{Flags, Reader, Step};

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
    flags: Flags,
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
    fn pass_flags(&mut self) {
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

impl Reader<'_> {
    pub(super) fn open_group(&mut self) -> Step {
        if self.rest.next_if_eq(&'?').is_none() {
            self.enter(self.flags);
            return Ok(());
        }
        if self.rest.next_if_eq(&'P').is_some() {
            return self.named_group();
        }
        self.flags()
    }

    /// Goes into a group, from whose end on the flags are again as they were.
    fn enter(&mut self, flags: Flags) {
        self.group.settle(Last::Nothing);
        self.outer.push(std::mem::replace(&mut self.group, Group::new(self.flags)));
        self.flags = flags;
    }

    fn named_group(&mut self) -> Step {
        let well_formed = self.rest.next() == Some('<');
        let name: String = self.rest.by_ref().take_while(|c| *c != '>').collect();
        if !well_formed || name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err("invalid named capture".to_owned());
        }
        if self.names.contains(&name) {
            return Err(format!("duplicate capture group name: {name}"));
        }
        self.names.push(name);
        self.enter(self.flags);
        Ok(())
    }

    /// `(?flags)` up to the end of the group around it, or `(?flags:…)`.
    fn flags(&mut self) -> Step {
        let (mut flags, mut value, mut saw_flag) = (self.flags, true, false);
        loop {
            match self.rest.next() {
                Some(c @ ('i' | 'm' | 's' | 'U')) => {
                    let flag = match c {
                        'i' => &mut flags.ignore_case,
                        'm' => &mut flags.many_lines,
                        's' => &mut flags.dot_all,
                        _ => &mut flags.lazy,
                    };
                    *flag = value;
                    saw_flag = true;
                }
                Some('-') if value => {
                    value = false;
                    saw_flag = false;
                }
                Some(':') if saw_flag || value => {
                    self.enter(flags);
                    return Ok(());
                }
                Some(')') if saw_flag || value => {
                    self.group.pass_flags();
                    self.flags = flags;
                    return Ok(());
                }
                Some(c) => return Err(format!("invalid or unsupported syntax after (?: {c}")),
                None => return Err("missing closing )".to_owned()),
            }
        }
    }

    pub(super) fn close_group(&mut self) -> Step {
        let Some(outer) = self.outer.pop() else { return Err("unexpected )".to_owned()) };
        let group = std::mem::replace(&mut self.group, outer);
        self.flags = group.flags;
        self.atom(group.close())
    }
}
