//! Evaluates a query in any dialect: it finds tools by name, by pattern, by server, or by words among the tools that meet its
//! demands, and ranks them with the ranker that the settings name.

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::text::beginning;

use super::hit::{Confidence, Explained, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::index::Index;
use super::published::{Ranking, bm25, fuzzy, overlap, parts, pattern};
use super::query::tools_with::tools_with;
use super::query::{Demands, Grammar, Keywords, Query, Token, tokens};
use super::resolve::{NameIndex, any_form, exact, says_server};
use super::searcher::Request;
use super::settings::{Cutoff, Ranker, SearchSettings};
use super::view::Corpus;

/// A search over some tools of a catalog; hits refer to tools by their positions in the catalog.
pub struct Search<'a> {
    /// How it is made.
    pub settings: &'a SearchSettings,
    /// The index, brought up to the catalog.
    pub index: &'a Index,
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them are searched.
    pub corpus: &'a Corpus,
    /// The tools over which words are counted: those that are searched, and more where the turn leaves some out.
    pub whole: &'a Corpus,
    /// The session that searches: names may mean tools of its own.
    pub owner: Owner,
    /// What the host says of some tools, by their positions in the catalog: from 0 to 1. Only the sift ranker adds it.
    pub scores: &'a [(u32, f64)],
    /// How many hits are wanted.
    pub most: usize,
    /// Of which hits the reasons are wanted.
    pub explained: Explained,
}

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
            Query::Text(text) => self.rank(text, None, self.corpus),
            Query::Select(names) if !is_full => Ok(exact(&self.names(), &names, self.corpus)),
            Query::Words(tokens) if !is_full => self.among_required(&Keywords::of(&tokens)),
            query => self.full(query, text),
        }
    }

    /// The tools that hold every required word, ranked by all words.
    fn among_required(&self, keywords: &Keywords) -> Result<Found> {
        if keywords.is_empty() {
            let message = "the query holds no word: write some, or select:<name>";
            return Err(Error::new(ErrorCode::NoScorableTerms, message));
        }
        let words: Vec<&str> = keywords.all().map(String::as_str).collect();
        let words = words.join(" ");
        if keywords.required.is_empty() {
            return self.rank(&words, Some(keywords), self.corpus);
        }
        let positions = parts::positions_with(&keywords.required, &self.ranking(self.corpus));
        self.rank(&words, Some(keywords), &Corpus::new(positions))
    }

    /// Where names are looked up.
    fn names(&self) -> NameIndex<'_> {
        NameIndex::new(self.index, self.catalog, self.owner)
    }

    /// The tools that are searched, each with its position in the catalog.
    fn positioned(&self) -> impl Iterator<Item = (u32, &Tool)> {
        self.corpus.positions().iter().map(|position| (*position, &*self.catalog.tools()[*position as usize]))
    }

    /// The tools that are searched: the place of each among those over which words are counted, and its position in the
    /// catalog. Both rise.
    fn placed(&self) -> impl Iterator<Item = (usize, u32)> {
        let mut whole = self.whole.positions().iter().enumerate();
        let place = move |position: u32| whole.by_ref().find(|(_, other)| **other == position).map(|(place, _)| place);
        self.corpus.positions().iter().copied().scan(place, |place, position| Some((place(position)?, position)))
    }

    /// A query in the full dialect. Where its names or its pattern find nothing, it is words; where its demands leave
    /// nothing, its words are searched everywhere.
    fn full(&self, query: Query<'_>, text: &str) -> Result<Found> {
        let names_server = matches!(&query, Query::Select(names) if names.iter().any(|name| says_server(name)));
        let named = match &query {
            Query::Select(names) => Some(any_form(&self.names(), names, self.corpus, self.most)),
            Query::Pattern(pattern) => self.matching(pattern, self.corpus).ok(),
            Query::Text(_) | Query::Words(_) => None,
        };
        if let Some(found) = named.filter(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let tokens = match query {
            Query::Words(tokens) => tokens,
            Query::Select(names) => names.into_iter().map(Token::Word).collect(),
            Query::Text(_) | Query::Pattern(_) => tokens(Grammar::Full, text),
        };
        let demands = Demands::of(text, &tokens, || self.positioned().map(|(_, tool)| tool));
        let words = &demands.words;
        let admitted = if demands.are_none() { Vec::new() } else { self.admitted(&demands) };
        if !demands.has_words() && !demands.are_none() && !demands.name_servers() {
            // Whatever is left out, nothing is asked for.
            return self.rank("", None, self.corpus);
        }
        if admitted.is_empty() {
            let found = self.rank(words, None, self.corpus)?;
            if demands.are_none() && !names_server {
                return Ok(found);
            }
            // Whoever named a server does not mean the tool of another one, however well its words fit.
            let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
            return Ok(Found { verdict, ..found });
        }
        let is_admitted = |tool: usize| u32::try_from(tool).is_ok_and(|tool| admitted.binary_search(&tool).is_ok());
        let rules_out = self.explained.tool.is_some_and(|tool| !is_admitted(tool));
        if !demands.has_words() {
            let hits = admitted.into_iter().map(|position| self.of_server(position as usize)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        let mut found = self.rank(&demands.words_with_servers(), None, &Corpus::new(admitted))?;
        // The servers stand behind the last part, and are none of it.
        if let Some(need) = found.needs.last_mut() {
            need.text.truncate(need.text.len().saturating_sub(demands.servers_behind().len()));
        }
        found.needs.retain(|need| !need.text.is_empty());
        Ok(Found { rules_out, ..found })
    }

    /// The positions of the tools that meet the demands of a query.
    fn admitted(&self, demands: &Demands<'_>) -> Vec<u32> {
        let statistics = self.whole.statistics(self.index);
        // Each demanded word is looked up once, not once a tool.
        let with = |word: &String, or_in_name| tools_with(self.index, statistics, word, or_in_name);
        let must: Vec<Vec<bool>> = demands.must.iter().map(|word| with(word, true)).collect();
        let not: Vec<Vec<bool>> = demands.not.iter().map(|word| with(word, false)).collect();
        let tools = self.catalog.tools();
        let is_admitted = |(place, position): &(usize, u32)| {
            let has = |tools: &Vec<bool>| tools[*place];
            must.iter().all(has) && !not.iter().any(has) && demands.admit_server(&tools[*position as usize])
        };
        self.placed().filter(is_admitted).map(|(_, position)| position).collect()
    }

    /// A tool that was asked for by its server.
    fn of_server(&self, position: usize) -> Hit {
        let server = self.catalog.tools()[position].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index: position, score: 1.0, likelihood: None, parts: vec![part] }
    }

    /// Ranks some tools by the words of a query; `keywords` are these where the dialect has demands of them.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot.
    pub(super) fn rank(&self, query: &str, keywords: Option<&Keywords>, corpus: &Corpus) -> Result<Found> {
        let index = self.index;
        if self.settings.ranker == Ranker::Sift {
            let only = (!std::ptr::eq(corpus, self.whole)).then(|| self.whole.holding(corpus));
            let request = Request {
                index,
                tools: self.catalog.tools(),
                statistics: self.whole.statistics(index),
                only: only.as_deref(),
                without: self.settings.without,
                scores: self.scores,
                // What a cut-off leaves can be counted only where all hits are there.
                most: if self.settings.cutoff == Cutoff::None { self.most } else { usize::MAX },
                explained: &self.explained,
            };
            return Ok(request.find(query));
        }
        let ranking = &self.ranking(corpus);
        Ok(match self.settings.ranker {
            Ranker::Pattern => match self.matching(query, corpus)? {
                found if found.hits.is_empty() => fuzzy::search(query, ranking),
                found => found,
            },
            Ranker::Parts => parts::search(keywords.unwrap_or(&Keywords::plain(query)), ranking),
            Ranker::Overlap => overlap::search(query, ranking),
            Ranker::Bm25 | Ranker::Sift => bm25::search(query, ranking),
        })
    }

    /// Some tools for a ranker of words.
    pub(super) fn ranking<'s>(&'s self, corpus: &'s Corpus) -> Ranking<'s> {
        Ranking {
            index: self.index,
            catalog: self.catalog,
            positions: corpus.positions(),
            least_share: if self.settings.cutoff == Cutoff::HalfOfBest { 0.5 } else { 0.0 },
            most: self.most,
            explained: &self.explained,
        }
    }

    /// The tools that match a pattern.
    ///
    /// # Errors
    /// `pattern_invalid`.
    pub(super) fn matching(&self, pattern: &str, corpus: &Corpus) -> Result<Found> {
        let positions = corpus.positions();
        let tools: Vec<&Tool> = positions.iter().map(|at| &*self.catalog.tools()[*at as usize]).collect();
        let mut found = pattern::search(pattern, &tools)?;
        found.hits.iter_mut().for_each(|hit| hit.index = positions[hit.index] as usize);
        Ok(found)
    }
}
