//! Splits texts into words, sentences and clauses, and maps words to terms: stems, stop words, synonyms.

pub(crate) mod lexicon;
mod look_alikes;
pub(crate) mod sentences;
pub(crate) mod stem;
pub(crate) mod tokenizer;
pub(crate) mod translations;
