//! Finds tools by name: by exact names, or by names in any form. Every name is looked up in hash maps, so that the cost
//! grows with the names and the tools that they name.

use crate::catalog::Tool;
use crate::map::{Map, Set};
use crate::text::normalized;

use super::Corpus;
use super::hit::{Found, Hit, Stage, Verdict};
use super::resolve::NameIndex;

/// The tools of these names, each once, in the order of the names.
pub(super) fn exact(index: &NameIndex<'_>, names: &[&str], corpus: &Corpus) -> Found {
    let mut seen = Set::default();
    let is_searched = |position: usize, _: &Tool| corpus.place_of(position).is_some();
    let known = names.iter().filter_map(|name| Some((*name, index.exact(name, &is_searched)?)));
    let first = known.filter(|(_, position)| seen.insert(*position));
    Found::at(Stage::Select, first.map(|(name, at)| Hit::of_name(at, name, &index.catalog.tools()[at])).collect())
}

/// The tools of these names in any form; the verdict lists names that are of no tool. Hits are written for the first
/// `most` only.
pub(super) fn any_form(index: &NameIndex<'_>, names: &[&str], corpus: &Corpus, most: usize) -> Found {
    let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut seen, mut known): (Set<usize>, Map<String, bool>) = Default::default();
    let is_searched = |position: usize, _: &Tool| corpus.place_of(position).is_some();
    for name in names {
        let plain = normalized(name);
        let meant = match (index.exact(name, &is_searched), known.get(&plain)) {
            (Some(position), _) => vec![position],
            // A name may be written thousands of times, and mean thousands of tools: all its spellings are looked up once.
            (None, Some(true)) => continue,
            (None, Some(false)) => Vec::new(),
            (None, None) => {
                let meant = index.resolve(name, &is_searched);
                known.insert(plain, !meant.is_empty());
                meant
            }
        };
        if meant.is_empty() {
            unknown.push((*name).to_owned());
        }
        for position in meant.into_iter().filter(|position| seen.insert(*position)) {
            if hits.len() < most {
                hits.push(Hit::of_name(position, name, &index.catalog.tools()[position]));
            }
        }
    }
    let found = Found { total: seen.len(), ..Found::at(Stage::Select, hits) };
    Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..found }
}
