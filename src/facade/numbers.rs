//! Returns the result of a search as numbers, for bindings in which passing a text takes as long as part of the search:
//! the binding asks for the texts of a tool once, by the id of its version, and caches them.

use std::sync::Arc;

use crate::catalog::{Catalog, Tool};
use crate::error::Result;
use crate::options::SearchOptions;
use crate::search::Found;

use super::{SearchResult, ToolSift};

/// The result of a search.
#[derive(Debug)]
pub enum Numbered {
    /// As numbers: the stage (an index of `Stage::ALL`), the number of searched tools, the number of hits, the
    /// confidence (an index of `Confidence::ALL`, or -1 without a verdict), the score over chance, and the numbers of
    /// closest servers, of crowded servers and of unknown words. Then follow for each hit its tool, score and
    /// likelihood; for each server one of its tools; for each word its length and its UTF-16 code units. A tool is two
    /// numbers: its id and its position. NaN stands for a missing number.
    Numbers(Vec<f64>),
    /// As texts, if hits have reasons: hits that a query names or matches as a pattern always have them.
    Texts(SearchResult),
}

/// The texts of a tool in a search result: its name, its server and its description.
pub type Texts = (Arc<str>, Option<Arc<str>>, Arc<str>);

impl ToolSift {
    /// Searches as [`ToolSift::search`] does, and returns numbers.
    ///
    /// # Errors
    /// The errors of [`ToolSift::search`].
    #[doc(hidden)]
    pub fn search_numbered(&self, query: &str, limit: Option<usize>, session: Option<String>) -> Result<Numbered> {
        let options = SearchOptions { limit, session, ..SearchOptions::default() };
        let (found, searched, indexed) = self.search(query).options(options).found()?;
        let catalog = &indexed.tools.catalog;
        if found.hits.iter().any(|hit| !hit.parts.is_empty()) {
            return Ok(Numbered::Texts(SearchResult::of(catalog, query, found, searched)));
        }
        Ok(Numbered::Numbers(numbers(catalog, &found, searched)))
    }

    /// Returns the texts of the tools at these positions, in this order. The positions are those of a search at the
    /// same revision.
    #[doc(hidden)]
    pub fn texts(&self, positions: &[u32]) -> Vec<Texts> {
        let tools = self.tools_now();
        let tools = positions.iter().filter_map(|position| tools.catalog.tools().get(*position as usize));
        let text = |tool: &Arc<Tool>| (tool.model_name.clone(), tool.key.server.clone(), tool.description.clone());
        tools.map(text).collect()
    }
}

fn numbers(catalog: &Catalog, found: &Found, searched: usize) -> Vec<f64> {
    let tool = |position: usize| [catalog.tools()[position].id.0 as f64, position as f64];
    let verdict = found.verdict.as_ref();
    let closest = verdict.map_or(&[][..], |verdict| &verdict.closest_servers);
    let crowded = verdict.map_or(&[][..], |verdict| &verdict.crowded);
    let unknown = verdict.map_or(&[][..], |verdict| &verdict.unknown_words);
    let confidence = verdict.map_or(-1.0, |verdict| verdict.confidence as u8 as f64);
    let over_chance = verdict.and_then(|verdict| verdict.over_chance).unwrap_or(f64::NAN);
    let mut numbers = Vec::with_capacity(32);
    numbers.extend([found.stage as u8 as f64, searched as f64, found.hits.len() as f64, confidence]);
    numbers.extend([over_chance, closest.len() as f64, crowded.len() as f64, unknown.len() as f64]);
    for hit in &found.hits {
        numbers.extend(tool(hit.index));
        numbers.extend([hit.score, hit.likelihood.unwrap_or(f64::NAN)]);
    }
    for position in closest.iter().chain(crowded) {
        numbers.extend(tool(*position));
    }
    for word in unknown {
        numbers.push(word.encode_utf16().count() as f64);
        numbers.extend(word.encode_utf16().map(f64::from));
    }
    numbers
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{RegisterOptions, Settings};

    fn sift() -> ToolSift {
        let sift = ToolSift::new(Settings::default());
        let of = |server: &str| RegisterOptions { server: Some(server.into()), ..RegisterOptions::default() };
        let tools = r#"[{"name":"feed_cat","description":"Feeds the cat."},{"name":"walk_dog"}]"#;
        sift.register(tools, &of("pets")).unwrap();
        sift.register(r#"[{"name":"cat_file","description":"Prints a file."}]"#, &of("shell")).unwrap();
        sift
    }

    #[test]
    fn numbers_say_the_same_as_the_result() {
        let sift = sift();
        let result = sift.search("feed the żyrafa cat").run().unwrap();
        let Numbered::Numbers(numbers) = sift.search_numbered("feed the żyrafa cat", None, None).unwrap() else {
            unreachable!("no reasons were asked for")
        };
        let verdict = result.verdict.unwrap();
        let head = [
            result.stage as u8 as f64,
            result.searched as f64,
            result.hits.len() as f64,
            verdict.confidence as u8 as f64,
            verdict.over_chance.unwrap(),
            verdict.closest_servers.len() as f64,
            0.0,
            1.0,
        ];
        assert_eq!(numbers[..8], head);
        let (hits, rest) = numbers[8..].split_at(4 * result.hits.len());
        for (numbers, hit) in hits.chunks(4).zip(&result.hits) {
            let (name, server, description) = sift.texts(&[numbers[1] as u32]).remove(0);
            assert_eq!((&name, &server, &description), (&hit.name, &hit.server, &hit.description));
            assert_eq!(numbers[2..], [hit.score, hit.likelihood.unwrap()]);
        }
        let (servers, words) = rest.split_at(2 * verdict.closest_servers.len());
        let positions: Vec<u32> = servers.chunks(2).map(|tool| tool[1] as u32).collect();
        let names: Vec<_> = sift.texts(&positions).into_iter().map(|(_, server, _)| server.unwrap()).collect();
        assert_eq!(names, verdict.closest_servers);
        let units: Vec<u16> = words[1..].iter().map(|unit| *unit as u16).collect();
        assert_eq!((words[0], String::from_utf16(&units).unwrap()), (6.0, verdict.unknown_words[0].clone()));
    }

    #[test]
    fn what_a_query_names_comes_in_texts() {
        let found = sift().search_numbered("select:walk_dog", None, None).unwrap();
        assert!(matches!(found, Numbered::Texts(result) if result.hits[0].parts.len() == 1));
    }
}
