//! Evaluates a query in any dialect. It finds tools by name, by pattern, by server, or by words among the tools that
//! meet the query's demands, and ranks them with the ranker of the settings.

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Set;
use crate::text::{beginning, normalized};

use super::analysis::tokenizer::{Cut, each_word};
use super::corpus::Corpus;
use super::hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
use super::ids::ServerId;
use super::index::Index;
use super::published::{Ranking, bm25, fuzzy, overlap, parts, pattern};
use super::query::{Demands, Grammar, Keywords, Query, Token, tokens};
use super::resolve::{NameIndex, any_form, exact, says_server};
use super::searcher::Search;
use super::settings::{Cutoff, Ranker};
use super::view::View;

impl Search<'_> {
    /// Returns the wanted number of hits, best first, and the number of all hits in [`Found::total`].
    ///
    /// # Errors
    /// `pattern_invalid` if the ranker reads the query as a pattern and it is invalid; `no_scorable_terms` if the query
    /// has no word in its dialect.
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

    /// Finds and ranks the tools for a query.
    ///
    /// # Errors
    /// `pattern_invalid` if the ranker reads the query as a pattern and it is invalid; `no_scorable_terms` if the query
    /// has no word in its dialect.
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

    /// Ranks the tools that have every required word by all words.
    #[inline(never)]
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
        let has_all = |at: &&u32| parts::has_all(&keywords.required, &self.catalog.tools()[**at as usize]);
        let positions = self.corpus.positions().iter().filter(has_all).copied().collect();
        self.rank(&words, Some(keywords), &Corpus::new(positions))
    }

    /// Returns the look-up of names.
    fn names(&self) -> NameIndex<'_> {
        NameIndex::new(self.index, self.catalog, self.owner)
    }

    /// Evaluates a query in the full dialect. If its names or its pattern find nothing, it is read as words. If no tool
    /// meets its demands, its words are searched in all tools.
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
        let demands = Demands::of(text, &tokens, &|| self.servers());
        let words = &demands.words;
        if demands.are_none() {
            let found = self.rank(words, None, self.corpus)?;
            return Ok(if names_server { distrusted(found) } else { found });
        }
        if !demands.has_words() && !demands.name_servers() {
            // The query only excludes tools, so there is nothing to search for.
            return self.rank("", None, self.corpus);
        }
        let view = self.whole.view(self.index, self.settings.without);
        let admitted = self.admitted(&demands);
        let positions = || {
            view.in_order().iter().filter(|doc| admitted[**doc]).filter_map(|doc| self.index.versions.position(*doc))
        };
        if !admitted.contains(&true) {
            return Ok(distrusted(self.rank(words, None, self.corpus)?));
        }
        let rules_out = self.explained.tool.is_some_and(|tool| !admitted[self.index.versions.at(tool)]);
        if !demands.has_words() {
            let hits = positions().map(|position| self.of_server(position)).collect();
            return Ok(Found { verdict: Some(Verdict::sure()), rules_out, ..Found::at(Stage::Select, hits) });
        }
        let words = demands.words_with_servers();
        let mut found = match self.settings.ranker {
            Ranker::Sift => self.sift(&words, Some(&admitted)),
            _ => self.rank(&words, None, &Corpus::new(positions().map(|position| position as u32).collect()))?,
        };
        // The names of servers are added after the last part, but do not belong to it.
        if let Some(need) = found.needs.last_mut() {
            need.text.truncate(need.text.len().saturating_sub(demands.servers_behind().len()));
        }
        found.needs.retain(|need| !need.text.is_empty());
        Ok(Found { rules_out, ..found })
    }

    /// Returns the servers of the searched tools, each with its normalized name.
    #[inline(never)]
    fn servers(&self) -> Vec<(ServerId, &str)> {
        let view = self.whole.view(self.index, self.settings.without);
        let is_searched = self.mask(self.corpus).map(|mask| {
            let docs = view.in_order().iter().filter(|doc| mask[**doc]);
            docs.map(|doc| self.index.columns.servers[*doc]).collect::<Set<ServerId>>()
        });
        let servers = view.distinct_servers().iter().filter(|server| **server != ServerId::NONE);
        let servers = servers.filter(|server| is_searched.as_ref().is_none_or(|searched| searched.contains(*server)));
        servers.map(|server| (*server, &*self.index.servers.plain_names[*server])).collect()
    }

    /// Returns, by document, whether its tool is in a corpus; `None` if the corpus is the whole.
    fn mask(&self, corpus: &Corpus) -> Option<Vec<bool>> {
        (!std::ptr::eq(corpus, self.whole)).then(|| self.mask_of(corpus))
    }

    fn mask_of(&self, corpus: &Corpus) -> Vec<bool> {
        self.index.mask(corpus.positions().iter().map(|position| self.index.versions.at(*position as usize)))
    }

    /// Returns, by document, whether its tool meets the demands of a query.
    #[inline(never)]
    fn admitted(&self, demands: &Demands<'_>) -> Vec<bool> {
        let view = self.whole.view(self.index, self.settings.without);
        let mut admitted = self.mask_of(self.corpus);
        for word in &demands.must {
            let with = tools_with(self.index, view, word, true);
            admitted.iter_mut().zip(with).for_each(|(admitted, has)| *admitted &= has);
        }
        for word in &demands.not {
            let with = tools_with(self.index, view, word, false);
            admitted.iter_mut().zip(with).for_each(|(admitted, has)| *admitted &= !has);
        }
        if demands.name_servers() || !demands.not_servers.is_empty() {
            let mut may_be = vec![!demands.name_servers(); self.index.servers.len()];
            demands.servers.iter().flatten().for_each(|server| may_be[*server] = true);
            demands.not_servers.iter().for_each(|server| may_be[*server] = false);
            view.in_order().iter().for_each(|doc| admitted[*doc] &= may_be[self.index.columns.servers[*doc]]);
        }
        admitted
    }

    /// Makes the hit for a tool of a server that the query names.
    #[inline(never)]
    fn of_server(&self, position: usize) -> Hit {
        let server = self.catalog.tools()[position].server().unwrap_or("");
        let part = HitPart::new(SearchedField::Server, server, server, How::WholeQuery, 1.0);
        Hit { index: position, score: 1.0, likelihood: None, parts: vec![part] }
    }

    /// Ranks the tools of a corpus by the words of a query. `keywords` are these words if the dialect has required
    /// words.
    ///
    /// # Errors
    /// `pattern_invalid` if the ranker reads the query as a pattern and it is invalid.
    pub(super) fn rank(&self, query: &str, keywords: Option<&Keywords>, corpus: &Corpus) -> Result<Found> {
        Ok(match self.settings.ranker {
            Ranker::Sift => self.sift(query, self.mask(corpus).as_deref()),
            Ranker::Pattern => match self.matching(query, corpus)? {
                found if found.hits.is_empty() => fuzzy::search(query, &self.ranking(corpus)),
                found => found,
            },
            Ranker::Parts => parts::search(keywords.unwrap_or(&Keywords::plain(query)), &self.ranking(corpus)),
            Ranker::Overlap => overlap::search(query, &self.ranking(corpus)),
            Ranker::Bm25 => bm25::search(query, &self.ranking(corpus)),
        })
    }

    /// Returns the tools of a corpus with their positions in the catalog, ascending.
    fn tools(&self, corpus: &Corpus) -> Vec<(usize, &Tool)> {
        let tools = self.catalog.tools();
        corpus.positions().iter().map(|at| (*at as usize, &*tools[*at as usize])).collect()
    }

    /// Returns the input of a published ranker.
    fn ranking<'s>(&'s self, corpus: &Corpus) -> Ranking<'s> {
        let least_share = if self.settings.cutoff == Cutoff::HalfOfBest { 0.5 } else { 0.0 };
        Ranking { tools: self.tools(corpus), least_share, most: self.most, explained: &self.explained }
    }

    /// Finds the tools that match a pattern.
    ///
    /// # Errors
    /// `pattern_invalid`.
    pub(super) fn matching(&self, pattern: &str, corpus: &Corpus) -> Result<Found> {
        pattern::search(pattern, &self.tools(corpus))
    }
}

