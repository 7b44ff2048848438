//! Finds where a value ends: the grammar of RFC 8259, checked byte by byte, however deep a text nests.

use std::borrow::Cow;

use super::fault::Fault;
use super::string::unquoted;

/// A place in a text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The next byte that is no white space.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        self.byte()
    }

    /// The byte that is next.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { what: if self.at < self.text.len() { what } else { "unexpected end" }, at: self.at })
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        if self.peek().is_none() { Ok(()) } else { self.fault("expected nothing more") }
    }

    fn take(&mut self, byte: u8, what: &'static str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return self.fault(what);
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over what stands between the brackets of a list or an object, one item after the other.
    pub(crate) fn each(&mut self, open: u8, item: &mut dyn FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.take(open, if open == b'[' { "expected a list" } else { "expected an object" })?;
        let close = closing(open);
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            if self.closes(close)? {
                return Ok(());
            }
        }
    }

    /// Passes over what stands behind an item: whether it was the last.
    fn closes(&mut self, close: u8) -> Result<bool, Fault> {
        match self.peek() {
            Some(byte) if byte == b',' || byte == close => {
                self.at += 1;
                Ok(byte == close)
            }
            _ => self.fault("expected a comma or the end of what is open"),
        }
    }

    /// The key of an entry, with the colon behind it.
    pub(crate) fn key(&mut self) -> Result<Cow<'a, str>, Fault> {
        let at = self.at;
        unquoted(self.raw_key()?, at)
    }

    /// The key of an entry as it is written, with the colon behind it.
    pub(crate) fn raw_key(&mut self) -> Result<&'a str, Fault> {
        if self.peek() != Some(b'"') {
            return self.fault("expected a key");
        }
        let key = self.string()?;
        self.take(b':', "expected a colon")?;
        Ok(key)
    }

    /// A value of any kind, as text.
    pub(crate) fn skip(&mut self) -> Result<&'a str, Fault> {
        self.peek();
        let from = self.at;
        // What closes each list and object that is open.
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                Some(bracket @ (b'[' | b'{')) => {
                    self.at += 1;
                    if self.peek() != Some(closing(bracket)) {
                        open.push(closing(bracket));
                        if bracket == b'{' {
                            self.raw_key()?;
                        }
                        continue;
                    }
                    self.at += 1;
                }
                _ => {
                    self.plain()?;
                }
            }
            loop {
                let Some(close) = open.last().copied() else { return Ok(&self.text[from..self.at]) };
                if self.closes(close)? {
                    open.pop();
                    continue;
                }
                if close == b'}' {
                    self.raw_key()?;
                }
                break;
            }
        }
    }

    /// A value that holds no others, as text.
    pub(super) fn plain(&mut self) -> Result<&'a str, Fault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let word = ["true", "false", "null"].into_iter().find(|word| self.text[self.at..].starts_with(word));
                let Some(word) = word else { return self.fault("expected a value") };
                self.at += word.len();
                Ok(word)
            }
        }
    }

    fn string(&mut self) -> Result<&'a str, Fault> {
        let from = self.at;
        self.at += 1;
        loop {
            self.at = run_end(self.text.as_bytes(), self.at);
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(&self.text[from..self.at]);
                }
                Some(b'\\') => self.escape()?,
                _ => return self.fault("a control character in a string"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let width = match rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if rest.len() > 4 && rest[1..5].iter().all(u8::is_ascii_hexdigit) => 6,
            _ => return self.fault("invalid escape"),
        };
        self.at += width;
        Ok(())
    }

    fn number(&mut self) -> Result<&'a str, Fault> {
        let from = self.at;
        self.passes(b"-");
        if !self.passes(b"0") {
            self.digits()?;
        }
        if self.passes(b".") {
            self.digits()?;
        }
        if self.passes(b"eE") {
            self.passes(b"+-");
            self.digits()?;
        }
        Ok(&self.text[from..self.at])
    }

    fn passes(&mut self, any: &[u8]) -> bool {
        let is_there = self.byte().is_some_and(|byte| any.contains(&byte));
        self.at += usize::from(is_there);
        is_there
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let from = self.at;
        while self.passes(b"0123456789") {}
        if self.at > from { Ok(()) } else { self.fault("invalid number") }
    }
}

/// The place of the next quote, backslash or control character from `at` on; the end where there is none.
pub(crate) fn run_end(text: &[u8], mut at: usize) -> usize {
    while let Some(eight) = text[at..].first_chunk() {
        if may_end(u64::from_le_bytes(*eight)) {
            break;
        }
        at += eight.len();
    }
    let rest = &text[at..];
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len())
}

/// Whether one of eight bytes of a string may be a quote, a backslash or a control character. Most of a catalog's bytes
/// stand in long texts that hold none.
fn may_end(eight: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let below = |bytes: u64, bound: u64| bytes.wrapping_sub(ONES * bound) & !bytes & (ONES * 0x80);
    let is = |byte: u8| below(eight ^ (ONES * u64::from(byte)), 1);
    (is(b'"') | is(b'\\') | below(eight, 0x20)) != 0
}

/// What closes a bracket: in ASCII it stands two places behind.
fn closing(open: u8) -> u8 {
    open + 2
}
