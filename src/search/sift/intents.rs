//! Does a request ask for several things? Its parts, joined by *or*, *and*, commas, new lines or the ends of sentences,
//! each of which should find something.

use super::candidates::Candidates;
use super::index::Index;
use super::rank::{Ranked, rank};
use super::request::{self, Sought};
use super::weights::Weights;

/// More parts than these are not looked at one by one.
const MOST_PARTS: usize = 12;
/// A text of more words is a story, whose sentences need not each find something, unless it comes in lines.
const LIST_WORDS: usize = 16;
/// How many places the parts share: what a search shows by default.
const PLACES: usize = 5;
/// How well a tool must fit a part by itself to be given a place for it.
const LEAST: f64 = 0.5;

/// The parts of a text; the text itself where it has one only.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut cut = |from: &mut usize, at: usize, to: usize| {
        parts.extend(text.get(*from..at).map(str::trim).filter(|part| part.contains(char::is_alphanumeric)));
        *from = to;
    };
    let mut word_from = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let ends = match c {
            ',' | ';' | '|' | '\n' | '、' | '，' | '；' | '。' => true,
            '.' | '?' | '!' => text[next..].chars().next().is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends || c.is_whitespace() {
            if is_joint(&text[word_from..at]) {
                cut(&mut from, word_from, at);
            }
            word_from = next;
        }
        if ends {
            cut(&mut from, at, next);
        }
    }
    if is_joint(&text[word_from..]) {
        cut(&mut from, word_from, text.len());
    }
    cut(&mut from, text.len(), text.len());
    parts
}

/// Whether a word joins what stands on both sides of it.
fn is_joint(word: &str) -> bool {
    ["and", "or", "then", "&", "+"].iter().any(|joint| word.eq_ignore_ascii_case(joint))
}

/// Lifts what fits a part of a request by itself. Returns for each part the document that fits it best, if one does.
pub(super) fn lift(
    index: &Index,
    candidates: &Candidates,
    (text, whole): (&str, &[Sought]),
    weights: &Weights,
    ranked: &mut [Ranked],
) -> Vec<usize> {
    let parts = parts(text);
    if weights.intents == 0.0 || !(2..=MOST_PARTS).contains(&parts.len()) {
        return Vec::new();
    }
    let mut best = vec![0.0f64; index.documents.len()];
    let mut leaders = Vec::new();
    for part in parts {
        let sought = request::read(index, candidates, part, weights);
        let share = sought.len() as f64 / whole.len().max(1) as f64;
        let fits = rank(index, candidates, &sought, weights);
        for hit in &fits {
            best[hit.document] = best[hit.document].max(hit.score() * share);
        }
        if whole.len() > LIST_WORDS && !text.contains('\n') {
            continue;
        }
        let ahead = fits.iter().fold(None, |best: Option<&Ranked>, hit| match best {
            Some(best) if best.score() >= hit.score() => Some(best),
            _ => Some(hit),
        });
        // A word that no tool has says nothing against the best of them; a part of which little is known does.
        let known = known_share(&sought).max(LEAST);
        leaders.extend(ahead.filter(|hit| hit.score() >= LEAST * known).map(|hit| hit.document));
    }
    for hit in ranked {
        hit.intent = weights.intents * best[hit.document];
    }
    leaders
}

/// The share of a request, by weight, of which the catalog knows the words.
fn known_share(sought: &[Sought]) -> f64 {
    let weight = |word: &Sought| if word.is_unknown() { 0.0 } else { word.weight };
    let (known, all) = sought.iter().fold((0.0, 0.0), |(known, all), word| (known + weight(word), all + word.weight));
    if all > 0.0 { known / all } else { 0.0 }
}

/// Gives every leader a place among the first, at the cost of the last ones there that lead nowhere; the very first
/// keeps its place.
pub(super) fn seat(leaders: &[usize], ranked: Vec<Ranked>) -> Vec<Ranked> {
    let places = PLACES.max(leaders.len());
    if leaders.is_empty() || ranked.len() <= places {
        return ranked;
    }
    let leads = |hit: &Ranked| leaders.contains(&hit.document);
    let late = ranked[places..].iter().filter(|hit| leads(hit)).count();
    let give_way: Vec<usize> = (1..places).rev().filter(|at| !leads(&ranked[*at])).take(late).collect();
    let (mut first, mut moved, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (at, hit) in ranked.into_iter().enumerate() {
        if give_way.contains(&at) {
            moved.push(hit);
        } else if at < places || (leads(&hit) && first.len() < places) {
            first.push(hit);
        } else {
            rest.push(hit);
        }
    }
    first.into_iter().chain(moved).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn joints_and_ends_cut() {
        assert_eq!(parts("read files or search for papers"), ["read files", "search for papers"]);
        assert_eq!(parts("weather, calendar;notes\nmail"), ["weather", "calendar", "notes", "mail"]);
        assert_eq!(parts("Find v1.2 of it. Then AND then send?"), ["Find v1.2 of it", "send"]);
        assert_eq!(parts("android and origins"), ["android", "origins"]);
        assert_eq!(parts("天气、日历。"), ["天气", "日历"]);
        assert_eq!(parts("one thing"), ["one thing"]);
        assert!(parts(" and, or ").is_empty());
    }
}
