//! Prefers tools that have the very word of a query of one word. In a longer query the other words tell its meaning; alone,
//! *played* is better served by a tool that says *played* than by all that say *play*.

use std::sync::Arc;

use crate::catalog::{Tool, own_name};
use crate::search::analysis::tokenizer::each_word;
use crate::search::index::tool_texts::each_description;
use crate::search::query::terms::QueryTerm;
use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::text::singular;

/// Tools that are looked at, the best first.
const READ_TOOLS: usize = 64;

/// What a tool counts that has the word in the other number, as *tickets* for *ticket*.
const IN_NUMBER: f64 = 0.5;

/// Where a tool has the word of a request of one word in its name or description, the tools that do not have it count less:
/// a share of their scores. Returns that share for tools that are no candidates.
pub(crate) fn prefer(
    terms: &[QueryTerm],
    scorer: &Scorer<'_>,
    tools: &[Arc<Tool>],
    candidates: &mut [Candidate],
) -> f64 {
    let [term] = terms else { return 1.0 };
    let share = scorer.weights.exact;
    let best = scorer.to_front(candidates, READ_TOOLS);
    let like = |one: &Candidate| like(&tools[scorer.position(one.doc)], &term.expanded.word).max(share);
    let shares: Vec<f64> = best.iter().map(like).collect();
    if !shares.contains(&1.0) {
        return 1.0;
    }
    for (candidate, share) in candidates.iter_mut().zip(shares.into_iter().chain(std::iter::repeat(share))) {
        candidate.words *= share;
        candidate.name *= share;
        candidate.of_server *= share;
    }
    share
}

/// 1 for a tool that has a word, less for one that has it in the other number only, 0 for one that does not have it.
fn like(tool: &Tool, wanted: &str) -> f64 {
    let stem = singular(wanted);
    let mut likeness: f64 = 0.0;
    let mut look = |text: &str| {
        each_word(text, |word, _| {
            if word == wanted {
                likeness = 1.0;
            } else if word.as_bytes().first() == stem.as_bytes().first() && singular(word) == stem {
                likeness = likeness.max(IN_NUMBER);
            }
        });
    };
    look(own_name(&tool.key));
    each_description(tool, &mut |_, text| look(text));
    likeness
}
