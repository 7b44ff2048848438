//! What the rankers of the published systems read of tools, beside the texts that the catalog keeps.

use crate::catalog::Tool;
use crate::search::ids::{Lists, Slot, Term};
use crate::search::index::vocabulary::{Vocabulary, push_to};
use crate::spelling::Signature;
use crate::text::{name_parts, words};

/// Words of a description that are compared letter by letter; it bounds the cost of one tool.
const COMPARED_WORDS: usize = 64;

/// What an index reads of tools beside their names, for the rankers that use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Stems in the fields of the sift ranker.
    pub terms: bool,
    /// Trigrams of the texts in which words are looked for as they are written.
    pub trigrams: bool,
    /// The words that BM25 counts.
    pub documents: bool,
    /// Words that are compared letter by letter.
    pub compared: bool,
}

/// Columns by slot, as far as they are needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// Of the name, the description and the hint.
    pub trigrams: Vec<OfTexts>,
    /// By term, which here is a word of the name, the description or the names of parameters: the slots of the tools, each
    /// as often as the word occurs in it.
    documents: Vec<Vec<Slot>>,
    /// How many words there are in each tool.
    pub lengths: Vec<u32>,
    /// The words of the name, then the first words of the description.
    pub compared: Lists<Slot, Term>,
    /// By term, where words are compared.
    pub signatures: Vec<Signature>,
}

impl Words {
    /// The slots of the tools whose document has a term, as often as it does, rising.
    pub(crate) fn with_term(&self, term: Term) -> &[Slot] {
        self.documents.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// Reads the tool in a slot, the next one.
    pub(super) fn push(&mut self, tool: &Tool, slot: Slot, needs: Needs, vocabulary: &mut Vocabulary) {
        if needs.trigrams {
            self.trigrams.push(OfTexts::of([&tool.model_name, &*tool.description, tool.search_hint().unwrap_or("")]));
        }
        if needs.documents {
            let mut text = format!("{} {}", tool.model_name, tool.description);
            tool.parameters.property_names().iter().for_each(|name| text.extend([" ", name]));
            text.make_ascii_lowercase();
            ascii_words(&text).for_each(|word| push_to(&mut self.documents, vocabulary.intern(word), slot));
            self.lengths.push(ascii_words(&text).count() as u32);
        }
        if needs.compared {
            let (name, description) = (name_parts(&tool.model_name), tool.description.to_lowercase());
            let words = name.iter().map(String::as_str).chain(words(&description).take(COMPARED_WORDS));
            self.compared.push(words.map(|word| vocabulary.intern(word)));
            let new = (self.signatures.len()..vocabulary.len()).map(Term::new);
            self.signatures.extend(new.map(|term| Signature::of(vocabulary.text(term).chars())));
        }
    }
}

/// The runs of ASCII letters and digits: the words of BM25.
pub(crate) fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}

/// Which runs of three ASCII characters occur in some texts in lower case, in so many times 64 bits, of which some runs share
/// one. Most tools are known not to contain a word without reading their texts.
#[derive(Clone, Debug)]
pub(crate) struct Trigrams<const WORDS: usize>([u64; WORDS]);

/// Of all texts of a tool, which have some hundred trigrams: a third of these bits, of which a word has several.
pub(crate) type OfTexts = Trigrams<16>;
/// Of the names of a tool.
pub(crate) type OfNames = Trigrams<2>;

impl<const WORDS: usize> Trigrams<WORDS> {
    /// The golden ratio as a fraction of 32 bits: its products differ in their upper bits.
    const MULTIPLIER: u32 = 0x9e37_79b9;

    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut bits = [0; WORDS];
        for text in texts {
            let text = text.to_lowercase();
            for three in text.as_bytes().windows(3).filter(|three| three.is_ascii()) {
                let number = u32::from_le_bytes([three[0], three[1], three[2], 0]).wrapping_mul(Self::MULTIPLIER);
                let bit = (number >> 16) as usize % (WORDS * 64);
                bits[bit / 64] |= 1 << (bit % 64);
            }
        }
        Trigrams(bits)
    }

    /// Whether a text may contain another, which has these trigrams. False only where it does not.
    pub(crate) fn may_contain(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(all, some)| some & !all == 0)
    }
}
