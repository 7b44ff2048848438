//! Keeps the index that every ranker reads. It follows the catalog: only new tools are read, each as the next document.
//!
//! - One vocabulary has the terms of all tools by number.
//! - Columns have the stems of each tool by field, for the sift ranker (`analyzer`, `columns`): a forward index, from
//!   which views count postings.
//! - `names` has the names by which tools are called.
//!
//! The published rankers read the texts in the catalog instead.

pub(super) mod analyzer;
pub(super) mod columns;
pub(super) mod names;
pub(super) mod prebuilt;
pub(super) mod schema_texts;
pub(super) mod tool_texts;
pub(super) mod versions;
pub(super) mod vocabulary;

use crate::catalog::{Catalog, Tool};
use crate::search::analysis::lexicon::Lexicon;
use crate::search::analysis::translations::Translations;
use crate::search::ids::Doc;
use crate::search::index::analyzer::Analyzer;
use crate::search::index::columns::{Columns, Servers};
use crate::search::index::names::Names;
use crate::search::index::versions::{Change, Versions};
use crate::search::index::vocabulary::Vocabulary;
use crate::search::null_scores::Measured;
use crate::search::ranker_options::Without;

/// The data about the tools of a catalog that searches read.
#[derive(Clone, Debug)]
pub struct Index {
    /// True if the terms of tools are read.
    reads_terms: bool,
    pub(crate) lexicon: Lexicon,
    /// The number of rebuilds: documents and terms of another epoch mean other things.
    pub(crate) epoch: u64,
    pub(crate) versions: Versions,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) columns: Columns,
    pub(crate) servers: Servers,
    pub(crate) names: Names,
    /// Null scores from a prebuilt index.
    pub(crate) measured: Option<Measured>,
}

impl Index {
    /// Makes an empty index; `synonyms` are added to those of the tables. Without terms it has only names.
    pub(crate) fn new(synonyms: &[Vec<String>], without: Without, reads_terms: bool) -> Self {
        Index {
            reads_terms,
            lexicon: Lexicon::new(synonyms, without),
            epoch: 0,
            versions: Versions::default(),
            vocabulary: Vocabulary::default(),
            columns: Columns::default(),
            servers: Servers::default(),
            names: Names::default(),
            measured: None,
        }
    }

    /// Adds a table of translations.
    pub(crate) fn with_translations(mut self, translations: &Translations) -> Self {
        self.lexicon.translations = translations.clone();
        self
    }

    /// Returns true if the index is up to date with the catalog.
    pub(crate) fn follows(&self, catalog: &Catalog) -> bool {
        self.versions.follows(catalog)
    }

    /// Brings the index up to date with the catalog.
    pub(crate) fn follow(&mut self, catalog: &Catalog) {
        let first = match self.versions.follow(catalog) {
            Change::None => return,
            Change::From(doc) => doc,
            Change::All => {
                self.epoch += 1;
                self.vocabulary = Vocabulary::default();
                self.columns = Columns::default();
                self.servers = Servers::default();
                self.names = Names::default();
                Doc(0)
            }
        };
        self.measured = None;
        let mut analyzer = Analyzer::default();
        for doc in (first.index()..self.versions.len()).map(Doc::new) {
            // New documents are of tools in the catalog.
            let Some(position) = self.versions.position(doc) else { continue };
            let tool = &catalog.tools()[position];
            if self.reads_terms {
                self.read_terms(tool, &mut analyzer);
            }
            self.names.push(tool);
        }
        if self.reads_terms {
            self.vocabulary.sort();
        }
    }

    /// Returns, by document, whether it is one of `docs`.
    pub(crate) fn mask(&self, docs: impl IntoIterator<Item = Doc>) -> Vec<bool> {
        let mut mask = vec![false; self.versions.len()];
        docs.into_iter().for_each(|doc| mask[doc] = true);
        mask
    }

    fn read_terms(&mut self, tool: &Tool, analyzer: &mut Analyzer) {
        let Index { lexicon, vocabulary, servers, .. } = self;
        let (row, occurrences) = analyzer.read(tool, lexicon, vocabulary, servers);
        self.columns.push(row, tool.effect, occurrences);
    }
}
