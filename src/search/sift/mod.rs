//! Which tools does a request mean? A fielded lexical ranker: every word against names, servers, descriptions and
//! parameters, with forms, synonyms and slips of it; then what fits as a whole; exact names before everything.

mod candidates;
mod confidence;
mod explain;
mod fields;
mod identity;
mod index;
mod intents;
mod lexicon;
mod number;
mod rank;
mod request;
mod stem;
mod terms;
mod vocabulary;
mod weights;

use std::rc::Rc;

use crate::catalog::Tool;
use crate::search::hit::{Confidence, Found, Hit, Stage, Verdict};
use crate::sort::sorted;

use candidates::Candidates;

use rank::{Ranked, rank};
use request::Sought;
use terms::{Cut, each_word};
use weights::Weights;

pub use index::Index;
pub use weights::{Ingredient, Without};

/// Servers that an answer names where nothing fits.
const CLOSEST_SERVERS: usize = 3;
/// Words of a query that an answer names as unknown.
const UNKNOWN_WORDS: usize = 20;

/// Tools by how well they fit, best first, equals in catalog order; `all` are those
/// that would be searched if the query demanded nothing. `explained` says of how many the reasons are wanted.
pub(super) fn search(
    index: &Index,
    text: &str,
    (tools, all): (&[&Tool], &[&Tool]),
    without: Without,
    explained: &Explained,
) -> Found {
    let weights = Weights::of(without);
    let candidates = Candidates::of(index, tools.iter().copied());
    let sought = request::read(index, &candidates, text, &weights);
    let mut ranked = rank(index, &candidates, &sought, &weights);
    let leaders = intents::lift(index, &candidates, (text, &sought), &weights, &mut ranked);
    let ranked = intents::seat(&leaders, sorted(ranked, |a, b| b.score().total_cmp(&a.score())));
    let named = match without.keeps(Ingredient::Identity) {
        true => index.names.in_request(text, |document| candidates.have(document)),
        false => Vec::new(),
    };
    let best = ranked.first().map_or(0.0, Ranked::score);
    // What a query demands does not change what chance would find.
    let all = (tools.len() < all.len()).then(|| Candidates::of(index, all.iter().copied()));
    let all = all.as_ref().unwrap_or(&candidates);
    let over_chance = named.is_empty().then(|| confidence::over_chance(index, all, &weights, best, sought.len()));
    let confidence = over_chance.map_or(Confidence::High, confidence::confidence);
    let mut positions = vec![usize::MAX; index.documents.len()];
    for (position, tool) in tools.iter().enumerate() {
        index.place(tool).into_iter().for_each(|place| positions[place] = position);
    }
    let hit = |score: f64, ranked: Ranked| Hit { index: positions[ranked.document], score, parts: Vec::new() };
    let of_name = |place: &usize| Ranked { document: *place, ..Ranked::default() };
    let first = named.iter().map(|place| hit(1.0, of_name(place)));
    let rest = ranked.iter().filter(|other| !named.contains(&other.document));
    let mut hits: Vec<Hit> = first.chain(rest.map(|other| hit(shown(other.score()), *other))).collect();
    for (at, hit) in hits.iter_mut().enumerate() {
        if !explained.wants(at, hit.index) {
            continue;
        }
        let tool = tools[hit.index];
        let Some(place) = index.place(tool) else { continue };
        hit.parts = match named.contains(&place) {
            true => Hit::of_name(hit.index, text, tool).parts,
            false => ranked.iter().find(|other| other.document == place).map_or_else(Vec::new, |other| {
                explain::parts((index, &candidates), tool, &sought, other, &weights, hit.score / other.score())
            }),
        };
    }
    let verdict = Verdict { confidence, over_chance, unknown: unknown(&sought), servers: closest(index, &ranked) };
    let leaders = leaders.into_iter().map(|document| positions[document]).collect();
    Found { verdict: Some(verdict), leaders, ..Found::at(Stage::Sift, hits) }
}

/// The positions of the tools that a name may mean, in any spelling.
pub(super) fn called(index: &Index, tools: &[&Tool], name: &str) -> Vec<usize> {
    let places = index.names.called(name);
    (0..tools.len()).filter(|at| index.place(tools[*at]).is_some_and(|place| places.contains(&place))).collect()
}

/// Whether a tool has every word of a text that means something, in any form and field; or, where that is enough,
/// whether the text stands in one of its names.
pub(super) fn has_words(index: &Index, tool: &Tool, text: &str, or_in_name: bool) -> bool {
    let Some(document) = index.place(tool).map(|place| &index.documents[place]) else { return false };
    let has = |word: &str| index.term(&index.lexicon.stem(word)).is_some_and(|term| document.has(term));
    let (mut has_all, mut has_run, mut says_something) = (true, false, false);
    each_word(text, &mut |word, cut| {
        let is_empty = index.lexicon.is_stop_word(&word);
        says_something |= !is_empty;
        match cut {
            Cut::Joined => has_run = has(&word),
            Cut::Whole => has_all &= is_empty || has(&word),
            Cut::Part => has_all &= is_empty || has_run || has(&word),
        }
    });
    (has_all && says_something) || (or_in_name && document.identity.contains(text))
}

/// Of which hits the reasons are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// So many of the first.
    pub first: usize,
    /// And this tool, by its position among those that are searched.
    pub tool: Option<usize>,
}

impl Explained {
    pub(super) fn wants(&self, at: usize, index: usize) -> bool {
        at < self.first || self.tool == Some(index)
    }
}

/// A score without bound as one below 1: half of what a query can give alone is a half.
fn shown(score: f64) -> f64 {
    score / (score + 0.5)
}

/// The words that nothing in the catalog stands for. Numbers are no words, but what is filled in.
fn unknown(sought: &[Sought]) -> Vec<String> {
    let unknown = sought.iter().filter(|word| word.is_unknown() && !word.word.contains(|c: char| c.is_ascii_digit()));
    unknown.take(UNKNOWN_WORDS).map(|word| word.word.clone()).collect()
}

/// The servers of the first hits, each once.
fn closest(index: &Index, ranked: &[Ranked]) -> Vec<Rc<str>> {
    let mut servers: Vec<Rc<str>> = Vec::new();
    for server in ranked.iter().filter_map(|hit| index.server_name(index.documents[hit.document].server)) {
        if servers.len() < CLOSEST_SERVERS && !servers.contains(server) {
            servers.push(server.clone());
        }
    }
    servers
}
