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
//! Values are written by postcard: numbers as LEB128, lists and texts after their length. The same catalog under the
//! same settings gives the same bytes on every machine, whatever the catalog contained before.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;

/// The version of the layout and of the ranker's reading of texts: one higher whenever either changes.
const FORMAT: u32 = 14;
const MAGIC: &[u8] = b"toolsift";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Adds a value to the content of an index.
pub(crate) fn put(value: impl Serialize, to: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    to.extend(postcard::to_allocvec(&value).unwrap_or_default());
}

/// Takes a value from the beginning of the content of an index. Memory is reserved only for as much as the bytes hold.
///
/// # Errors
/// `index_invalid`.
pub(crate) fn take<'a, T: Deserialize<'a>>(from: &mut &'a [u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(from).map_err(|_| contradiction())?;
    *from = rest;
    Ok(value)
}

/// Adds the head to the content of an index.
pub(crate) fn seal(content: &[u8]) -> Vec<u8> {
    let mut sealed = MAGIC.to_vec();
    put((FORMAT, VERSION), &mut sealed);
    sealed.extend(digest(content).to_le_bytes());
    sealed.extend(content);
    sealed
}

/// Checks the head of an index, and returns its content.
///
/// # Errors
/// `index_invalid` if the bytes are not an index, or were cut short or altered; `index_stale` for an index of another
/// version.
pub(crate) fn open(bytes: &[u8]) -> Result<&[u8]> {
    if bytes.len() > limits::INDEX_BYTES {
        return Err(invalid(&format!("it takes {} bytes; at most {}", bytes.len(), limits::INDEX_BYTES)));
    }
    let Some(mut from) = bytes.strip_prefix(MAGIC) else {
        return Err(invalid("it does not begin as one of toolsift does"));
    };
    let cut = || invalid("it was cut short or altered");
    let (format, version): (u32, &str) = take(&mut from).map_err(|_| cut())?;
    if (format, version) != (FORMAT, VERSION) {
        let version = excerpt(version);
        let why =
            format!("it was built by toolsift {version} (format {format}), and this is {VERSION} (format {FORMAT})");
        return Err(stale(&why, "with this version"));
    }
    match from.split_first_chunk() {
        Some((seal, content)) if u64::from_le_bytes(*seal) == digest(content) => Ok(content),
        _ => Err(cut()),
    }
}

/// Returns the error for an index that cannot be used.
fn invalid(why: &str) -> Error {
    Error::new(ErrorCode::IndexInvalid, format!("the index is invalid: {why}"))
}

/// Returns the error for content that no catalog has.
pub(crate) fn contradiction() -> Error {
    invalid("it contradicts itself")
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
