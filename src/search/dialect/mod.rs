//! What does a pattern mean? RE2's syntax, as agents were taught it, rewritten for a small engine.
//!
//! The engine (`regex-lite`) is linear-time and weighs a fifth of the full `regex` crate, but folds ASCII case only,
//! has no `\p{…}`, and differs from RE2 in corners (`a{`, `\Q…\E`, `[a&&b]`, `(?<n>…)`, `a**`). So patterns are read
//! here, by RE2's rules as Go's `regexp/syntax` documents them, and written out with every class and every case
//! variant spelled out. Groups do not capture: only whether a pattern matches is ever asked.

mod class;
mod fold;

use std::iter::Peekable;
use std::str::Chars;

use class::CharSet;

/// RE2 stops at this repeat count.
const MOST_REPEATS: u32 = 1000;
/// Flags that the engine knows itself; `i` is resolved here.
const ENGINE_FLAGS: [char; 3] = ['m', 's', 'U'];

type Step = Result<(), String>;

/// A pattern for the engine that matches what RE2 would match with `(?i)` in front, or the reason why it is none.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: pattern.chars().peekable(),
        out: String::with_capacity(pattern.len() * 4),
        ignore_case: true,
        groups: Vec::new(),
        names: Vec::new(),
        last: Last::Nothing,
    };
    while let Some(c) = translator.rest.next() {
        translator.element(c)?;
    }
    if translator.groups.is_empty() { Ok(translator.out) } else { Err("missing closing )".to_owned()) }
}

/// What stands before the current position, as far as a repetition cares.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nothing,
    Atom,
    Repetition,
}

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    ignore_case: bool,
    /// For every open group: whether case was ignored before it.
    groups: Vec<bool>,
    names: Vec<String>,
    last: Last,
}

