//! The prebuilt index: a catalog with the words of its search as bytes, which are read in a fraction of the time that it
//! takes to make them from definitions. A head comes first, then what each stage writes and reads itself.
//!
//! | bytes | what they are |
//! |---|---|
//! | 8 | `toolsift` |
//! | 1 and up | the [`FORMAT`], as a number |
//! | 1 and up | the version of the core, as a text |
//! | 8 | a [`digest`] of all that follows, little-endian |
//! | | what the words depend on: a number each for the synonyms and for the ingredients that the ranker leaves out |
//! | | the tools of the catalog, in its order (`catalog/prebuilt.rs`) |
//! | | their words, and the calibration of the ranker (`search/index/prebuilt.rs`) |
//!
//! Numbers are LEB128. The length of a list stands before it. Texts are UTF-8, with their length in bytes before them. A
//! text that may be missing begins with a `+`; it is empty where it is missing. The same catalog under the same settings
//! gives the same bytes on every machine, whatever the catalog held before.

mod bytes;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;

pub(crate) use bytes::{Decoder, Encoder};

/// The layout, and what the ranker makes of texts: one higher whenever either changes.
const FORMAT: u32 = 13;
const MAGIC: &[u8] = b"toolsift";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The whole index around its content.
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

/// The content of a sealed index.
///
/// # Errors
/// `index_invalid` for bytes that are no index, or were cut short or altered; `index_stale` for an index of another version.
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

/// The error of an index that cannot be used.
pub(crate) fn invalid(why: &str) -> Error {
    Error::new(ErrorCode::IndexInvalid, format!("the index is invalid: {why}"))
}

/// The error of an index that must be built again, with the reason and with what to build it.
pub(crate) fn stale(why: &str, with: &str) -> Error {
    Error::new(ErrorCode::IndexStale, format!("the index is stale: {why}; build it again {with}"))
}

/// 64 bits in hexadecimal.
pub(crate) fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// A checksum of 64 bits, the same in every runtime. It finds accidental damage; it is no protection against changes made
/// on purpose.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    /// The golden ratio as a fraction of 64 bits: odd, so that a step loses nothing.
    const STIR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(STIR);
        hash ^ hash >> 32
    };
    // Eight bytes at a time are faster than one by one.
    let eights = bytes.chunks_exact(8);
    let rest = eights.remainder().iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let word = |eight: &[u8]| u64::from_le_bytes(eight.try_into().unwrap_or_default());
    let hash = eights.fold(bytes.len() as u64, |hash, eight| step(hash, word(eight)));
    step(hash, rest)
}
