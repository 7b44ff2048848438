//! Reads and writes numbers with serde_json: the reader and writer of the standard library add some 20 KB to the wasm.

use serde_json::Number;

/// Reads a number.
pub(crate) fn number(text: &str) -> Option<Number> {
    text.parse().ok()
}

/// A number for people.
pub(crate) fn number_text(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        return (number as i64).to_string();
    }
    match Number::from_f64(number) {
        Some(number) => number.to_string(),
        None if number.is_nan() => "NaN".to_owned(),
        None => if number > 0.0 { "inf" } else { "-inf" }.to_owned(),
    }
}
