//! A test of whether memory is left, made before something large is read.

use std::hint::black_box;

use crate::error::{Error, ErrorCode, Result};

/// Takes so many bytes of memory and gives them back. An allocation that fails later ends the process, and in wasm every
/// `ToolSift` that shares the memory; this one is an error.
///
/// # Errors
/// `out_of_memory`.
pub(crate) fn reserve(bytes: usize) -> Result<()> {
    let mut room: Vec<u8> = Vec::new();
    let result = room.try_reserve_exact(bytes);
    // Without this the compiler may leave the allocation out, because nothing is written to it.
    black_box(&room);
    result.map_err(|_| Error::new(ErrorCode::OutOfMemory, format!("there is no memory for {bytes} more bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_an_error() {
        assert!(reserve(1_000_000).is_ok());
        let error = reserve(isize::MAX as usize).map_err(|error| error.code());
        assert_eq!(error, Err(ErrorCode::OutOfMemory));
    }
}
