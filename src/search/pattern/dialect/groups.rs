//! Reads groups: options side by side, and flags that end with the group.

use super::group::{Flags, Group, Last};
use super::{Reader, Step};

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