impl Translator<'_> {
    fn element(&mut self, c: char) -> Step {
        match c {
            '(' => self.open_group(),
            ')' => self.close_group(),
            '|' => {
                self.last = Last::Nothing;
                self.out.push(c);
                Ok(())
            }
            '.' | '^' | '$' => self.atom(&c.to_string()),
            '*' | '+' | '?' => self.repeat(&c.to_string()),
            '{' => match self.repeat_count()? {
                Some(count) => self.repeat(&count),
                None => self.literal('{'),
            },
            '[' => {
                let set = self.class()?;
                self.atom(&set.to_pattern())
            }
            '\\' => self.escape(),
            c => self.literal(c),
        }
    }

    fn atom(&mut self, pattern: &str) -> Step {
        self.out.push_str(pattern);
        self.last = Last::Atom;
        Ok(())
    }

    fn literal(&mut self, c: char) -> Step {
        let mut set = CharSet::of(c, c);
        if self.ignore_case {
            set.fold();
        }
        self.atom(&set.to_pattern())
    }

    fn repeat(&mut self, operator: &str) -> Step {
        match self.last {
            Last::Nothing => Err(format!("missing argument to repetition operator: {operator}")),
            Last::Repetition => Err(format!("invalid nested repetition operator: {operator}")),
            Last::Atom => {
                self.out.push_str(operator);
                if self.rest.next_if_eq(&'?').is_some() {
                    self.out.push('?');
                }
                self.last = Last::Repetition;
                Ok(())
            }
        }
    }

    /// What follows a `{` if it is a repeat count, written out; none if the brace is a letter like any other.
    fn repeat_count(&mut self) -> Result<Option<String>, String> {
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
        let valid = match (count(min), max) {
            (Some(_), "") => true,
            (Some(min), max) => count(max).is_some_and(|max| min <= max),
            (None, _) => false,
        };
        if !valid {
            return Err(format!("invalid repeat count: {{{text}}} (at most {MOST_REPEATS})"));
        }
        self.rest = ahead;
        Ok(Some(format!("{{{text}}}")))
    }

    fn open_group(&mut self) -> Step {
        self.groups.push(self.ignore_case);
        self.last = Last::Nothing;
        if self.rest.next_if_eq(&'?').is_none() {
            self.out.push_str("(?:");
            return Ok(());
        }
        if self.rest.next_if_eq(&'P').is_some() {
            return self.named_group();
        }
        self.flags()
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
        self.out.push_str("(?:");
        Ok(())
    }

    /// `(?flags)` up to the end of the group around it, or `(?flags:…)`.
    fn flags(&mut self) -> Step {
        let (mut set, mut cleared) = (String::new(), String::new());
        let (mut ignore_case, mut clearing, mut saw_flag) = (self.ignore_case, false, false);
        loop {
            match self.rest.next() {
                Some('i') => {
                    ignore_case = !clearing;
                    saw_flag = true;
                }
                Some(flag) if ENGINE_FLAGS.contains(&flag) => {
                    if clearing { &mut cleared } else { &mut set }.push(flag);
                    saw_flag = true;
                }
                Some('-') if !clearing => {
                    clearing = true;
                    saw_flag = false;
                }
                Some(end @ (':' | ')')) if saw_flag || !clearing => {
                    let minus = if cleared.is_empty() { "" } else { "-" };
                    let flags = format!("{set}{minus}{cleared}");
                    self.ignore_case = ignore_case;
                    match (end, flags.as_str()) {
                        (':', _) => self.out.push_str(&format!("(?{flags}:")),
                        (_, "") => {}
                        (_, _) => self.out.push_str(&format!("(?{flags})")),
                    }
                    if end == ')' {
                        self.groups.pop();
                    }
                    return Ok(());
                }
                Some(c) => return Err(format!("invalid or unsupported syntax after (?: {c}")),
                None => return Err("missing closing )".to_owned()),
            }
        }
    }

    fn close_group(&mut self) -> Step {
        let Some(ignore_case) = self.groups.pop() else { return Err("unexpected )".to_owned()) };
        self.ignore_case = ignore_case;
        self.atom(")")
    }

    fn escape(&mut self) -> Step {
        match self.rest.peek().copied() {
            None => Err("trailing backslash at end of pattern".to_owned()),
            Some(c @ ('A' | 'z' | 'b' | 'B')) => {
                self.rest.next();
                self.atom(&format!("\\{c}"))
            }
            Some('Q') => {
                self.rest.next();
                self.quoted()
            }
            Some(_) => {
                if let Some(set) = self.class_escape()? {
                    return self.atom(&set.to_pattern());
                }
                let c = self.char_escape()?;
                self.literal(c)
            }
        }
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

    /// The set after a backslash if it is `\d`, `\w`, `\s`, `\p` or their opposites.
    fn class_escape(&mut self) -> Result<Option<CharSet>, String> {
        let Some(c) = self.rest.peek().copied() else { return Ok(None) };
        let mut set = match c.to_ascii_lowercase() {
            'd' | 'w' | 's' => CharSet::perl(c.to_ascii_lowercase()),
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
        let mut set = CharSet::unicode(plain).ok_or_else(|| {
            format!("Unicode class {plain} is not supported; there are {}", class::UNICODE_CLASSES.join(", "))
        })?;
        self.finish(&mut set, negated);
        Ok(set)
    }

    fn finish(&self, set: &mut CharSet, negated: bool) {
        if self.ignore_case {
            set.fold();
        }
        if negated {
            set.negate();
        }
    }

    /// The character that an escape stands for, after the backslash.
    fn char_escape(&mut self) -> Result<char, String> {
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
            self.rest.by_ref().take_while(|c| *c != '}').collect()
        } else {
            self.rest.by_ref().take(2).collect()
        };
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        plain.then(|| u32::from_str_radix(&digits, 16).ok()).flatten().and_then(char::from_u32)
    }

    /// What follows a `[`.
    fn class(&mut self) -> Result<CharSet, String> {
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

    fn class_range(&mut self, set: &mut CharSet) -> Step {
        let low = self.class_char()?;
        self.class_range_from(low, set)
    }

    /// Adds a character, or the range that begins with it.
    fn class_range_from(&mut self, low: char, set: &mut CharSet) -> Step {
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
        if self.ignore_case {
            range.fold();
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
        let Some(mut set) = CharSet::posix(plain) else {
            return Err(format!("invalid character class range: [:{name}:]"));
        };
        self.finish(&mut set, plain.len() < name.len());
        self.rest.nth(name.chars().count() + "[::]".len() - 1);
        Ok(Some(set))
    }
}

#[cfg(test)]
mod tests;
