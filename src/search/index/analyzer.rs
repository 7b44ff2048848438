//! Reads the texts of a tool into terms: stems, by field.

use crate::catalog::Tool;
use crate::limits;
use crate::map::Map;
use crate::search::analysis::lexicon::Lexicon;
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::fields::Field;
use crate::search::ids::Term;
use crate::search::index::columns::{Row, Servers};
use crate::search::index::tool_texts::each_text;
use crate::search::index::vocabulary::Vocabulary;
use crate::text::beginning;

/// The maximum number of words whose terms are cached while tools are read.
const KNOWN_WORDS: usize = 200_000;

/// The bits of a field in a number of a term and a field.
const FIELD_BITS: u32 = 4;

/// The number of occurrences of a term in a field of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub term: Term,
    pub field: Field,
    pub count: u8,
}

/// Reads tools.
#[derive(Debug, Default)]
pub(crate) struct Analyzer {
    known: Known,
    /// Each word of the current tool, as one number of its term and field.
    words: Vec<u64>,
    occurrences: Vec<Occurrence>,
}

/// The words of the tools that were read, so that a word is stemmed once.
#[derive(Debug, Default)]
struct Known {
    /// Words of at most 16 bytes, each as the number of its bytes, because numbers are compared fastest.
    short: Map<u128, Word>,
    long: Map<Box<str>, Word>,
}

impl Known {
    fn number(word: &str) -> Option<u128> {
        (word.len() <= 16).then(|| word.bytes().fold(0, |number, byte| number << 8 | u128::from(byte)))
    }

    fn get(&self, word: &str) -> Option<Word> {
        Known::number(word).map_or_else(|| self.long.get(word), |number| self.short.get(&number)).copied()
    }

    fn insert(&mut self, word: &str, known: Word) {
        if self.short.len() + self.long.len() > KNOWN_WORDS {
            *self = Known::default();
        }
        match Known::number(word) {
            Some(number) => self.short.insert(number, known),
            None => self.long.insert(word.into(), known),
        };
    }
}

/// The meaning of a word in the index.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// `None` if it has only occurred where stop words are left out.
    term: Option<Term>,
    is_stop: bool,
}

impl Analyzer {
    /// Returns the row of a tool, and its terms in the order of terms and fields.
    pub(crate) fn read(
        &mut self,
        tool: &Tool,
        lexicon: &Lexicon,
        vocabulary: &mut Vocabulary,
        servers: &mut Servers,
    ) -> (Row, &[Occurrence]) {
        let may_add = servers.may_add(tool);
        let terms_before = vocabulary.len();
        let Analyzer { known, words, occurrences } = self;
        words.clear();
        let mut row = Row::default();
        let mut server_name: Vec<Term> = Vec::new();
        let mut left = limits::INDEXED_BYTES;
        each_text(tool, &mut |field, text| {
            let text = beginning(text, left);
            left -= text.len();
            let is_name = matches!(field, Field::Name | Field::Server);
            each_word(text, |word, cut| {
                let word = term_of(word, is_name, may_add, known, lexicon, vocabulary);
                let Word { term: Some(term), is_stop } = word else { return };
                if is_stop && !is_name {
                    return;
                }
                words.push(u64::from(term.0) << FIELD_BITS | field as u64);
                if cut == Cut::Joined {
                    return;
                }
                let length = &mut row.lengths[field as usize];
                *length = length.saturating_add(1);
                match field {
                    Field::Name if !is_stop => {
                        // Sorted by text, so that sums over them do not depend on the order in which the vocabulary got
                        // its terms.
                        let by_text = |other: &Term| vocabulary.text(*other).cmp(vocabulary.text(term));
                        if let Err(at) = row.name.binary_search_by(by_text) {
                            row.name.insert(at, term);
                        }
                    }
                    Field::Server => server_name.push(term),
                    _ => {}
                }
                if matches!(field, Field::Name | Field::Lead) {
                    row.lead.push(term);
                }
            });
        });
        row.server = servers.id(tool, || server_name);
        servers.add(row.server, vocabulary.len() - terms_before);
        words.sort_unstable();
        occurrences.clear();
        for same in words.chunk_by(|a, b| a == b) {
            let (term, field) = (same[0] >> FIELD_BITS, same[0] as usize % (1 << FIELD_BITS));
            let count = same.len().min(u8::MAX.into()) as u8;
            occurrences.push(Occurrence { term: Term(term as u32), field: Field::ALL[field], count });
        }
        (row, occurrences)
    }
}

/// Returns the term of a word. Stop words become terms only in names. If no term may be added, words that are not in
/// the vocabulary have no term.
fn term_of(
    word: &str,
    is_name: bool,
    may_add: bool,
    known: &mut Known,
    lexicon: &Lexicon,
    vocabulary: &mut Vocabulary,
) -> Word {
    if let Some(found) = known.get(word).filter(|found| found.term.is_some() || !is_name) {
        return found;
    }
    let is_stop = lexicon.is_stop_word(word);
    if !may_add {
        let term = vocabulary.term(&lexicon.stem(word)).filter(|_| is_name || !is_stop);
        return Word { term, is_stop };
    }
    let term = (is_name || !is_stop).then(|| vocabulary.intern(&lexicon.stem(word)));
    let found = Word { term, is_stop };
    known.insert(word, found);
    found
}
