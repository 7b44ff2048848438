//! Seals indexes that the tests changed: computes the seal independently, from its description in
//! `src/prebuilt/mod.rs`.

use toolsift::{Error, ErrorCode};

pub fn code<T>(result: &Result<T, Error>) -> Option<(ErrorCode, String)> {
    result.as_ref().err().map(|error| (error.code(), error.message().to_owned()))
}

/// 64 bits for some bytes.
pub fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 32)
    };
    let mut hash = bytes.len() as u64;
    let whole = bytes.len() / 8 * 8;
    for at in (0..whole).step_by(8) {
        hash = step(hash, (0..8).map(|byte| u64::from(bytes[at + byte]) << (8 * byte)).sum());
    }
    step(hash, (whole..bytes.len()).map(|at| u64::from(bytes[at]) << (8 * (at - whole))).sum())
}

/// Where the content of an index begins: behind the name, the format, the version and the hash.
pub fn head(index: &[u8]) -> usize {
    8 + 1 + 1 + usize::from(index[9]) + 8
}

/// An index with the hash that its content has now.
pub fn resealed(mut index: Vec<u8>) -> Vec<u8> {
    let head = head(&index);
    let hash = digest(&index[head..]).to_le_bytes();
    index[head - 8..head].copy_from_slice(&hash);
    index
}
