//! Turns numbers from outside into counts. A count has 32 bits both natively and in wasm, so that both give the same
//! answers: a larger number becomes the largest count, a negative number becomes 0, and fractions are cut off.

use std::num::IntErrorKind;

/// Converts a number into a count.
pub(crate) fn of_float(number: f64) -> usize {
    // The cast saturates.
    number as u32 as usize
}

/// Converts a whole number into a count.
pub(crate) fn of_integer(number: i64) -> usize {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX) as usize
}

/// Parses a whole number. A number that does not fit becomes the nearest one that fits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    match text.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}