/// Sets the confidence to none: a query that names a server does not mean the tool of another one, however well its
/// words fit.
fn distrusted(found: Found) -> Found {
    let verdict = found.verdict.map(|verdict| Verdict { confidence: Confidence::None, ..verdict });
    Found { verdict, ..found }
}

/// Returns, by document, whether a tool has every word of a text except stop words, in any form and field. With
/// `or_in_name`, it is enough that the text occurs in one of its names.
fn tools_with(index: &Index, view: &View, text: &str, or_in_name: bool) -> Vec<bool> {
    let none = || vec![false; index.versions.len()];
    let tools_with = |word: &str| {
        let mut tools = none();
        if let Some(term) = index.vocabulary.term(&index.lexicon.stem(word)) {
            view.postings(term).into_iter().flatten().for_each(|posting| tools[posting.doc] = true);
        }
        tools
    };
    let (mut all, mut run, mut says_something) = (vec![true; index.versions.len()], none(), false);
    each_word(text, |word, cut| {
        let is_stop = index.lexicon.is_stop_word(word);
        says_something |= !is_stop;
        if cut == Cut::Joined {
            run = tools_with(word);
        } else if !is_stop {
            let word = tools_with(word);
            let is_part = cut == Cut::Part;
            all.iter_mut().zip(word).zip(&run).for_each(|((all, word), run)| *all &= word || (is_part && *run));
        }
    });
    let mut found = if says_something { all } else { none() };
    if or_in_name {
        let text = normalized(text);
        let has_in_name = index.names.containing(&text);
        for doc in view.in_order() {
            found[*doc] = found[*doc] || has_in_name(*doc);
        }
    }
    found
}
