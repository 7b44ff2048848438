//! Ranks tools with the ranker that the settings name.

use crate::catalog::{Catalog, Tool};
use crate::error::Result;

use super::corpus::Corpus;
use super::hit::{Explained, Found};
use super::query::Keywords;
use super::sift::{self, Index};
use super::texts::Texts;
use super::{Cutoff, Ranker, SearchSettings, bm25, fuzzy, overlap, parts, pattern};

/// A search over some tools of a catalog; hits refer to tools by their positions in the catalog.
pub struct Search<'a> {
    /// How it is made.
    pub settings: &'a SearchSettings,
    /// The index of the ranker of our own, brought up to the catalog where [`SearchSettings::needs_index`].
    pub index: &'a Index,
    /// The texts of the catalog, brought up to it.
    pub texts: &'a Texts,
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them are searched.
    pub corpus: &'a Corpus,
    /// The session that searches, by its opening: names may mean tools of its own. 0 for none.
    pub opening: u32,
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
        let Search { texts, index, .. } = *self;
        if self.settings.ranker == Ranker::Sift {
            let request = sift::Request {
                index,
                tools: self.catalog.tools(),
                statistics: corpus.statistics(index),
                all: self.corpus.statistics(index),
                without: self.settings.without,
                // What a cut-off leaves can be counted only where all hits are there.
                most: if self.settings.cutoff == Cutoff::None { self.most } else { usize::MAX },
                explained: &self.explained,
            };
            return Ok(request.find(query));
        }
        let tools: Vec<&Tool> = corpus.positions().iter().map(|at| &*self.catalog.tools()[*at as usize]).collect();
        let place = self.explained.tool.and_then(|position| corpus.place_of(position));
        let explained = &Explained { tool: place, ..self.explained };
        let mut found = match self.settings.ranker {
            Ranker::Pattern => match pattern::search(query, &tools)? {
                found if found.hits.is_empty() => fuzzy::search(query, &tools, texts, explained),
                found => found,
            },
            Ranker::Parts => parts::search(keywords, &tools, texts, explained),
            Ranker::Overlap => overlap::search(query, &tools, texts, explained),
            Ranker::Bm25 | Ranker::Sift => bm25::search(query, &tools, texts, explained),
        };
        found.hits.iter_mut().for_each(|hit| hit.index = corpus.positions()[hit.index] as usize);
        Ok(found)
    }
}
