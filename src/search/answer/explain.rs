//! Explains a hit: the words of the request that the tool contains, the field and form of each match, and what each
//! added to the score.

use crate::catalog::Tool;
use crate::map::Map;
use crate::search::analysis::tokenizer::each_word;
use crate::search::fields::{FIELDS, Field};
use crate::search::hit::{HitPart, How, SearchedField};
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::index::tool_texts::each_text;
use crate::search::query::terms::{QueryTerm, Relation};
use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::search::ranking::sentences;

/// A gain below this is a rounding error.
const ROUNDED: f64 = 1e-9;

/// Returns the reasons of a hit; `scale` converts contributions to the scale of the shown score.
#[inline(never)]
pub(crate) fn parts(
    scorer: &Scorer<'_>,
    tool: &Tool,
    terms: &[QueryTerm],
    hit: &Candidate,
    scale: f64,
) -> Vec<HitPart> {
    let surfaces = Surfaces::of(scorer.index, tool, terms);
    let mut found: Vec<(f64, HitPart)> = Vec::new();
    let Scorer { index, view, weights, .. } = scorer;
    for word in terms {
        let from = found.len();
        let mut sum = 0.0;
        for (term, share, relation) in &word.expanded.terms {
            if scorer.skips_translation(&word.expanded, *relation, hit.doc) {
                continue;
            }
            for occurrence in index.columns.occurrences_of(hit.doc, *term) {
                let frequency = view.lengths.in_field(occurrence, &index.columns.lengths[hit.doc]);
                if frequency > 0.0 {
                    let matched = surfaces.get(*term, occurrence.field).unwrap_or(index.vocabulary.text(*term));
                    let how = how(*relation, matched, &word.expanded.word);
                    let part = HitPart::new(occurrence.field.shown(), &word.expanded.word, matched, how, 0.0);
                    found.push((share * frequency, part));
                    sum += share * frequency;
                }
            }
        }
        let gain = word.weight / (sum + weights.k1);
        found[from..].iter_mut().for_each(|(share, _)| *share *= gain);
    }
    let all = found.iter().fold(0.0, |sum, (share, _)| sum + share);
    let words =
        found.into_iter().map(|(share, part)| HitPart { contribution: scale * hit.words * share / all, ..part });
    let (field, sentence) = sentences::best(scorer, terms, hit.doc, tool);
    let whole = [
        (hit.name, SearchedField::Name, How::Covered, &*tool.model_name),
        (hit.of_server, SearchedField::Server, How::Server, tool.server().unwrap_or("")),
        (hit.sentence, field, How::Covered, sentence),
        (hit.intent, SearchedField::Text, How::Intent, ""),
        (hit.host, SearchedField::Text, How::Host, ""),
    ];
    let whole = whole.into_iter().filter(|(gain, ..)| *gain > ROUNDED);
    let whole = whole.map(|(gain, field, how, matched)| HitPart::new(field, "", matched, how, scale * gain));
    words.chain(whole).collect()
}

fn how(relation: Relation, matched: &str, word: &str) -> How {
    match relation {
        Relation::Itself if matched == word => How::Word,
        Relation::Itself => How::Stem,
        Relation::Synonym => How::Synonym,
        Relation::Translation => How::Translation,
        Relation::Relative => How::Relative,
        Relation::Repair => How::Repair,
    }
}

/// The first word in each field of a tool that matches a term of the request.
struct Surfaces(Map<Term, [Option<String>; FIELDS]>);

impl Surfaces {
    fn of(index: &Index, tool: &Tool, terms: &[QueryTerm]) -> Self {
        let terms = terms.iter().flat_map(|term| &term.expanded.terms).map(|(term, ..)| *term);
        let mut words: Map<Term, [Option<String>; FIELDS]> =
            terms.map(|term| (term, [const { None }; FIELDS])).collect();
        each_text(tool, &mut |field, text| {
            each_word(text, |word, _| {
                let term = index.vocabulary.term(&index.lexicon.stem(word));
                if let Some(fields) = term.and_then(|term| words.get_mut(&term)) {
                    fields[field as usize].get_or_insert_with(|| word.to_owned());
                }
            });
        });
        Surfaces(words)
    }

    fn get(&self, term: Term, field: Field) -> Option<&str> {
        self.0.get(&term)?[field as usize].as_deref()
    }
}

impl Field {
    /// Returns the field under the name that hosts see.
    fn shown(self) -> SearchedField {
        match self {
            Field::Name => SearchedField::Name,
            Field::Server => SearchedField::Server,
            Field::Lead | Field::Rest => SearchedField::Description,
            Field::Parameter | Field::ParameterText => SearchedField::Parameter,
            Field::Value => SearchedField::Value,
            Field::Hint => SearchedField::Hint,
            Field::Keyword => SearchedField::Keyword,
            Field::Query => SearchedField::Query,
        }
    }
}
