//! Turns bytes into choices. Any bytes are valid, and a small change of the bytes is a small change of the choices, as
//! a fuzzer needs it.

use serde_json::{Value, json};

/// Bytes that are not used up yet. At the end every choice is the first one.
pub struct Input<'d>(&'d [u8]);

/// Pieces of names, queries and descriptions: words that meet, differ by a letter or by case, and what breaks readers.
const PIECES: [&str; 64] = [
    "create", "issue", "issues", "isue", "list", "get", "send", "mail", "email", "message", "slack", "github", "file",
    "files", "read", "write", "delete", "search", "weather", "wether", "forecast", "tool", "a", "the", "of", "and",
    " ", "_", "-", ".", ",", "/", ":", "+", "*", "(", ")", "[", "]", "{", "}", "\"", "\\", "\n", "é", "É", "ß", "İ",
    "日本", "語", "😀", "\u{301}", "\u{200b}", "\u{202e}", "\u{0}", "1", "42", "mcp__", "__", "server:", "select:",
    "GetIssue", "x", "ﬁ",
];

impl<'d> Input<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        Input(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A short text of [`PIECES`] and of characters as they stand in the input.
    pub fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(10) {
            match self.byte() {
                piece @ 0..=191 => text += PIECES[usize::from(piece) % PIECES.len()],
                count => text += &self.raw(usize::from(count % 16)),
            }
        }
        text
    }

    fn raw(&mut self, bytes: usize) -> String {
        let (raw, rest) = self.0.split_at(bytes.min(self.0.len()));
        self.0 = rest;
        String::from_utf8_lossy(raw).into_owned()
    }

    /// Any JSON, a few levels deep.
    pub fn json(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => json!(self.flag()),
            2 => json!(self.byte()),
            3 => json!(*self.pick(&[-1.0, 0.5, 1e21, 1e-7, 1e308, -0.0, 9_007_199_254_740_993.0, 20_000.0])),
            4..=6 => json!(self.text()),
            7 => (0..self.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => (0..self.below(4)).map(|_| (self.text(), self.json(depth - 1))).collect(),
        }
    }

    /// A JSON Schema, mostly.
    pub fn schema(&mut self, depth: usize) -> Value {
        if self.below(16) == 15 {
            return self.json(depth);
        }
        let mut schema = json!({});
        if self.below(8) < 7 {
            schema["type"] = json!(*self.pick(&["object", "string", "array", "number"]));
        }
        if depth > 0 && self.flag() {
            schema["properties"] = (0..self.below(4)).map(|_| (self.text(), self.schema(depth - 1))).collect();
        }
        if depth > 0 && self.below(4) == 3 {
            let key = *self.pick(&["items", "$defs", "additionalProperties", "not"]);
            schema[key] = self.schema(depth - 1);
        }
        match self.below(6) {
            1 => schema["description"] = json!(self.text()),
            2 => schema["enum"] = json!([self.text(), self.text()]),
            3 => schema["required"] = json!([self.text()]),
            4 => schema["$ref"] = json!(*self.pick(&["#", "#/$defs/a", "#/properties/x", "http://x", ""])),
            5 => schema["title"] = json!(self.text()),
            _ => {}
        }
        schema
    }

    /// The rest as text.
    pub fn rest(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }
}
