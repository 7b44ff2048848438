//! Adds what the host says of tools, such as how close their vectors are to the query's: a tool that holds no word of the
//! request may enter, and those that the host prefers move up.

use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::search::top_k::top_k;

/// What the highest score of the host's adds, as a share of the best score by words: chosen with a real embedding model
/// where the optimum is flat. Shares keep scores of the host's from drowning words, whatever words found.
const SHARE: f64 = 0.5;
/// Tools that enter without a word of the request: two pages. To some degree, every tool is close to every request.
const ENTER: usize = 10;

/// Adds scores, by positions in the catalog, to the candidates of a request, and returns how many tools that hold no word of
/// it enter. Tools that are not searched are passed over.
pub(crate) fn add(scores: &[(u32, f64)], scorer: &Scorer<'_>, candidates: &mut Vec<Candidate>) -> usize {
    if scores.is_empty() {
        return 0;
    }
    let view = scorer.view;
    let before = candidates.len();
    let mut gains = vec![0.0; scorer.index.versions.len()];
    for (position, score) in scores {
        gains[scorer.index.versions.at(*position as usize)] = *score;
    }
    let best = candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best));
    let most = SHARE * if best > 0.0 { best } else { 1.0 };
    for candidate in candidates.iter_mut() {
        candidate.host = most * std::mem::take(&mut gains[candidate.doc]);
    }
    // What is left has no word, or is not searched.
    let docs = view.in_order();
    let left: Vec<f64> = docs.iter().map(|doc| if scorer.admits(*doc) { gains[*doc] } else { 0.0 }).collect();
    for at in top_k(&left, ENTER, &|a, b| a.cmp(&b)) {
        let (doc, score) = (docs[at], left[at]);
        if score > 0.0 {
            let server = scorer.server(doc);
            candidates.push(Candidate { doc, server, host: most * score, ..Candidate::default() });
        }
    }
    candidates.len() - before
}
