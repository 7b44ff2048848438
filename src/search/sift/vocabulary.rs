//! Which words of the catalog are like a word? Those that begin alike, and those that are one or two slips of the
//! keyboard away.

use crate::sort::sorted;
use crate::text::EditDistance;

use super::candidates::Candidates;
use super::index::{Index, Term};

/// Words that begin with a stem, or that the stem begins with: `recommend` and `recommender`. Shorter ones have
/// nothing to do with each other.
pub(super) fn relatives<'i>(index: &'i Index, stem: &'i str) -> impl Iterator<Item = Term> + 'i {
    const LEAST: usize = 5;
    const LONGER: usize = 4;
    let is_long = stem.len() >= LEAST && stem.is_ascii();
    let beginnings = (LEAST..stem.len()).filter(move |at| is_long && at + LONGER >= stem.len());
    let beginnings = beginnings.filter_map(|at| index.term(&stem[..at]));
    let longer = index.beginning_with(stem).filter(move |term| {
        let text = index.text(*term);
        is_long && text.len() > stem.len() && text.len() <= stem.len() + LONGER
    });
    beginnings.chain(longer)
}

/// What may have been meant by a stem that no tool has, with how like it is, best first: words that begin with it, and
/// words with the same first letter that one slip (from five letters) or two (from eight) turn into it.
pub(super) fn repairs(index: &Index, candidates: &Candidates, stem: &str) -> Vec<(Term, f64)> {
    const MOST: usize = 5;
    const LEAST: usize = 4;
    let letters: Vec<char> = stem.chars().collect();
    let (Some(first), false) = (letters.first(), stem.bytes().any(|b| b.is_ascii_digit())) else { return Vec::new() };
    if letters.len() < LEAST {
        return Vec::new();
    }
    let slips = match letters.len() {
        8.. => 2,
        5.. => 1,
        _ => 0,
    };
    let mut distance = EditDistance::default();
    let mut found: Vec<(Term, f64)> = Vec::new();
    for term in index.beginning_with(first.encode_utf8(&mut [0; 4])) {
        let text = index.text(term);
        let length = text.chars().count();
        if text.starts_with(stem) {
            found.push((term, letters.len() as f64 / length as f64));
        } else if length.abs_diff(letters.len()) <= slips && length >= LEAST {
            let other: Vec<char> = text.chars().collect();
            let edits = distance.between(&letters, &other);
            if edits <= slips {
                found.push((term, 1.0 - edits as f64 / letters.len().max(length) as f64));
            }
        }
    }
    found.retain(|(term, _)| candidates.hold(index, *term));
    let mut found = sorted(found, |a, b| b.1.total_cmp(&a.1));
    found.truncate(MOST);
    found
}
