//! Reads what stands between brackets: characters, ranges, and the classes that have names.

use crate::search::pattern::automaton::CharSet;

use super::{Reader, class};

impl Reader<'_> {
    /// What follows a `[`.
    pub(super) fn class(&mut self) -> Result<CharSet, String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut set = CharSet::default();
        let mut first = true;
        loop {
            match self.rest.peek().copied() {
                None => return Err("missing closing ]".to_owned()),
                Some(']') if !first => break,
                Some('[') => match self.posix_class()? {
                    Some(posix) => set.add(&posix),
                    None => self.class_range(&mut set)?,
                },
                Some('\\') => {
                    self.rest.next();
                    match self.class_escape()? {
                        Some(inner) => set.add(&inner),
                        None => {
                            let low = self.char_escape()?;
                            self.class_range_from(low, &mut set)?;
                        }
                    }
                }
                Some(_) => self.class_range(&mut set)?,
            }
            first = false;
        }
        self.rest.next();
        set.close();
        if negated {
            set.negate();
        }
        Ok(set)
    }

    fn class_range(&mut self, set: &mut CharSet) -> Result<(), String> {
        let low = self.class_char()?;
        self.class_range_from(low, set)
    }

    /// Adds a character, or the range that begins with it.
    fn class_range_from(&mut self, low: char, set: &mut CharSet) -> Result<(), String> {
        let mut ahead = self.rest.clone();
        let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
        let high = if is_range {
            self.rest.next();
            self.class_char()?
        } else {
            low
        };
        if high < low {
            return Err(format!("invalid character class range: {low}-{high}"));
        }
        let mut range = CharSet::of(low, high);
        if self.flags.ignore_case {
            class::fold(&mut range);
        }
        set.add(&range);
        Ok(())
    }

    fn class_char(&mut self) -> Result<char, String> {
        match self.rest.next() {
            Some('\\') => self.char_escape(),
            Some(c) => Ok(c),
            None => Err("missing closing ]".to_owned()),
        }
    }

    /// `[:alpha:]` or `[:^alpha:]` inside a class; none if the bracket is a letter like any other.
    fn posix_class(&mut self) -> Result<Option<CharSet>, String> {
        let rest: String = self.rest.clone().collect();
        let Some(end) = rest.strip_prefix("[:").and_then(|inner| inner.find(":]")) else { return Ok(None) };
        let name = &rest["[:".len().."[:".len() + end];
        let plain = name.strip_prefix('^').unwrap_or(name);
        let Some(mut set) = class::posix(plain) else {
            return Err(format!("invalid character class range: [:{name}:]"));
        };
        self.finish(&mut set, plain.len() < name.len());
        self.rest.nth(name.chars().count() + "[::]".len() - 1);
        Ok(Some(set))
    }
}
