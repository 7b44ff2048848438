//! Parses sets of characters: classes in brackets, and classes after a backslash. Also parses escapes of single
//! characters.

use crate::automaton::CharSet;

use super::{Parser, class};

impl Parser<'_> {
    /// Parses the class after a `[`.
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

    /// Parses `[:alpha:]` or `[:^alpha:]` inside a class; returns `None` if the bracket is a literal.
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

    /// Returns the set after a backslash if it is `\d`, `\w`, `\s`, `\p` or their opposites.
    pub(super) fn class_escape(&mut self) -> Result<Option<CharSet>, String> {
        let Some(c) = self.rest.peek().copied() else { return Ok(None) };
        let mut set = match c.to_ascii_lowercase() {
            'd' | 'w' | 's' => class::perl(c.to_ascii_lowercase()),
            'p' => {
                self.rest.next();
                return self.unicode_class(c == 'P').map(Some);
            }
            _ => return Ok(None),
        };
        self.rest.next();
        self.finish(&mut set, c.is_ascii_uppercase());
        Ok(Some(set))
    }

    /// Parses the class after `\p` or `\P`: one letter, or a name in braces.
    fn unicode_class(&mut self, mut negated: bool) -> Result<CharSet, String> {
        let name = match self.rest.next() {
            Some('{') => {
                let closed = self.rest.clone().any(|c| c == '}');
                let name: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
                if !closed {
                    return Err("missing closing } of a character class".to_owned());
                }
                name
            }
            Some(c) => c.to_string(),
            None => return Err("invalid character class range: \\p".to_owned()),
        };
        let plain = name.strip_prefix('^').unwrap_or(&name);
        negated ^= plain.len() < name.len();
        let mut set = self.folded_class(plain)?;
        if negated {
            set.negate();
        }
        Ok(set)
    }

    fn folded_class(&mut self, name: &str) -> Result<CharSet, String> {
        let ignore_case = self.flags.ignore_case;
        if let Some((_, _, set)) = self.classes.iter().find(|(known, i, _)| known == name && *i == ignore_case) {
            return Ok(set.clone());
        }
        let mut set = class::unicode(name).ok_or_else(|| {
            format!("Unicode class {name} is not supported; there are {}", class::UNICODE_CLASSES.join(", "))
        })?;
        self.finish(&mut set, false);
        self.classes.push((name.to_owned(), ignore_case, set.clone()));
        Ok(set)
    }

    pub(super) fn finish(&self, set: &mut CharSet, negated: bool) {
        if self.flags.ignore_case {
            class::fold(set);
        }
        if negated {
            set.negate();
        }
    }

    /// Returns the character of an escape, after the backslash.
    pub(super) fn char_escape(&mut self) -> Result<char, String> {
        let Some(c) = self.rest.next() else { return Err("trailing backslash at end of pattern".to_owned()) };
        let invalid = || format!("invalid escape sequence: \\{c}");
        match c {
            'a' => Ok('\u{7}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'x' => self.hex().ok_or_else(invalid),
            '0'..='7' => {
                let next_is_octal = self.rest.peek().is_some_and(|c| ('0'..='7').contains(c));
                if c != '0' && !next_is_octal {
                    return Err(invalid());
                }
                let mut code = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(8)) else { break };
                    self.rest.next();
                    code = code * 8 + digit;
                }
                char::from_u32(code).ok_or_else(invalid)
            }
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(c),
            _ => Err(invalid()),
        }
    }

    /// Parses `\x7F` or `\x{10FFFF}`, after the `x`.
    fn hex(&mut self) -> Option<char> {
        let digits: String = if self.rest.next_if_eq(&'{').is_some() {
            let closed = self.rest.clone().any(|c| c == '}');
            closed.then(|| self.rest.by_ref().take_while(|c| *c != '}').collect())?
        } else {
            let two: String = self.rest.by_ref().take(2).collect();
            (two.len() == 2).then_some(two)?
        };
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        plain.then(|| u32::from_str_radix(&digits, 16).ok()).flatten().and_then(char::from_u32)
    }
}
