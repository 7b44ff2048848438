//! Adds what the host says of tools, such as how close their vectors are to the query's: a tool that holds no word of the
//! request may enter, and those that the host prefers move up.

use crate::map::Map;
use crate::search::slots::Slot;
use crate::search::top_k::top_k;

use super::candidate::Candidate;
use super::index::Index;
use super::statistics::Statistics;

/// What the highest score of the host's adds, as a share of the best score by words: chosen with a real embedding model
/// where the optimum is flat (`docs/embeddings.md`). Shares keep scores of the host's from drowning words, whatever words
/// found.
const SHARE: f64 = 0.5;
/// Tools that enter without a word of the request: two pages. To some degree, every tool is close to every request.
const ENTER: usize = 10;

/// Adds scores, by positions in the catalog, to the candidates of a request. Tools that are not searched are passed over.
pub(super) fn add(scores: &[(u32, f64)], index: &Index, statistics: &Statistics, candidates: &mut Vec<Candidate>) {
    let mut gains: Map<Slot, f64> = Map::default();
    let slot = |position: u32| index.slots.at(position as usize);
    for (position, score) in scores.iter().filter(|(position, score)| *score > 0.0 && statistics.has(slot(*position))) {
        gains.insert(slot(*position), *score);
    }
    let best = candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best));
    let most = SHARE * if best > 0.0 { best } else { 1.0 };
    for candidate in candidates.iter_mut() {
        candidate.host = most * gains.remove(&candidate.slot).unwrap_or(0.0);
    }
    // What is left holds no word.
    let mut others: Vec<(Slot, f64)> = Vec::new();
    for (position, _) in scores {
        let slot = slot(*position);
        others.extend(gains.remove(&slot).map(|score| (slot, score)));
    }
    let of: Vec<f64> = others.iter().map(|(_, score)| *score).collect();
    for at in top_k(&of, ENTER, &|a, b| statistics.place(others[a].0).cmp(&statistics.place(others[b].0))) {
        let (slot, score) = others[at];
        let server_number = index.columns.servers[slot as usize];
        candidates.push(Candidate { slot, server_number, host: most * score, ..Candidate::default() });
    }
}
