//! The prebuilt index: a catalog with its search words as bytes. Reading them takes a fraction of the time of building
//! the search from definitions. A head comes first, then the parts that the stages write and read themselves.
//!
//! | bytes | what they are |
//! |---|---|
//! | 8 | `toolsift` |
//! | 1 and up | the [`FORMAT`], as a number |
//! | 1 and up | the version of the core, as a text |
//! | 8 | a [`digest`] of all that follows, little-endian |
//! | | a number each for the options that the words depend on: the synonyms, and the parts of the ranker that are
//! switched off |
//! | | the tools of the catalog, in its order (`catalog/prebuilt.rs`) |
//! | | their words, and the calibration of the ranker (`search/index/prebuilt.rs`) |
//!
//! Numbers are LEB128. A list begins with its length. A text is UTF-8, after its length in bytes. A text that may be
//! missing begins with a `+`, or is empty if it is missing. The same catalog under the same settings gives the same
//! bytes on every machine, whatever the catalog contained before.

mod bytes;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;

pub(crate) use bytes::{Decoder, Encoder};

/// The version of the layout and of the ranker's reading of texts: one higher whenever either changes.
const FORMAT: u32 = 13;
const MAGIC: &[u8] = b"toolsift";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Adds the head to the content of an index.
pub(crate) fn seal(content: Encoder) -> Vec<u8> {
    let content = content.into_bytes();
    let mut sealed = Encoder::default();
    sealed.bytes(MAGIC);
    sealed.number(FORMAT);
    sealed.text(VERSION);
    sealed.word(digest(&content));
    sealed.bytes(&content);
    sealed.into_bytes()
}

/// Checks the head of an index, and returns its content.
///
/// # Errors
/// `index_invalid` if the bytes are not an index, or were cut short or altered; `index_stale` for an index of another
/// version.
pub(crate) fn open(bytes: &[u8]) -> Result<Decoder<'_>> {
    if bytes.len() > limits::INDEX_BYTES {
        return Err(invalid(&format!("it takes {} bytes; at most {}", bytes.len(), limits::INDEX_BYTES)));
    }
    let mut from = Decoder::new(bytes);
    if from.take(MAGIC.len()) != Some(MAGIC) {
        return Err(invalid("it does not begin as one of toolsift does"));
    }
    let cut = || invalid("it was cut short or altered");
    let (Some(format), Some(version), Some(seal)) = (from.number(), from.text(), from.word()) else {
        return Err(cut());
    };
    if (format, version) != (FORMAT, VERSION) {
        let version = excerpt(version);
        let why =
            format!("it was built by toolsift {version} (format {format}), and this is {VERSION} (format {FORMAT})");
        return Err(stale(&why, "with this version"));
    }
    if seal != digest(from.rest()) {
        return Err(cut());
    }
    Ok(from)
}

/// Returns the error for an index that cannot be used.
pub(crate) fn invalid(why: &str) -> Error {
    Error::new(ErrorCode::IndexInvalid, format!("the index is invalid: {why}"))
}

/// Returns the error for an index that must be built again, with the reason and the advice.
pub(crate) fn stale(why: &str, with: &str) -> Error {
    Error::new(ErrorCode::IndexStale, format!("the index is stale: {why}; build it again {with}"))
}

/// Writes 64 bits in hexadecimal.
pub(crate) fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// Returns a checksum of 64 bits, which is the same in every runtime. It detects accidental damage, not changes made on
/// purpose.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    /// The golden ratio as a fraction of 64 bits. It is odd, so that multiplication loses no information.
    const STIR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(STIR);
        hash ^ hash >> 32
    };
    // Reading eight bytes per step is faster than one.
    let eights = bytes.chunks_exact(8);
    let rest = eights.remainder().iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let word = |eight: &[u8]| u64::from_le_bytes(eight.try_into().unwrap_or_default());
    let hash = eights.fold(bytes.len() as u64, |hash, eight| step(hash, word(eight)));
    step(hash, rest)
}
