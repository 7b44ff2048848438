//! Which tools does a request mean? A fielded lexical ranker: every word against names, servers, descriptions and
//! parameters, with forms, synonyms and slips of it; then what fits as a whole; exact names before everything.

mod answer;
mod candidates;
mod confidence;
mod explain;
mod fields;
mod identity;
mod index;
mod intents;
mod lexicon;
mod lookup;
mod number;
mod prebuilt;
mod rank;
mod request;
mod stem;
mod terms;
mod vocabulary;
mod weights;

use crate::catalog::Tool;
use crate::search::hit::{Confidence, Explained, Found};
use crate::sort::sorted;

use answer::Answer;
use candidates::Candidates;
use rank::{Ranked, rank};
use weights::Weights;

pub use index::Index;
pub(super) use lookup::{called, has_words};
pub use weights::{Ingredient, Without};

/// Tools by how well they fit, best first, equals in catalog order; `all` are those that would be searched if the query
/// demanded nothing. `explained` says of which the reasons are wanted.
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
    let answer =
        Answer { index, tools, text, candidates: &candidates, sought: &sought, weights: &weights, ranked: &ranked };
    answer.found(&named, &leaders, (confidence, over_chance), explained)
}
