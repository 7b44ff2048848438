//! Compares what is written by hand with what others wrote, for any bytes: patterns with the crate `regex` and with
//! backtracking, stems with `rust-stemmers`, the best of many scores with a sort.
//!
//! The fuzzer calls these functions; the tests replay what is kept in `lab/fuzz/corpus`. The published crate leaves them out.

use crate::search::oracle::{pattern, regex, stem, top_k};

/// A comparison, for any bytes.
pub type Target = fn(&[u8]);

/// The comparisons by name.
pub const TARGETS: [(&str, Target); 4] = [("pattern", pattern), ("regex", regex), ("stem", stem), ("top_k", top_k)];

#[cfg(test)]
mod replay;

#[cfg(test)]
mod tests {
    use super::replay;

    #[test]
    fn what_is_kept_of_every_comparison_agrees() {
        // The published crate comes without a corpus.
        if std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lab/fuzz").is_dir() {
            for (name, body) in super::TARGETS {
                replay::replay(name, body, 80);
            }
        }
    }
}
