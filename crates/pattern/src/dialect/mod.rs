//! Parses patterns in RE2's syntax, as Go's `regexp/syntax` documents it, into states of the automaton. Sets contain
//! every case variant of their letters. Groups do not capture: a search only needs to know whether and where a pattern
//! matches.
//!
//! The crate `regex` has another dialect (`\w`, `{,2}`, `[a&&b]`, `\Q`). A test compares both in the common part of the
//! dialects.

mod class;
mod fold;
mod group;
mod sets;

use std::iter::Peekable;
use std::str::Chars;

use super::automaton::{CharSet, Fragment, Look, Program};

use group::{Flags, Group, Last};

/// The largest repeat count that RE2 accepts.
const MOST_REPEATS: u32 = 1000;

type Step = Result<(), String>;

/// Parses a pattern as RE2 would with `(?i)` in front, or returns the reason why it is invalid.
pub(crate) fn read(pattern: &str) -> Result<Program, String> {
    let flags = Flags { ignore_case: true, many_lines: false, dot_all: false, lazy: false };
    let mut parser = Parser {
        rest: pattern.chars().peekable(),
        flags,
        group: Group::new(flags),
        outer: Vec::new(),
        sets: Vec::new(),
        names: Vec::new(),
        classes: Vec::new(),
    };
    while let Some(c) = parser.rest.next() {
        parser.element(c)?;
    }
    if !parser.outer.is_empty() {
        return Err("missing closing )".to_owned());
    }
    Ok(Program { fragment: parser.group.close(), sets: parser.sets })
}

struct Parser<'p> {
    rest: Peekable<Chars<'p>>,
    flags: Flags,
    group: Group,
    outer: Vec<Group>,
    sets: Vec<CharSet>,
    names: Vec<String>,
    /// A cache of named Unicode classes, by name and case flag: for some, all characters must be checked.
    classes: Vec<(String, bool, CharSet)>,
}

impl Parser<'_> {
    fn element(&mut self, c: char) -> Step {
        match c {
            '(' => self.open_group(),
            ')' => self.close_group(),
            '|' => {
                self.group.next_option();
                Ok(())
            }
            '.' => {
                let mut set = if self.flags.dot_all { CharSet::default() } else { CharSet::of('\n', '\n') };
                set.negate();
                self.set(set)
            }
            '^' => self.look(if self.flags.many_lines { Look::LineStart } else { Look::TextStart }),
            '$' => self.look(if self.flags.many_lines { Look::LineEnd } else { Look::TextEnd }),
            '*' => self.repeat("*", 0, None),
            '+' => self.repeat("+", 1, None),
            '?' => self.repeat("?", 0, Some(1)),
            '{' => match self.repeat_count()? {
                Some((text, min, max)) => self.repeat(&text, min, max),
                None => self.literal('{'),
            },
            '[' => {
                let set = self.class()?;
                self.set(set)
            }
            '\\' => self.escape(),
            c => self.literal(c),
        }
    }

    fn atom(&mut self, atom: Fragment) -> Step {
        self.group.settle(Last::Atom(atom));
        Ok(())
    }

    fn look(&mut self, look: Look) -> Step {
        self.atom(Fragment::look(look))
    }

    fn set(&mut self, set: CharSet) -> Step {
        let number = self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        self.atom(Fragment::read(number as u16))
    }

    fn literal(&mut self, c: char) -> Step {
        let mut set = CharSet::of(c, c);
        if self.flags.ignore_case {
            class::fold(&mut set);
        }
        self.set(set)
    }

    fn repeat(&mut self, operator: &str, min: u32, max: Option<u32>) -> Step {
        match std::mem::replace(&mut self.group.last, Last::Nothing) {
            Last::Nothing => Err(format!("missing argument to repetition operator: {operator}")),
            Last::Repetition(_) => Err(format!("invalid nested repetition operator: {operator}")),
            Last::Atom(atom) => {
                let lazy = self.rest.next_if_eq(&'?').is_some() != self.flags.lazy;
                self.group.last = Last::Repetition(atom.repeat(min, max, !lazy));
                Ok(())
            }
        }
    }

    /// Reads the repeat count after a `{`, as text and as numbers. Returns `None` if the brace is a literal.
    fn repeat_count(&mut self) -> Result<Option<(String, u32, Option<u32>)>, String> {
        let mut ahead = self.rest.clone();
        let text: String = ahead.by_ref().take_while(|c| *c != '}').collect();
        let is_number =
            |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) && (n.len() == 1 || !n.starts_with('0'));
        let closed = self.rest.clone().any(|c| c == '}');
        let (min, max) = text.split_once(',').unwrap_or((&text, &text));
        if !closed || !is_number(min) || !(max.is_empty() || is_number(max)) {
            return Ok(None);
        }
        let count = |n: &str| n.parse::<u32>().ok().filter(|n| *n <= MOST_REPEATS);
        let counts = match (count(min), count(max)) {
            (Some(min), None) if max.is_empty() => Some((min, None)),
            (Some(min), Some(max)) if min <= max => Some((min, Some(max))),
            _ => None,
        };
        let text = format!("{{{text}}}");
        let Some((min, max)) = counts else {
            return Err(format!("invalid repeat count: {text} (at most {MOST_REPEATS})"));
        };
        self.rest = ahead;
        Ok(Some((text, min, max)))
    }

    fn escape(&mut self) -> Step {
        let look = match self.rest.peek() {
            Some('A') => Look::TextStart,
            Some('z') => Look::TextEnd,
            Some('b') => Look::WordEdge,
            Some('B') => Look::NoWordEdge,
            Some('Q') => {
                self.rest.next();
                return self.quoted();
            }
            _ => {
                if let Some(set) = self.class_escape()? {
                    return self.set(set);
                }
                let c = self.char_escape()?;
                return self.literal(c);
            }
        };
        self.rest.next();
        self.look(look)
    }

    /// `\Q…\E`: everything up to `\E` or the end is literal.
    fn quoted(&mut self) -> Step {
        while let Some(c) = self.rest.next() {
            if c == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return Ok(());
            }
            self.literal(c)?;
        }
        Ok(())
    }

    fn open_group(&mut self) -> Step {
        if self.rest.next_if_eq(&'?').is_none() {
            self.enter(self.flags);
            return Ok(());
        }
        if self.rest.next_if_eq(&'P').is_some() {
            return self.named_group();
        }
        self.flags()
    }

    /// Enters a group. After its end the flags are as they were before it.
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

    /// Reads `(?flags)`, which is valid up to the end of the surrounding group, or `(?flags:…)`.
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

    fn close_group(&mut self) -> Step {
        let Some(outer) = self.outer.pop() else { return Err("unexpected )".to_owned()) };
        let group = std::mem::replace(&mut self.group, outer);
        self.flags = group.flags;
        self.atom(group.close())
    }
}

#[cfg(test)]
mod tests;
