//! Finds terms of the searched tools that are similar to a word: terms with the same beginning, and terms that differ
//! by one or two typos.

use crate::search::analysis::stem::are_kept_apart;
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::top_k::top_k;
use crate::search::view::View;
use crate::text::EditDistance;

/// The maximum number of terms with one prefix that are checked.
const PREFIXED: usize = 500;

/// Calls back with the terms that begin with a stem, or with which the stem begins: `recommend` and `recommender`.
/// Shorter stems are skipped, since such terms are unrelated.
pub(crate) fn relatives(index: &Index, view: &View, stem: &str, mut take: impl FnMut(Term)) {
    const STEM_BYTES: usize = 5;
    const LONGER_BYTES: usize = 4;
    if stem.len() < STEM_BYTES || !stem.is_ascii() {
        return;
    }
    let vocabulary = &index.vocabulary;
    let shortest = stem.len().saturating_sub(LONGER_BYTES).max(STEM_BYTES);
    let mut take = |term: Term| {
        if !are_kept_apart(stem, vocabulary.text(term)) {
            take(term);
        }
    };
    (shortest..stem.len()).filter_map(|end| vocabulary.term(&stem[..end])).for_each(&mut take);
    for term in view.starting_with(index, stem).iter().take(PREFIXED) {
        let length = vocabulary.text(*term).len();
        if length > stem.len() && length <= stem.len() + LONGER_BYTES {
            take(*term);
        }
    }
}

/// Endings that stems do not have. A typo in one of them, or before it, keeps the stemmer from removing it.
const ENDINGS: [&str; 9] = ["ations", "ation", "itions", "ments", "ment", "sions", "tions", "ents", "er"];
/// The minimum number of letters before an ending.
const BEFORE_ENDING: usize = 4;

/// Returns corrections of a word that no tool has, each with its similarity, best first: terms that begin with its
/// stem, and terms with the same first letter that differ by one typo (stems of at least 4 letters) or two (of at least
/// 8), or by one typo in or before the ending. `comparisons` is the number of terms that may still be checked for this
/// query.
#[inline(never)]
pub(crate) fn repairs(index: &Index, view: &View, word: &str, stem: &str, comparisons: &mut usize) -> Vec<(Term, f64)> {
    const REPAIRS: usize = 5;
    const WORD_BYTES: usize = 4;
    const STEM_CHARS: usize = 3;
    let letters: Vec<char> = stem.chars().collect();
    let (Some(first), false) = (letters.first(), stem.bytes().any(|b| b.is_ascii_digit())) else { return Vec::new() };
    if letters.len() < STEM_CHARS || word.len() < WORD_BYTES {
        return Vec::new();
    }
    let slips = match letters.len() {
        8.. => 2,
        _ => 1,
    };
    let vocabulary = &index.vocabulary;
    let mask = mask_of(stem);
    let mut distance = EditDistance::default();
    let mut other: Vec<char> = Vec::new();
    let mut found: Vec<(Term, f64)> = with_ending_repaired(index, view, word, &mut distance);
    // Some stems keep an ending.
    let forms = before_ending(word).map(|before| [before, word].map(|form| form.chars().collect::<Vec<char>>()));
    let candidates = view.starting_with(index, first.encode_utf8(&mut [0; 4]));
    let looked_at = candidates.len().min(*comparisons);
    *comparisons -= looked_at;
    for term in candidates.iter().take(looked_at) {
        let text = vocabulary.text(*term);
        // There are at least as many bytes as characters.
        if text.len() + slips < letters.len() {
            continue;
        }
        if text.starts_with(stem) {
            found.push((*term, letters.len() as f64 / text.chars().count() as f64));
        } else if differing_bits(mask_of(text), mask) <= 2 * slips {
            other.clear();
            other.extend(text.chars());
            let length = other.len();
            if length.abs_diff(letters.len()) <= slips && length >= WORD_BYTES {
                let edits = distance.between(&letters, &other);
                // In a short word, a missing letter or two swapped letters are a typo; a different letter makes a
                // different word.
                let is_slip = letters.len() > WORD_BYTES
                    || length > letters.len()
                    || (length == letters.len() && mask_of(text) == mask);
                if edits <= slips && is_slip {
                    found.push((*term, 1.0 - edits as f64 / letters.len().max(length) as f64));
                    continue;
                }
            }
        }
        for form in forms.iter().flatten().filter(|form| text.len().abs_diff(form.len()) <= 1) {
            other.clear();
            other.extend(text.chars());
            if distance.between(form, &other) == 1 {
                found.push((*term, 1.0 - 1.0 / letters.len() as f64));
                break;
            }
        }
    }
    found.retain(|(term, _)| !are_kept_apart(stem, vocabulary.text(*term)));
    let scores: Vec<f64> = found.iter().map(|(_, likeness)| *likeness).collect();
    top_k(&scores, REPAIRS, &|a, b| a.cmp(&b)).into_iter().map(|at| found[at]).collect()
}

/// Returns the terms of a word in which a misspelt ending is replaced by one of the [`ENDINGS`].
fn with_ending_repaired(index: &Index, view: &View, word: &str, distance: &mut EditDistance) -> Vec<(Term, f64)> {
    let mut found: Vec<(Term, f64)> = Vec::new();
    if !word.is_ascii() {
        return found;
    }
    let letters: Vec<char> = word.chars().collect();
    for ending in ENDINGS {
        let wanted: Vec<char> = ending.chars().collect();
        for length in ending.len() - 1..=ending.len() + 1 {
            let Some(before) = letters.len().checked_sub(length).filter(|before| *before >= BEFORE_ENDING) else {
                break;
            };
            if distance.between(&letters[before..], &wanted) != 1 {
                continue;
            }
            let meant = index.lexicon.stem(&format!("{}{ending}", &word[..before]));
            let term = view.term(index, &meant).filter(|term| found.iter().all(|(other, _)| other != term));
            found.extend(term.map(|term| (term, 1.0 - 1.0 / letters.len() as f64)));
        }
    }
    found
}

/// Returns a word without its ending.
fn before_ending(word: &str) -> Option<&str> {
    let before = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending))?;
    (word.is_ascii() && before.len() > BEFORE_ENDING).then_some(before)
}

/// Returns a bit mask of the letters of a word, in which some letters share a bit; `None` for a word that is not ASCII.
fn mask_of(text: &str) -> Option<u32> {
    text.is_ascii().then(|| text.bytes().fold(0, |mask, byte| mask | 1 << (byte & 31)))
}

/// Returns the number of different bits. A typo changes at most two; without masks it is 0.
fn differing_bits(a: Option<u32>, b: Option<u32>) -> usize {
    a.zip(b).map_or(0, |(a, b)| (a ^ b).count_ones() as usize)
}
