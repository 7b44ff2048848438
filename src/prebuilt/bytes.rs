//! Writes and reads the bytes of a prebuilt index: numbers in as few bytes as they need, and everything else with its length
//! before it. Bytes that are wrong give `None`, which the caller turns into an error. Memory is reserved only for as much as
//! the bytes can hold.

use crate::error::Error;

use super::invalid;

/// Bytes that grow.
#[derive(Default)]
pub(crate) struct Encoder(Vec<u8>);

impl Encoder {
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

    /// A list of pairs of numbers, which rise. Each first number is written as the difference to the one before. A bit says
    /// whether the second number follows; it is left out where it is 1, as most are.
    pub(crate) fn pairs(&mut self, pairs: Vec<(u32, u32)>) {
        self.count(pairs.len());
        let mut before = 0;
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

/// A place in some bytes.
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
    all: usize,
}

/// Entries for which memory is reserved before they are read: a length may lie.
const AT_ONCE: usize = 1 << 16;

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { rest: bytes, all: bytes.len() }
    }

    /// The bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The error of invalid bytes at this place.
    pub(crate) fn fault(&self) -> Error {
        invalid(&format!("it contradicts itself before byte {}", self.all - self.rest.len()))
    }

    /// So many bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// Eight bytes.
    pub(crate) fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// A number.
    pub(crate) fn number(&mut self) -> Option<u32> {
        // Nearly all of them take one byte.
        if let [byte @ 0..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Some(u32::from(*byte));
        }
        self.long_number()
    }

    fn long_number(&mut self) -> Option<u32> {
        let mut number = 0u64;
        for at in 0..5 {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << (7 * at);
            if *byte < 0x80 {
                return number.try_into().ok();
            }
        }
        None
    }

    /// A number below another, such as a place in a list.
    pub(crate) fn below(&mut self, bound: usize) -> Option<u32> {
        self.number().filter(|number| (*number as usize) < bound)
    }

    /// The length of a list, each entry of which takes a byte at least.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.below(self.rest.len() + 1).map(|count| count as usize)
    }

    /// A list of numbers below another.
    pub(crate) fn numbers(&mut self, bound: usize) -> Option<Vec<u32>> {
        let count = self.count()?;
        let mut numbers = Vec::with_capacity(count.min(AT_ONCE));
        for _ in 0..count {
            numbers.push(self.below(bound)?);
        }
        Some(numbers)
    }

    /// A list of pairs of numbers that are in order, each once, both below another.
    pub(crate) fn pairs(&mut self, bounds: (usize, usize)) -> Option<Vec<(u32, u32)>> {
        let count = self.count()?;
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(count.min(AT_ONCE));
        for _ in 0..count {
            let before = pairs.last().copied();
            let step = self.number()?;
            let first = (step >> 1).checked_add(before.map_or(0, |(first, _)| first))?;
            let second = if step & 1 == 0 { 1 } else { self.number()? };
            let pair = (first, second);
            if first as usize >= bounds.0 || second as usize >= bounds.1 || before >= Some(pair) {
                return None;
            }
            pairs.push(pair);
        }
        Some(pairs)
    }

    /// A text.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let bytes = self.count()?;
        std::str::from_utf8(self.take(bytes)?).ok()
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self) -> Option<Vec<&'a str>> {
        let count = self.count()?;
        let mut texts = Vec::with_capacity(count.min(AT_ONCE));
        for _ in 0..count {
            texts.push(self.text()?);
        }
        Some(texts)
    }
}
