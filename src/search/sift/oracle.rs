//! Stems against those of `rust-stemmers`.

use crate::search::sift::text::stem::stem as ours;

/// What Snowball has changed since the rules of 2017, by a part of the word: `added` keeps two letters, and so on. The test
/// beside the stemmer lists the words of the published vocabulary.
const CHANGED: [&str; 12] =
    ["ogist", "production", "later", "inter", "organ", "past", "univers", "emerg", "evening", "ying", "ll", "eed"];

/// Every line is a word: an English one has the stem that Snowball gives it, and any other has one that is no longer.
pub(crate) fn stem(data: &[u8]) {
    let oracle = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
    let text = String::from_utf8_lossy(data);
    for word in text.lines() {
        let stem = ours(word);
        assert!(stem.len() <= word.len() + 1, "{word:?}: {stem:?}");
        let is_changed = matches!(word.as_bytes(), [b'a' | b'e' | b'i' | b'o' | b'u' | b'y', a, b, ..] if a == b)
            || CHANGED.iter().any(|part| word.contains(part))
            || ["cann", "earr", "herr", "inn", "out"].iter().any(|start| word.starts_with(start));
        let is_english = word.len() > 2 && word.len() < 40 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(!is_english || is_changed || stem == oracle.stem(word), "{word:?}: {stem:?}, {:?}", oracle.stem(word));
    }
}
