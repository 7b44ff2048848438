//! Cuts texts into words, reduces words to stems, and knows words of the same meaning.

pub(in crate::search) mod lexicon;
pub(super) mod look_alikes;
pub(super) mod stem;
pub(in crate::search) mod tokenizer;
