//! Tools by their names: exact names, or names in any spelling, with or without their servers. Every name is looked up in
//! a hash map, so that a query of thousands of names costs no more than a pass over the tools.

use crate::catalog::Tool;
use crate::map::{Map, Set};
use crate::text::plain;

use super::hit::{Found, Hit, Stage, Verdict};
use super::sift::{self, Index};

/// The tools of these names, each once, in the order of the names.
pub(super) fn exact(names: &[&str], tools: &[&Tool]) -> Found {
    let positions = positions(names, tools);
    let mut seen = Set::default();
    let known = names.iter().filter_map(|name| Some((*name, *positions.get(*name)?)));
    let first = known.filter(|(_, index)| seen.insert(*index));
    Found::at(Stage::Select, first.map(|(name, index)| Hit::of_name(index, name, tools[index])).collect())
}

/// The tools of these names in any spelling, with or without their servers; the verdict lists names that are of no tool.
pub(super) fn any_spelling(index: &Index, names: &[&str], tools: &[&Tool]) -> Found {
    let exact = positions(names, tools);
    // Spellings of the same name mean the same tools, which may be thousands: each name is looked up once.
    let mut spellings: Map<String, usize> = Map::default();
    let mut distinct: Vec<&str> = Vec::new();
    for name in names.iter().filter(|name| !exact.contains_key(**name)) {
        let spelling = plain(name);
        if !spellings.contains_key(&spelling) {
            spellings.insert(spelling, distinct.len());
            distinct.push(name);
        }
    }
    let called = sift::called(index, tools, &distinct);
    let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut seen, mut answered): (Set<usize>, Set<usize>) = Default::default();
    for name in names {
        let meant: &[usize] = match (exact.get(*name), spellings.get(&plain(name))) {
            (Some(position), _) => std::slice::from_ref(position),
            (None, Some(at)) if called[*at].is_empty() => {
                unknown.push((*name).to_owned());
                &[]
            }
            (None, Some(at)) if answered.insert(*at) => &called[*at],
            (None, _) => &[],
        };
        let new = meant.iter().filter(|position| seen.insert(**position));
        hits.extend(new.map(|position| Hit::of_name(*position, name, tools[*position])));
    }
    Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits) }
}

/// The positions of the tools that have one of some names.
fn positions<'n>(names: &[&'n str], tools: &[&Tool]) -> Map<&'n str, usize> {
    let wanted: Map<&str, &'n str> = names.iter().map(|name| (*name, *name)).collect();
    let mut positions: Map<&'n str, usize> = Map::default();
    for (position, tool) in tools.iter().enumerate() {
        if let Some(name) = wanted.get(&*tool.model_name) {
            positions.insert(*name, position);
        }
    }
    positions
}
