//! Writes a prebuilt index: numbers in as few bytes as they need, and everything else with its length before it.

/// Bytes that grow.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Eight bytes.
    pub(crate) fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    /// A number, seven bits a byte.
    pub(crate) fn number(&mut self, mut number: u32) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The length of a list. No list in memory has more entries than 32 bits can count.
    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u32);
    }

    /// A list of numbers.
    pub(crate) fn numbers(&mut self, numbers: &[u32]) {
        self.count(numbers.len());
        numbers.iter().for_each(|number| self.number(*number));
    }

    /// A list of pairs of numbers in ascending order. Each first number is written as the difference to the one before. A
    /// bit says whether the second number follows; it is left out where it is 1, as most are.
    pub(crate) fn pairs(&mut self, mut pairs: Vec<(u32, u32)>) {
        self.count(pairs.len());
        let mut before = 0;
        pairs.sort_unstable();
        for (a, b) in pairs {
            self.number((a - before) << 1 | u32::from(b != 1));
            if b != 1 {
                self.number(b);
            }
            before = a;
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// A text that may be missing: a `+` and the text, or an empty text.
    pub(crate) fn label(&mut self, label: Option<&str>) {
        self.count(label.map_or(0, |label| 1 + label.len()));
        if let Some(label) = label {
            self.bytes(b"+");
            self.bytes(label.as_bytes());
        }
    }

    /// What was written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
