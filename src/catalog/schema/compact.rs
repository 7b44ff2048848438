//! Removes the white space from a schema, and checks in the same pass whether each value is allowed for its keyword.
//! Most schemas are correct, and need nothing else.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::limits;

use super::keywords::{Kind, TOP, TYPES, is_safe_name};

/// The maximum number of texts of one list that are compared with each other. Longer lists are left to the repair.
const COMPARED: usize = 64;

/// Returns the JSON text of an object or a list without white space between its tokens, borrowed if there is none. The
/// flag is true if the schema may need a repair. The text must be one JSON value. The same pass checks depth and
/// surrogate escapes.
pub(super) fn compact(json: &str) -> Result<(Cow<'_, str>, bool)> {
    let mut scan = Scan { json, at: 0, out: String::new(), from: 0, depth: 0, is_suspect: false };
    scan.value(Kind::Schema)?;
    let Scan { mut out, from, is_suspect, .. } = scan;
    if from == 0 {
        return Ok((Cow::Borrowed(json), is_suspect));
    }
    out.push_str(&json[from..]);
    Ok((Cow::Owned(out), is_suspect))
}

struct Scan<'a> {
    json: &'a str,
    at: usize,
    /// The text without white space, up to `from`.
    out: String,
    /// The start of the text that was not copied yet.
    from: usize,
    depth: usize,
    /// True if the schema may need a repair.
    is_suspect: bool,
}

