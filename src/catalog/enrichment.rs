//! Enrichment: search words that people use for a tool and that its definition lacks, written once by a person or a
//! model. The ranker `sift` searches them; the model never sees them, and they cost nothing in a request.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::limits;
use crate::prebuilt::{digest, hex};

use super::import::{list, string};

/// The search words for one tool.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Enrichment {
    /// Whole requests of users.
    pub queries: Box<[Box<str>]>,
    /// Words and short phrases.
    pub keywords: Box<[Box<str>]>,
    /// Search words that the tool's server sends in `_meta`. They count like its description, which has the same
    /// author.
    pub of_server: Box<[Box<str>]>,
}

impl Enrichment {
    /// Returns true if there are no words.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty() && self.keywords.is_empty() && self.of_server.is_empty()
    }

    /// Joins two enrichments, each text once, up to [`limits::ENRICHMENT_TEXTS`] of each kind.
    pub(super) fn joined(self, other: &Enrichment) -> Self {
        let join = |own: Box<[Box<str>]>, others: &[Box<str>]| {
            let mut all = own.into_vec();
            for text in others {
                if all.len() < limits::ENRICHMENT_TEXTS && !all.contains(text) {
                    all.push(text.clone());
                }
            }
            all.into_boxed_slice()
        };
        Enrichment {
            queries: join(self.queries, &other.queries),
            keywords: join(self.keywords, &other.keywords),
            of_server: join(self.of_server, &other.of_server),
        }
    }
}

/// Returns the hash of the definition that an enrichment is written from: the name of a tool and its description, in
/// which runs of white space count as one blank. It is 64 bits in hexadecimal, and the same on every machine.
pub fn definition_hash(name: &str, description: &str) -> String {
    let words: Vec<&str> = description.split_whitespace().collect();
    // No name contains a zero byte.
    let text = format!("{name}\0{}", words.join(" "));
    hex(digest(text.as_bytes()))
}

/// Reads a list of texts from the host; it is empty if the value is missing or null. Blank texts are left out.
///
/// # Errors
/// `option_invalid` for another type, for more than [`limits::ENRICHMENT_TEXTS`] texts, or for a text longer than
/// [`limits::ENRICHMENT_CHARS`]; `text_invalid` for half a surrogate pair.
pub(super) fn texts(field: &str, raw: Option<&str>) -> Result<Box<[Box<str>]>> {
    let mut texts = Vec::new();
    for item in list(field, raw, limits::ENRICHMENT_TEXTS)? {
        if !item.starts_with('"') {
            let message = format!("{field} must be a list of strings, with {}", excerpt_json(item));
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        let text = string(field, Some(item), usize::MAX)?.unwrap_or_default();
        if text.chars().count() > limits::ENRICHMENT_CHARS {
            let message =
                format!("{field} has {}, longer than {} characters", excerpt(&text), limits::ENRICHMENT_CHARS);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        if !text.trim().is_empty() {
            texts.push(text.trim().into());
        }
    }
    Ok(texts.into())
}
