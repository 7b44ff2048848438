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

/// The number of occurrences of a term in a field of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub term: Term,
    pub field: Field,
    pub count: u8,
}

/// Reads tools. It caches the term of every word, so that a word is stemmed once.
#[derive(Debug, Default)]
pub(crate) struct Analyzer {
    known: Map<Box<str>, Word>,
    /// Each word of the current tool, as its term and field.
    words: Vec<(Term, Field)>,
    occurrences: Vec<Occurrence>,
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
        if self.known.len() > KNOWN_WORDS {
            self.known.clear();
        }
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
                words.push((term, field));
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
        for (term, field) in words.iter().copied() {
            match occurrences.last_mut() {
                Some(last) if (last.term, last.field) == (term, field) => last.count = last.count.saturating_add(1),
                _ => occurrences.push(Occurrence { term, field, count: 1 }),
            }
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
    known: &mut Map<Box<str>, Word>,
    lexicon: &Lexicon,
    vocabulary: &mut Vocabulary,
) -> Word {
    if let Some(found) = known.get(word).filter(|found| found.term.is_some() || !is_name) {
        return *found;
    }
    let is_stop = lexicon.is_stop_word(word);
    if !may_add {
        let term = vocabulary.term(&lexicon.stem(word)).filter(|_| is_name || !is_stop);
        return Word { term, is_stop };
    }
    let term = (is_name || !is_stop).then(|| vocabulary.intern(&lexicon.stem(word)));
    let found = Word { term, is_stop };
    known.insert(word.into(), found);
    found
}
