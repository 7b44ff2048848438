//! Adds the host's own scores, such as similarities of embedding vectors. A tool without any word of the request may
//! become a hit, and tools that the host prefers move up.

use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::search::top_k::top_k;

/// The gain of the host's highest score, as a share of the best score by words. It was chosen with a real embedding
/// model, where the result hardly changes with the share. As a share, the host's scores never outweigh words, whatever
/// the scale of either is.
const SHARE: f64 = 0.5;
/// The maximum number of tools that become hits without a word of the request: two pages. Vectors find every tool a
/// little similar.
const ENTER: usize = 10;

/// Adds scores by position in the catalog to the candidates of a request. Returns how many tools without a word of the
/// request were added. Tools that are not searched are ignored.
#[inline(never)]
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
    // The remaining gains are of tools without a word, or of tools that are not searched.
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
