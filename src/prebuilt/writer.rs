//! How is something written? Numbers in as few bytes as they need, everything else behind its length.

use crate::sort::sorted;

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
    #[inline(never)]
    pub(crate) fn number(&mut self, mut number: u32) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The length of a list. What is kept in memory has fewer entries than a number can say.
    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u32);
    }

    /// A list of numbers, each for one that is kept.
    #[inline(never)]
    pub(crate) fn numbers(&mut self, kept: &[u32], of: &dyn Fn(u32) -> u32) {
        self.count(kept.len());
        kept.iter().for_each(|kept| self.number(of(*kept)));
    }

    /// A list of pairs of numbers, in their order: of the first ones, how much larger each is, with a bit for whether the
    /// second one is said at all, since most are 1.
    #[inline(never)]
    pub(crate) fn pairs(&mut self, pairs: Vec<(u32, u32)>) {
        self.count(pairs.len());
        let mut before = 0;
        for (a, b) in sorted(pairs, Ord::cmp) {
            self.number((a - before) << 1 | u32::from(b != 1));
            if b != 1 {
                self.number(b);
            }
            before = a;
        }
    }

    /// A text.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// A text that may be missing: it stands behind a `+`, unless nothing does.
    #[inline(never)]
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