impl<'a> Scan<'a> {
    /// Skips white space and returns the next byte; 0 at the end.
    fn peek(&mut self) -> u8 {
        let bytes = self.json.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return *byte;
            }
            self.out.push_str(&self.json[self.from..self.at]);
            self.at += 1;
            self.from = self.at;
        }
        0
    }

    fn suspect(&mut self, is_wrong: bool) {
        self.is_suspect |= is_wrong;
    }

    /// Reads a value that should be of a kind. For a string (with its quotes) or a scalar it returns the text.
    fn value(&mut self, kind: Kind) -> Result<&'a str> {
        match self.peek() {
            b'{' => self.nested(|scan| scan.object(kind))?,
            b'[' => self.nested(|scan| scan.list(kind))?,
            b'"' => {
                let text = self.string()?;
                let is_right = match kind {
                    Kind::Any | Kind::Text => true,
                    Kind::Types => TYPES.contains(&&text[1..text.len() - 1]),
                    _ => false,
                };
                self.suspect(!is_right);
                return Ok(text);
            }
            first => {
                let text = self.scalar();
                let is_right = match kind {
                    Kind::Any => true,
                    Kind::Schema | Kind::Flag => matches!(first, b't' | b'f'),
                    Kind::Number => matches!(first, b'-' | b'0'..=b'9'),
                    Kind::Positive => matches!(first, b'1'..=b'9'),
                    Kind::Count => text.bytes().all(|byte| byte.is_ascii_digit()),
                    _ => false,
                };
                self.suspect(!is_right);
                return Ok(text);
            }
        }
        Ok("")
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.depth == limits::SCHEMA_DEPTH {
            let message = format!("parameters nest deeper than {} levels", limits::SCHEMA_DEPTH);
            return Err(Error::new(ErrorCode::SchemaTooLarge, message));
        }
        self.depth += 1;
        self.at += 1;
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    /// Reads the entries of an object to its end.
    fn object(&mut self, kind: Kind) -> Result<()> {
        match (kind, kind.by_name()) {
            (Kind::Schema, _) => self.schema(),
            (_, Some(entry)) => self.map(kind, entry),
            _ => {
                self.suspect(kind != Kind::Any);
                self.entries(|scan, _| scan.value(Kind::Any).map(drop))
            }
        }
    }

    fn schema(&mut self) -> Result<()> {
        let is_top = self.depth == 1;
        let (mut has_type, mut is_array, mut has_items) = (false, false, false);
        self.entries(|scan, key| {
            let keyword = &key[1..key.len() - 1];
            let kind = Kind::of(keyword);
            // An escape may hide a keyword, and this pass does not know whether a reference has a target.
            let is_escaped = keyword.as_bytes().contains(&b'\\');
            scan.suspect(is_escaped || matches!(kind, Kind::Reference | Kind::Id | Kind::Anchor));
            match kind {
                Kind::Types => {
                    let start = scan.at;
                    let text = scan.value(kind)?;
                    scan.suspect(is_top && text != r#""object""#);
                    is_array = scan.json[start..scan.at].contains(r#""array""#);
                    has_type = true;
                    return Ok(());
                }
                _ if keyword == "items" => has_items = true,
                // Definitions may have to be pruned.
                _ if is_top => scan.suspect(TOP.contains(&keyword) || matches!(keyword, "$defs" | "definitions")),
                _ => {}
            }
            scan.value(kind).map(drop)
        })?;
        self.suspect((is_array && !has_items) || (is_top && !has_type));
        Ok(())
    }

    /// Reads an object of values by name. In drafts before 2019-09, a dependency may be a list.
    fn map(&mut self, kind: Kind, entry: Kind) -> Result<()> {
        // Names of definitions are also checked here, which costs only an unnecessary repair pass.
        let is_top = kind == Kind::Map && self.depth == 2;
        self.entries(|scan, name| {
            scan.suspect(is_top && !is_safe_name(&name[1..name.len() - 1]));
            let is_list = scan.peek() == b'[';
            scan.suspect(kind == Kind::Dependencies && is_list);
            scan.value(entry).map(drop)
        })
    }

    fn entries(&mut self, mut take: impl FnMut(&mut Self, &'a str) -> Result<()>) -> Result<()> {
        loop {
            match self.peek() {
                b'"' => {
                    let key = self.string()?;
                    if self.peek() == b':' {
                        self.at += 1;
                    }
                    self.peek();
                    take(self, key)?;
                }
                b',' => self.at += 1,
                _ => {
                    self.at += 1;
                    return Ok(());
                }
            }
        }
    }

    /// Reads the items of a list to its end.
    fn list(&mut self, kind: Kind) -> Result<()> {
        let item = kind.item();
        self.suspect(item.is_none());
        let is_of_texts = matches!(kind, Kind::Texts | Kind::Types);
        let (mut texts, mut items) = (Vec::new(), 0);
        loop {
            match self.peek() {
                0 | b']' => break,
                b',' => self.at += 1,
                first => {
                    let text = self.value(item.unwrap_or(Kind::Any))?;
                    items += 1;
                    if is_of_texts {
                        let is_again = texts.len() == COMPARED || texts.contains(&text);
                        self.suspect(first != b'"' || is_again || text.as_bytes().contains(&b'\\'));
                        if !is_again {
                            texts.push(text);
                        }
                    }
                }
            }
        }
        self.at += 1;
        self.suspect(items == 0 && matches!(kind, Kind::Schemas | Kind::Types | Kind::Values));
        Ok(())
    }

    /// Reads a number, `true`, `false` or `null`.
    fn scalar(&mut self) -> &'a str {
        let start = self.at;
        let rest = &self.json.as_bytes()[start..];
        let end = rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'));
        // At least one byte, so that every call makes progress.
        self.at += end.unwrap_or(rest.len()).max(1).min(rest.len());
        self.json.get(start..self.at).unwrap_or_default()
    }

    /// Reads a string with its quotes.
    fn string(&mut self) -> Result<&'a str> {
        let start = self.at;
        self.at = string_end(self.json, start)?;
        Ok(&self.json[start..self.at])
    }
}

/// Returns the position after the string that begins at `start`.
fn string_end(json: &str, start: usize) -> Result<usize> {
    let bytes = json.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() {
        let Some(run) = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\')) else { break };
        at += run;
        match bytes[at] {
            b'"' => return Ok(at + 1),
            b'\\' if bytes.get(at + 1) == Some(&b'u') => {
                at += match unit(json, at) {
                    Some(0xD800..=0xDBFF) if matches!(unit(json, at + 6), Some(0xDC00..=0xDFFF)) => 12,
                    Some(0xD800..=0xDFFF) => {
                        let message =
                            format!("parameters hold half a surrogate pair: {}", excerpt_json(&json[at..at + 6]));
                        return Err(Error::new(ErrorCode::TextInvalid, message));
                    }
                    _ => 2,
                }
            }
            _ => at += 2,
        }
    }
    Ok(bytes.len())
}

/// Returns the value of a `\uXXXX` escape at a position, if there is one.
fn unit(json: &str, at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}
