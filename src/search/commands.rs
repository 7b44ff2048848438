//! What does a query in the full language find? Tools by name or pattern, or by words among those that it admits.

use crate::error::Result;
use crate::limits;
use crate::text::beginning;

use super::hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::language::{self, Part, Request};
use super::query::Keywords;
use super::{Search, by_name, pattern, sift};

/// Names of one query that are looked up.
const NAMES: usize = 100;

impl Search<'_> {
    /// The tools that a query asks for. Where what it demands leaves nothing, its words are searched everywhere.
    pub(super) fn by_language(&self, query: &str) -> Result<Found> {
        let query = beginning(query, limits::QUERY_BYTES);
        let by_name = language::selected(query).map(|names| self.by_any_name(&names));
        let by_pattern = language::pattern(query).and_then(|pattern| pattern::search(pattern, self.tools).ok());
        if let Some(found) = by_name.into_iter().chain(by_pattern).find(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let request = Request::read(query, self.tools);
        let admitted: Vec<usize> = (0..self.tools.len()).filter(|at| self.admits(&request, *at)).collect();
        let rules_out = !admitted.is_empty() && self.explained.tool.is_some_and(|tool| !admitted.contains(&tool));
        if request.is_of_servers_only() && !admitted.is_empty() {
            let hits = admitted.into_iter().map(|index| self.of_server(index)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        let words = &request.words;
        if !admitted.is_empty() {
            return Ok(Found { rules_out, ..self.among(&admitted, words, &Keywords::plain(words))? });
        }
        let found = self.rank(words, &Keywords::plain(words), self.tools)?;
        let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
        Ok(Found { verdict, ..found })
    }

    fn admits(&self, request: &Request, position: usize) -> bool {
        let tool = self.tools[position];
        request.admits(tool, |text, part| sift::has_words(self.index, tool, text, part == Part::OfName))
    }

    /// The tools of these names in any spelling, with or without their servers; names that are none are unknown.
    fn by_any_name(&self, names: &[&str]) -> Found {
        let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
        for name in names.iter().take(NAMES) {
            let exact = by_name(&[name], self.tools).hits;
            let called = || sift::called(self.index, self.tools, name);
            let of_name = |index: usize| Hit::of_name(index, name, self.tools[index]);
            let named = if exact.is_empty() { called().into_iter().map(of_name).collect() } else { exact };
            if named.is_empty() {
                unknown.push((*name).to_owned());
            }
            for hit in named {
                if hits.iter().all(|other| other.index != hit.index) {
                    hits.push(hit);
                }
            }
        }
        Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits) }
    }

    /// A tool that was asked for by its server.
    fn of_server(&self, index: usize) -> Hit {
        let server = self.tools[index].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index, score: 1.0, parts: vec![part] }
    }
}
