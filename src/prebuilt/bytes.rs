//! Writes and reads the bytes of a prebuilt index: numbers in as few bytes as they need, everything else with its
//! length before it. Invalid bytes give `None`, which the caller turns into an error. Memory is reserved only for as
//! much as the bytes can hold.

use crate::error::Error;

use super::invalid;

/// Bytes being written.
#[derive(Default)]
pub(crate) struct Encoder(Vec<u8>);

impl Encoder {
    /// Writes bytes unchanged.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Writes eight bytes, little-endian.
    pub(crate) fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    /// Writes a number, seven bits per byte.
    pub(crate) fn number(&mut self, mut number: u32) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes the length of a list. No list in memory has more entries than 32 bits can count.
    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u32);
    }

    /// Writes a list of numbers.
    pub(crate) fn numbers(&mut self, numbers: &[u32]) {
        self.count(numbers.len());
        numbers.iter().for_each(|number| self.number(*number));
    }

    /// Writes a list of ascending pairs of numbers. Each first number is written as the difference from the one before.
    /// A bit says whether the second number follows; most second numbers are 1, and are left out.
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

    /// Writes a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// Writes a text that may be missing: a `+` and the text, or an empty text if it is missing.
    pub(crate) fn label(&mut self, label: Option<&str>) {
        self.count(label.map_or(0, |label| 1 + label.len()));
        if let Some(label) = label {
            self.bytes(b"+");
            self.bytes(label.as_bytes());
        }
    }

    /// Returns the bytes written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// A position in bytes being read.
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
    all: usize,
}

/// The most entries for which memory is reserved before they are read: a length may be false.
const AT_ONCE: usize = 1 << 16;

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { rest: bytes, all: bytes.len() }
    }

    /// Returns the bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the error for invalid bytes at this position.
    pub(crate) fn fault(&self) -> Error {
        invalid(&format!("it contradicts itself before byte {}", self.all - self.rest.len()))
    }

    /// Reads this number of bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// Reads eight bytes, little-endian.
    pub(crate) fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// Reads a number.
    pub(crate) fn number(&mut self) -> Option<u32> {
        // Nearly all numbers take one byte.
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

    /// Reads a number below `bound`, such as a position in a list.
    pub(crate) fn below(&mut self, bound: usize) -> Option<u32> {
        self.number().filter(|number| (*number as usize) < bound)
    }

    /// Reads the length of a list. Each entry takes at least one byte.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.below(self.rest.len() + 1).map(|count| count as usize)
    }

    /// Reads a list of numbers below `bound`.
    pub(crate) fn numbers(&mut self, bound: usize) -> Option<Vec<u32>> {
        let count = self.count()?;
        let mut numbers = Vec::with_capacity(count.min(AT_ONCE));
        for _ in 0..count {
            numbers.push(self.below(bound)?);
        }
        Some(numbers)
    }

    /// Reads a list of strictly ascending pairs of numbers, below their bounds.
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

    /// Reads a text.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let bytes = self.count()?;
        std::str::from_utf8(self.take(bytes)?).ok()
    }

    /// Reads a list of texts.
    pub(crate) fn texts(&mut self) -> Option<Vec<&'a str>> {
        let count = self.count()?;
        let mut texts = Vec::with_capacity(count.min(AT_ONCE));
        for _ in 0..count {
            texts.push(self.text()?);
        }
        Some(texts)
    }
}
