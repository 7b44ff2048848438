//! Ranks tools with the ranker that the settings name.

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::Result;

use super::corpus::Corpus;
use super::hit::{Explained, Found};
use super::query::Keywords;
use super::sift::{self, Index};
use super::words::{bm25, fuzzy, overlap, parts};
use super::{Cutoff, Ranker, SearchSettings, pattern};
use crate::search::words::TextIndex;
use crate::search::words::ranking::Ranking;

/// A search over some tools of a catalog; hits refer to tools by their positions in the catalog.
pub struct Search<'a> {
    /// How it is made.
    pub settings: &'a SearchSettings,
    /// The index of the ranker of our own, brought up to the catalog where [`SearchSettings::needs_index`].
    pub index: &'a Index,
    /// The texts of the catalog, brought up to it where [`SearchSettings::needs_texts`].
    pub texts: &'a TextIndex,
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them are searched.
    pub corpus: &'a Corpus,
    /// The tools over which words are counted: those that are searched, and more where the turn leaves some out.
    pub whole: &'a Corpus,
    /// The session that searches: names may mean tools of its own.
    pub owner: Owner,
    /// What the host says of some tools, by their positions in the catalog: from 0 to 1. Only the ranker of our own adds it.
    pub scores: &'a [(u32, f64)],
    /// How many hits are wanted.
    pub most: usize,
    /// Of which hits the reasons are wanted.
    pub explained: Explained,
}

impl Search<'_> {
    /// Ranks some tools by the words of a query.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot.
    pub(super) fn rank(&self, query: &str, keywords: &Keywords, corpus: &Corpus) -> Result<Found> {
        let index = self.index;
        if self.settings.ranker == Ranker::Sift {
            let only = (!std::ptr::eq(corpus, self.whole)).then(|| self.whole.holding(corpus));
            let request = sift::Request {
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
            Ranker::Parts => parts::search(keywords, ranking),
            Ranker::Overlap => overlap::search(query, ranking),
            Ranker::Bm25 | Ranker::Sift => bm25::search(query, ranking),
        })
    }

    /// Some tools for a ranker of words.
    pub(super) fn ranking<'s>(&'s self, corpus: &'s Corpus) -> Ranking<'s> {
        Ranking {
            texts: self.texts,
            catalog: self.catalog,
            tools: corpus.texts(&self.texts.slots, self.catalog),
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
