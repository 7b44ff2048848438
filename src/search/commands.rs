//! What does a query in the full language find? Tools by name or pattern, or by words among those that it admits.

use crate::catalog::Tool;
use crate::error::Result;
use crate::limits;
use crate::map::Set;
use crate::text::beginning;

use super::hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::language::{self, Request};
use super::query::Keywords;
use super::{Corpus, Search, pattern, sift};

/// Names of one query that are looked up.
const NAMES: usize = 100;

impl Search<'_> {
    /// The tools that a query asks for. Where what it demands leaves nothing, its words are searched everywhere.
    pub(super) fn by_language(&self, query: &str) -> Result<Found> {
        let query = beginning(query, limits::QUERY_BYTES);
        let by_name = language::selected(query).map(|names| self.by_any_name(&names));
        let by_pattern = language::pattern(query).and_then(|pattern| self.by_pattern(pattern));
        if let Some(found) = by_name.into_iter().chain(by_pattern).find(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let request = Request::read(query, || self.tools());
        let words = &request.words;
        let keywords = Keywords::plain(words);
        if !request.demands() {
            return self.rank(words, &keywords, self.corpus);
        }
        let admitted = self.admitted(&request);
        let is_admitted = |tool: usize| admitted.binary_search(&(tool as u32)).is_ok();
        let rules_out = !admitted.is_empty() && self.explained.tool.is_some_and(|tool| !is_admitted(tool));
        if request.is_of_servers_only() && !admitted.is_empty() {
            let hits = admitted.into_iter().map(|position| self.of_server(position as usize)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        if !admitted.is_empty() {
            return Ok(Found { rules_out, ..self.rank(words, &keywords, &Corpus::new(admitted))? });
        }
        let found = self.rank(words, &keywords, self.corpus)?;
        let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
        Ok(Found { verdict, ..found })
    }

    /// The tools that are searched.
    fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.corpus.positions().iter().map(|position| &*self.catalog.tools()[*position as usize])
    }

    /// The tools that match a pattern; none where it is no pattern.
    fn by_pattern(&self, pattern: &str) -> Option<Found> {
        let mut found = pattern::search(pattern, &self.tools().collect::<Vec<&Tool>>()).ok()?;
        found.hits.iter_mut().for_each(|hit| hit.index = self.corpus.positions()[hit.index] as usize);
        Some(found)
    }

    /// The positions of the tools that are what a query demands.
    fn admitted(&self, request: &Request) -> Vec<u32> {
        let statistics = self.corpus.statistics(self.index);
        let having = |texts: &[String], or_in_name: bool| -> Vec<Vec<bool>> {
            texts.iter().map(|text| sift::having(self.index, statistics, text, or_in_name)).collect()
        };
        // What must be there may be a part of a name, what must not be there is a word.
        let (must, not) = (having(request.must(), true), having(request.not(), false));
        let is_admitted = |(place, tool): (usize, &Tool)| {
            request.is_of_servers(tool.server()) && must.iter().all(|has| has[place]) && !not.iter().any(|has| has[place])
        };
        let positions = self.corpus.positions().iter().copied();
        let admitted = positions.zip(self.tools().enumerate()).filter(|(_, tool)| is_admitted(*tool));
        admitted.map(|(position, _)| position).collect()
    }

    /// The tools of these names in any spelling, with or without their servers; names that are none are unknown.
    fn by_any_name(&self, names: &[&str]) -> Found {
        let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
        let mut seen = Set::default();
        for name in names.iter().take(NAMES) {
            let exact = self.by_name(&[name]).hits;
            let called = || sift::called(self.index, self.corpus.statistics(self.index), name).into_iter();
            let of_name = |place: u32| {
                let position = self.corpus.positions()[place as usize] as usize;
                Hit::of_name(position, name, &self.catalog.tools()[position])
            };
            let named = if exact.is_empty() { called().map(of_name).collect() } else { exact };
            if named.is_empty() {
                unknown.push((*name).to_owned());
            }
            hits.extend(named.into_iter().filter(|hit| seen.insert(hit.index)));
        }
        Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits) }
    }

    /// A tool that was asked for by its server.
    fn of_server(&self, position: usize) -> Hit {
        let server = self.catalog.tools()[position].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index: position, score: 1.0, parts: vec![part] }
    }
}
