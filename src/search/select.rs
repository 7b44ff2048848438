//! Finds tools by name: exact names, or names in any spelling, with or without their servers. Every name is looked up
//! in a hash map, so that the cost grows with the names and the tools that they name.

use crate::catalog::Catalog;
use crate::map::Set;
use crate::text::normalized;

use super::Corpus;
use super::hit::{Found, Hit, Stage, Verdict};
use super::sift::{self, Index};

/// The tools of these names, each once, in the order of the names.
pub(super) fn exact(names: &[&str], (catalog, opening): (&Catalog, u32), corpus: &Corpus) -> Found {
    let mut seen = Set::default();
    let known = names.iter().filter_map(|name| Some((*name, position(name, (catalog, opening), corpus)?)));
    let first = known.filter(|(_, position)| seen.insert(*position));
    Found::at(Stage::Select, first.map(|(name, at)| Hit::of_name(at, name, &catalog.tools()[at])).collect())
}

/// The tools of these names in any spelling, with or without their servers; the verdict lists names that are of no tool.
pub(super) fn any_spelling(
    index: &Index,
    names: &[&str],
    (catalog, opening): (&Catalog, u32),
    corpus: &Corpus,
) -> Found {
    let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut seen, mut known, mut missing): (Set<usize>, Set<String>, Set<String>) = Default::default();
    for name in names {
        let meant = match position(name, (catalog, opening), corpus) {
            Some(position) => vec![position],
            // Spellings of the same name mean the same tools, which may be thousands: each is looked up once.
            None if missing.contains(&normalized(name)) => Vec::new(),
            None if !known.insert(normalized(name)) => continue,
            None => {
                let places = sift::called(index, corpus.statistics(index), name).into_iter();
                places.map(|place| corpus.positions()[place as usize] as usize).collect()
            }
        };
        if meant.is_empty() {
            missing.insert(normalized(name));
            unknown.push((*name).to_owned());
        }
        let new = meant.into_iter().filter(|position| seen.insert(*position));
        hits.extend(new.map(|position| Hit::of_name(position, name, &catalog.tools()[position])));
    }
    Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits) }
}

/// The position of the tool that the model knows by a name, where it is searched.
fn position(name: &str, (catalog, opening): (&Catalog, u32), corpus: &Corpus) -> Option<usize> {
    let tool = catalog.by_name_for(opening, name).filter(|tool| *tool.model_name == *name)?;
    catalog.position(tool).filter(|position| corpus.place_of(*position).is_some())
}
