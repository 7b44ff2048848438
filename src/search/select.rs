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
    let mut hits = Hits::among(tools);
    for name in names {
        hits.add(name, positions.get(*name).copied().as_slice());
    }
    Found::at(Stage::Select, hits.found)
}

/// The tools of these names in any spelling, with or without their servers; the verdict lists names that are of no tool.
pub(super) fn any_spelling(index: &Index, names: &[&str], tools: &[&Tool]) -> Found {
    let positions = positions(names, tools);
    let spellings: Vec<String> = names.iter().map(|name| plain(name)).collect();
    // Spellings of the same name mean the same tools, which may be thousands: each name is looked up once.
    let mut places: Map<&str, usize> = Map::default();
    let mut distinct: Vec<&str> = Vec::new();
    for (name, spelling) in names.iter().zip(&spellings) {
        if !positions.contains_key(*name) && !places.contains_key(&**spelling) {
            places.insert(spelling, distinct.len());
            distinct.push(name);
        }
    }
    let called = sift::called(index, tools, &distinct);
    let mut is_answered = vec![false; called.len()];
    let (mut hits, mut unknown): (Hits<'_>, Vec<String>) = (Hits::among(tools), Vec::new());
    for (name, spelling) in names.iter().zip(&spellings) {
        match (positions.get(*name), places.get(&**spelling)) {
            (Some(position), _) => hits.add(name, &[*position]),
            (None, Some(at)) if called[*at].is_empty() => unknown.push((*name).to_owned()),
            (None, Some(at)) if !std::mem::replace(&mut is_answered[*at], true) => {
                hits.add(name, &called[*at]);
            }
            (None, _) => {}
        }
    }
    Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits.found) }
}

/// Hits that are found by name, each tool once.
struct Hits<'a> {
    tools: &'a [&'a Tool],
    is_found: Vec<bool>,
    found: Vec<Hit>,
}

impl<'a> Hits<'a> {
    fn among(tools: &'a [&'a Tool]) -> Self {
        Hits { tools, is_found: vec![false; tools.len()], found: Vec::new() }
    }

    fn add(&mut self, name: &str, positions: &[usize]) {
        for position in positions.iter().copied() {
            if !std::mem::replace(&mut self.is_found[position], true) {
                self.found.push(Hit::of_name(position, name, self.tools[position]));
            }
        }
    }
}

/// The positions of the tools that have one of some names.
fn positions<'t>(names: &[&str], tools: &[&'t Tool]) -> Map<&'t str, usize> {
    let wanted: Set<&str> = names.iter().copied().collect();
    let named = tools.iter().enumerate().filter(|(_, tool)| wanted.contains(&*tool.model_name));
    named.map(|(position, tool)| (&*tool.model_name, position)).collect()
}
