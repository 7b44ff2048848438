//! What a query in each dialect finds: tools by name, by pattern, by server, or by words among those that meet its demands.

use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::text::{beginning, joined};

use super::hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::passage::Needle;
use super::query::{Demands, Grammar, Keywords, Occurrence, Query, terms};
use super::{Search, pattern, select, sift};

impl Search<'_> {
    /// The tools that a query asks for, best first.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot; `no_scorable_terms` where the
    /// dialect leaves no word of it.
    pub(super) fn evaluate(&self, text: &str) -> Result<Found> {
        let grammar = self.settings.grammar;
        let is_full = grammar == Grammar::Full;
        let text = if is_full { beginning(text, limits::QUERY_BYTES) } else { text };
        match Query::read(grammar, text) {
            Query::Text(text) => self.rank(text, &Keywords::plain(text), self.tools),
            Query::Select(names) if !is_full => Ok(select::exact(&names, self.tools)),
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
        let required: Vec<Needle> = keywords.required.iter().cloned().map(Needle::new).collect();
        let holds = |at: &usize| self.texts.words(self.tools[*at]).is_some_and(|words| words.hold(&required));
        let is_holding = |at: &usize| required.is_empty() || holds(at);
        let holding: Vec<usize> = (0..self.tools.len()).filter(is_holding).collect();
        let words: Vec<&str> = keywords.all().map(String::as_str).collect();
        self.among(&holding, &joined(&words, " "), keywords)
    }

    /// A query in the full dialect. Where its names or its pattern find nothing, it is words; where its demands leave
    /// nothing, its words are searched everywhere.
    fn full(&self, query: Query<'_>, text: &str) -> Result<Found> {
        let named = match &query {
            Query::Select(names) => Some(select::any_spelling(self.index, names, self.tools)),
            Query::Pattern(pattern) => pattern::search(pattern, self.tools).ok(),
            Query::Text(_) | Query::Terms(_) => None,
        };
        if let Some(found) = named.filter(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let terms = if let Query::Terms(terms) = query { terms } else { terms(Grammar::Full, text) };
        let demands = Demands::of(text, &terms, self.tools);
        let words = &demands.words;
        if demands.are_none() {
            return self.rank(words, &Keywords::plain(words), self.tools);
        }
        let admitted: Vec<usize> = (0..self.tools.len()).filter(|at| self.admit(&demands, *at)).collect();
        if admitted.is_empty() {
            let found = self.rank(words, &Keywords::plain(words), self.tools)?;
            let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
            return Ok(Found { verdict, ..found });
        }
        let rules_out = self.explained.tool.is_some_and(|tool| !admitted.contains(&tool));
        if demands.are_of_servers_only() {
            let hits = admitted.into_iter().map(|index| self.of_server(index)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        Ok(Found { rules_out, ..self.among(&admitted, words, &Keywords::plain(words))? })
    }

    fn admit(&self, demands: &Demands<'_>, position: usize) -> bool {
        let tool = self.tools[position];
        demands.admit(tool, |word, occurrence| {
            sift::has_words(self.index, tool, word, occurrence == Occurrence::WordOrPartOfName)
        })
    }

    /// A tool that was asked for by its server.
    fn of_server(&self, index: usize) -> Hit {
        let server = self.tools[index].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index, score: 1.0, parts: vec![part] }
    }
}
