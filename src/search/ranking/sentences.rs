//! Compares a request with whole sentences of a tool: the first one of its description, and each request of its
//! enrichment. A field is a bag of words, so that a request may match each word in another sentence. A request that
//! nearly equals one of these sentences means this tool.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::hit::SearchedField;
use crate::search::ids::{Doc, Term};
use crate::search::index::Index;
use crate::search::index::columns::Sentences;
use crate::search::query::terms::QueryTerm;
use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::text::{beginning, first_sentence};

/// The number of tools that are compared: the best of four pages, and others as good as the last of them.
const COMPARED_TOOLS: usize = 20;
/// The weight of the first sentence of a description, relative to a request of the enrichment: it describes the tool,
/// not what people ask for.
const LEAD: f64 = 0.5;
/// The maximum bytes read of a sentence. A longer one covers too many things.
const SENTENCE_BYTES: usize = 1_000;

/// Raises the best tools by how well one of their sentences fits.
pub(crate) fn raise(scorer: &Scorer<'_>, tools: &[Arc<Tool>], terms: &[QueryTerm], candidates: &mut [Candidate]) {
    if scorer.weights.sentences == 0.0 {
        return;
    }
    let wanted = Wanted::of(terms);
    let mut scores: Vec<f64> = candidates.iter().map(Candidate::by_words).collect();
    let least = match scores.len() > COMPARED_TOOLS {
        true => *scores.select_nth_unstable_by(COMPARED_TOOLS - 1, |a, b| b.total_cmp(a)).1,
        false => 0.0,
    };
    for candidate in candidates.iter_mut().filter(|candidate| candidate.by_words() >= least) {
        let best = wanted.best(scorer, candidate.doc, &tools[scorer.position(candidate.doc)]);
        candidate.sentence = candidate.words * scorer.weights.sentences * best.fit;
    }
}

/// Returns the sentence of a tool that fits a request best, with its field.
pub(crate) fn best<'t>(scorer: &Scorer<'_>, terms: &[QueryTerm], doc: Doc, tool: &'t Tool) -> (SearchedField, &'t str) {
    let best = Wanted::of(terms).best(scorer, doc, tool);
    match best.at.checked_sub(1).and_then(|at| tool.queries().get(at)) {
        Some(query) => (SearchedField::Query, query),
        None => (SearchedField::Description, lead(tool)),
    }
}

/// The words of a request, without synonyms and other terms that stand for them: these make more tools look alike.
struct Wanted {
    /// The terms, each with its weight.
    terms: Vec<(Term, f64)>,
    total: f64,
}

/// The fit of a sentence, and its number: 0 is the first sentence of the description, then come those of the
/// enrichment.
#[derive(Default)]
struct Best {
    fit: f64,
    at: usize,
}

impl Wanted {
    fn of(terms: &[QueryTerm]) -> Self {
        let itself = |word: &QueryTerm| word.expanded.itself().map(|term| (term, word.weight));
        let total = terms.iter().map(|word| word.weight).sum();
        Wanted { terms: terms.iter().filter_map(itself).collect(), total }
    }

    fn best(&self, scorer: &Scorer<'_>, doc: Doc, tool: &Tool) -> Best {
        let index = scorer.index;
        let sentences = index.columns.sentences[doc].get_or_init(|| read(index, doc, tool));
        let mut best = Best::default();
        for (at, sentence) in sentences.iter().enumerate() {
            let most = if at == 0 { LEAD } else { 1.0 };
            let (mut of_request, mut covered) = (0.0, 0.0);
            for term in sentence {
                if let Some((_, weight)) = self.terms.iter().find(|(other, _)| other == term) {
                    of_request += weight / self.total;
                    covered += scorer.view.idf(*term);
                }
            }
            if most * of_request <= best.fit {
                continue;
            }
            // Squared: a sentence that is nearly the request means much; one with the same words among many others
            // means little.
            let share = covered / sentence.iter().fold(0.0, |sum, term| sum + scorer.view.idf(*term));
            let fit = most * of_request * share * share;
            if fit > best.fit {
                best = Best { fit, at };
            }
        }
        best
    }
}

/// Returns the terms of each sentence of a tool, each once, in the order of the text.
fn read(index: &Index, doc: Doc, tool: &Tool) -> Sentences {
    let terms = |text: &str| {
        let mut terms: Vec<Term> = Vec::new();
        each_word(beginning(text, SENTENCE_BYTES), |word, cut| {
            if cut != Cut::Joined && !index.lexicon.is_stop_word(word) {
                let term = index.vocabulary.term(&index.lexicon.stem(word));
                terms.extend(
                    term.filter(|term| !index.columns.occurrences_of(doc, *term).is_empty() && !terms.contains(term)),
                );
            }
        });
        terms.into_boxed_slice()
    };
    let queries = tool.queries().iter().map(|query| terms(query));
    std::iter::once(terms(lead(tool))).chain(queries).collect()
}

fn lead(tool: &Tool) -> &str {
    first_sentence(tool.description.trim_start())
}
