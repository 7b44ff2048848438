//! Draws bags of words from the texts of tools: words of definitions, or words that occur only in enrichments, like the
//! words of a request in another language.

use crate::map::Map;
use crate::search::analysis::tokenizer::is_unspaced;
use crate::search::ids::Term;
use crate::search::null_scores::Kind;
use crate::search::query::terms::{QueryTerm, Word};
use crate::search::ranking::Scorer;

/// A request is in another language if its words that occur only in enrichments weigh this many times as much as the
/// others.
const FOREIGN: f64 = 3.0;
/// Words of enrichments are drawn if at least one of this many tools has words of the kind. With fewer tools, each of
/// these words is rare, and a request that shares one with a tool seems to mean it.
const WORDED_SHARE: usize = 4;

/// Returns the kind of a request, by the weight of its known words.
pub(super) fn kind_of(scorer: &Scorer<'_>, terms: &[QueryTerm]) -> Kind {
    let mut weights = [0.0; Kind::COUNT];
    for QueryTerm { expanded, weight } in terms {
        if let Some(term) = expanded.itself() {
            weights[kind_of_term(scorer, term) as usize] += weight;
        }
    }
    let [written, colloquial, in_pairs, _] = weights;
    match () {
        _ if written * FOREIGN >= colloquial + in_pairs => Kind::Written,
        _ if colloquial >= in_pairs => Kind::Colloquial,
        _ => Kind::ColloquialInPairs,
    }
}

/// Returns the kind of a term.
fn kind_of_term(scorer: &Scorer<'_>, term: Term) -> Kind {
    match scorer.view.is_defined(term) {
        true => Kind::Written,
        false if scorer.index.vocabulary.text(term).starts_with(is_unspaced) => Kind::ColloquialInPairs,
        false => Kind::Colloquial,
    }
}

/// The source of random words.
pub(crate) enum Words {
    /// Names and leads (first sentences). Each word is drawn from another tool.
    OfDefinitions,
    /// Terms that occur only in enrichments, each with the running sum of occurrences. They are in alphabetical order,
    /// since ids depend on earlier states of the catalog.
    OfEnrichments(Vec<(Term, usize)>),
}

impl Words {
    /// Collects the words of a kind; `None` if too few tools have any.
    pub(super) fn of(scorer: &Scorer<'_>, kind: Kind) -> Option<Self> {
        if matches!(kind, Kind::Written | Kind::Unenriched) {
            return Some(Words::OfDefinitions);
        }
        let Scorer { index, view, .. } = *scorer;
        let (mut counts, mut tools): (Map<Term, usize>, usize) = Default::default();
        for doc in view.in_order() {
            let mut has = false;
            index.columns.each_term(*doc, |term, occurrences| {
                if kind_of_term(scorer, term) == kind {
                    has = true;
                    *counts.entry(term).or_default() +=
                        occurrences.iter().map(|one| usize::from(one.count)).sum::<usize>();
                }
            });
            tools += usize::from(has);
        }
        let mut sum = 0;
        let terms = view.starting_with(index, "").iter().filter_map(|term| {
            sum += counts.get(term)?;
            Some((*term, sum))
        });
        let terms = terms.collect();
        (tools * WORDED_SHARE >= view.len()).then_some(Words::OfEnrichments(terms))
    }

    /// Draws a bag of at most `size` words.
    pub(super) fn bag(&self, scorer: &Scorer<'_>, size: usize, draw: &mut Draw) -> Vec<Word> {
        let Scorer { index, view, .. } = *scorer;
        let mut term = || match self {
            Words::OfDefinitions => {
                let terms = index.columns.leads.row(view.in_order()[draw.below(view.len())?]);
                Some(terms[draw.below(terms.len())?])
            }
            Words::OfEnrichments(terms) => {
                let place = draw.below(terms.last()?.1)?;
                Some(terms[terms.partition_point(|(_, sum)| *sum <= place)].0)
            }
        };
        let terms = (0..size).filter_map(|_| term());
        terms.map(|term| (index.vocabulary.text(term).to_owned(), 1.0)).collect()
    }
}

/// A generator of pseudo-random numbers, the same in every run (Knuth's linear congruential generator for 64 bits).
pub(super) struct Draw(pub u64);

impl Draw {
    /// Returns a number below `bound`, or `None` if `bound` is 0.
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize).checked_rem(bound)
    }
}
