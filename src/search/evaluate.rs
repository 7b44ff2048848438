//! Evaluates a query in any dialect: it finds tools by name, by pattern, by server, or by words among the tools that meet its
//! demands.

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::text::{beginning, joined};

use super::hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::query::{Demands, Grammar, Keywords, Occurrence, Query, terms};
use super::rank::Search;
use super::resolve::{NameIndex, says_server};
use super::words::parts;
use super::{Corpus, Cutoff, select, sift};

impl Search<'_> {
    /// The hits that count, best first, as many as are wanted; [`Found::total`] says how many there are.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot; `no_scorable_terms` where the
    /// grammar leaves no word of it.
    pub fn find(&self, query: &str) -> Result<Found> {
        let mut found = self.evaluate(query)?;
        if let (Cutoff::HalfOfBest, Some(best)) = (self.settings.cutoff, found.hits.first().map(|hit| hit.score)) {
            let before = found.hits.len();
            found.hits.retain(|hit| hit.score >= best / 2.0);
            found.total -= before - found.hits.len();
        }
        found.total = found.total.max(found.hits.len());
        found.hits.truncate(self.most);
        Ok(found)
    }

    /// The tools that a query asks for, best first.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot; `no_scorable_terms` where the
    /// dialect leaves no word of it.
    fn evaluate(&self, text: &str) -> Result<Found> {
        let grammar = self.settings.grammar;
        let is_full = grammar == Grammar::Full;
        let text = if is_full { beginning(text, limits::QUERY_BYTES) } else { text };
        match Query::read(grammar, text) {
            Query::Text(text) => self.rank(text, &Keywords::plain(text), self.corpus),
            Query::Select(names) if !is_full => Ok(select::exact(&self.names(), &names, self.corpus)),
            Query::Terms(terms) if !is_full => self.among_holding(&Keywords::of(&terms)),
            query => self.full(query, text),
        }
    }

    /// The tools that hold every required word, ranked by all words.
    fn among_holding(&self, keywords: &Keywords) -> Result<Found> {
        if keywords.is_empty() {
            let message = "the query holds no word: write some, or select:<name>";
            return Err(Error::new(ErrorCode::NoScorableTerms, message));
        }
        let words: Vec<&str> = keywords.all().map(String::as_str).collect();
        let words = joined(&words, " ");
        if keywords.required.is_empty() {
            return self.rank(&words, keywords, self.corpus);
        }
        let holding = parts::holding(&keywords.required, &self.ranking(self.corpus));
        self.rank(&words, keywords, &Corpus::new(holding))
    }

    /// Where names are looked up.
    fn names(&self) -> NameIndex<'_> {
        NameIndex::new(self.settings, (self.index, self.texts), (self.catalog, self.owner))
    }

    /// The tools that are searched, each with its position in the catalog.
    fn positioned(&self) -> impl Iterator<Item = (u32, &Tool)> {
        self.corpus.positions().iter().map(|position| (*position, &*self.catalog.tools()[*position as usize]))
    }

    /// A query in the full dialect. Where its names or its pattern find nothing, it is words; where its demands leave
    /// nothing, its words are searched everywhere.
    fn full(&self, query: Query<'_>, text: &str) -> Result<Found> {
        let names_server = matches!(&query, Query::Select(names) if names.iter().any(|name| says_server(name)));
        let named = match &query {
            Query::Select(names) => Some(select::any_form(&self.names(), names, self.corpus, self.most)),
            Query::Pattern(pattern) => self.matching(pattern, self.corpus).ok(),
            Query::Text(_) | Query::Terms(_) => None,
        };
        if let Some(found) = named.filter(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let terms = if let Query::Terms(terms) = query { terms } else { terms(Grammar::Full, text) };
        let demands = Demands::of(text, &terms, || self.positioned().map(|(_, tool)| tool));
        let words = &demands.words;
        let admitted = if demands.are_none() { Vec::new() } else { self.admitted(&demands) };
        if admitted.is_empty() {
            let found = self.rank(words, &Keywords::plain(words), self.corpus)?;
            if demands.are_none() && !names_server {
                return Ok(found);
            }
            // Whoever named a server does not mean the tool of another one, however well its words fit.
            let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
            return Ok(Found { verdict, ..found });
        }
        let is_admitted = |tool: usize| u32::try_from(tool).is_ok_and(|tool| admitted.binary_search(&tool).is_ok());
        let rules_out = self.explained.tool.is_some_and(|tool| !is_admitted(tool));
        if demands.are_of_servers_only() {
            let hits = admitted.into_iter().map(|position| self.of_server(position as usize)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        Ok(Found { rules_out, ..self.rank(words, &Keywords::plain(words), &Corpus::new(admitted))? })
    }

    /// The positions of the tools that meet the demands of a query.
    fn admitted(&self, demands: &Demands<'_>) -> Vec<u32> {
        let statistics = self.whole.statistics(self.index);
        // Each demanded word is looked up once, not once a tool.
        let having = |(word, occurrence): (&str, Occurrence)| {
            sift::having(self.index, statistics, word, occurrence == Occurrence::WordOrPartOfName)
        };
        let must: Vec<Vec<bool>> = demands.must().map(having).collect();
        let not: Vec<Vec<bool>> = demands.not().map(having).collect();
        let is_admitted = |(position, tool): &(u32, &Tool)| {
            let place = self.whole.place_of(*position as usize);
            let has = |having: &Vec<bool>| place.is_some_and(|place| having[place]);
            demands.admit_server(tool) && must.iter().all(has) && !not.iter().any(has)
        };
        self.positioned().filter(is_admitted).map(|(position, _)| position).collect()
    }

    /// A tool that was asked for by its server.
    fn of_server(&self, position: usize) -> Hit {
        let server = self.catalog.tools()[position].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index: position, score: 1.0, likelihood: None, parts: vec![part] }
    }
}
