//! Why does a tool fit? The words of the request that it holds, where, as what, and what each added to the score.

use crate::catalog::Tool;
use crate::search::hit::{HitPart, How, SearchedField};
use crate::sort::sorted;

use super::candidates::Candidates;
use super::fields::{FIELDS, Field, each_text};
use super::index::{Index, Posting, Term};
use super::rank::{Ranked, frequency};
use super::request::{Sought, Via};
use super::terms::each_word;
use super::weights::Weights;

/// The reasons of a hit; `scale` turns what they add into shares of the score that is shown.
pub(super) fn parts(
    (index, candidates): (&Index, &Candidates),
    tool: &Tool,
    sought: &[Sought],
    hit: &Ranked,
    weights: &Weights,
    scale: f64,
) -> Vec<HitPart> {
    let document = &index.documents[hit.document];
    let frequency_of = |term: Term, field: Field| {
        let occurrence = document.occurrences.iter().find(|at| at.term == term && at.field == field)?;
        let posting = Posting { document: hit.document as u32, field, count: occurrence.count };
        Some(frequency(index, candidates, &posting, weights)).filter(|frequency| *frequency > 0.0)
    };
    let surfaces = Surfaces::of(index, tool, sought);
    let mut found: Vec<(f64, HitPart)> = Vec::new();
    for word in sought {
        let from = found.len();
        let mut sum = 0.0;
        for (term, worth, via) in &word.via {
            for field in Field::ALL {
                let Some(frequency) = frequency_of(*term, field) else { continue };
                let matched = surfaces.get(*term, field).unwrap_or(index.text(*term)).to_owned();
                let how = how(*via, &matched, &word.word);
                found.push((worth * frequency, HitPart::new(field.shown(), &word.word, &matched, how, 0.0)));
                sum += worth * frequency;
            }
        }
        let gain = word.weight / (sum + weights.k1);
        found[from..].iter_mut().for_each(|(share, _)| *share *= gain);
    }
    let all = found.iter().fold(0.0, |sum, (share, _)| sum + share);
    let words =
        found.into_iter().map(|(share, part)| HitPart { contribution: scale * hit.words * share / all, ..part });
    let name = || tool.model_name.to_string();
    let whole = [
        (hit.name, SearchedField::Name, How::Covered, name()),
        (hit.pairs, SearchedField::Text, How::Adjacent, String::new()),
        (hit.server, SearchedField::Server, How::Server, tool.server().unwrap_or("").to_owned()),
        (hit.intent, SearchedField::Text, How::Intent, String::new()),
    ];
    let whole = whole.into_iter().filter(|(gain, ..)| *gain > 0.0).map(|(gain, field, how, matched)| HitPart {
        field,
        term: String::new(),
        matched,
        how,
        contribution: scale * gain,
    });
    words.chain(whole).collect()
}

fn how(via: Via, matched: &str, word: &str) -> How {
    match via {
        Via::Itself if matched == word => How::Word,
        Via::Itself => How::Stem,
        Via::Synonym => How::Synonym,
        Via::Relative => How::Relative,
        Via::Repair => How::Repair,
        Via::Compound => How::Compound,
    }
}

/// The words that stand for those of the request, as they stand first in each field of a tool.
struct Surfaces {
    /// In their order.
    terms: Vec<Term>,
    /// Of each term, by field.
    words: Vec<[Option<String>; FIELDS]>,
}

impl Surfaces {
    fn of(index: &Index, tool: &Tool, sought: &[Sought]) -> Self {
        let terms = sought.iter().flat_map(|word| &word.via).map(|(term, ..)| *term).collect();
        let terms = sorted(terms, Term::cmp);
        let mut words = vec![[const { None }; FIELDS]; terms.len()];
        each_text(tool, &mut |field, text| {
            each_word(text, &mut |word, _| {
                let term = index.term(&index.lexicon.stem(&word));
                if let Some(at) = term.and_then(|term| terms.binary_search(&term).ok()) {
                    words[at][field as usize].get_or_insert(word);
                }
            });
        });
        Surfaces { terms, words }
    }

    fn get(&self, term: Term, field: Field) -> Option<&str> {
        self.words[self.terms.binary_search(&term).ok()?][field as usize].as_deref()
    }
}

impl Field {
    /// The field as hosts know it.
    fn shown(self) -> SearchedField {
        match self {
            Field::Name => SearchedField::Name,
            Field::Server => SearchedField::Server,
            Field::Lead | Field::Rest => SearchedField::Description,
            Field::Parameter | Field::ParameterText => SearchedField::Parameter,
            Field::Value => SearchedField::Value,
            Field::Hint => SearchedField::Hint,
        }
    }
}
