//! Reads what stands behind a backslash: a character, or a set of them.

use crate::search::pattern::automaton::CharSet;
use crate::text::joined;

use super::{Reader, class};

impl Reader<'_> {
    /// The set after a backslash if it is `\d`, `\w`, `\s`, `\p` or their opposites.
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

    /// What follows `\p` or `\P`: one letter, or a name in braces.
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
            format!("Unicode class {name} is not supported; there are {}", joined(class::UNICODE_CLASSES, ", "))
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

    /// The character that an escape stands for, after the backslash.
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

    /// `\x7F` or `\x{10FFFF}`, after the `x`.
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
