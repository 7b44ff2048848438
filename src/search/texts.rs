//! What was read of the tools before? Their texts in the forms in which rankers read them, each made when a search first
//! needs it and kept as long as the tool is in the catalog.

use std::cell::{OnceCell, Ref, RefCell};

use crate::case::lower;
use crate::catalog::{Catalog, Tool, ToolId};
use crate::map::Map;

use super::bm25::Counts;
use super::fuzzy::Compared;
use super::passage::Passage;
use super::query::Words;
use super::vocabulary::Vocabulary;

/// The texts of the tools of a catalog.
#[derive(Debug, Default)]
pub struct Texts {
    revision: Option<u64>,
    places: Map<ToolId, usize>,
    texts: Vec<Text>,
    /// Tools that left since the vocabulary was begun.
    gone: usize,
    vocabulary: RefCell<Vocabulary>,
}

/// What rankers read of a tool.
#[derive(Debug, Default)]
struct Text {
    plain: OnceCell<Plain>,
    words: OnceCell<Words>,
    compared: OnceCell<Compared>,
    counts: OnceCell<Counts>,
}

/// Name and description in lower case.
#[derive(Debug)]
pub(super) struct Plain {
    pub name: Passage,
    pub description: Passage,
}

impl Texts {
    /// Forgets tools that have left the catalog, and makes room for those that are new to it.
    pub fn follow(&mut self, catalog: &Catalog) {
        if self.revision == Some(catalog.revision()) {
            return;
        }
        self.revision = Some(catalog.revision());
        let mut before: Vec<Option<Text>> = std::mem::take(&mut self.texts).into_iter().map(Some).collect();
        let old = std::mem::take(&mut self.places);
        let mut kept = 0;
        for tool in catalog.tools() {
            let text = old.get(&tool.id).and_then(|at| before[*at].take());
            kept += usize::from(text.is_some());
            self.places.insert(tool.id, self.texts.len());
            self.texts.push(text.unwrap_or_default());
        }
        self.gone += before.len() - kept;
        // Nobody counts who else uses a word: words of tools that have gone go with all others, now and then.
        if self.gone > kept {
            self.gone = 0;
            self.vocabulary = RefCell::default();
            self.texts.iter_mut().for_each(|text| *text = Text::default());
        }
    }

    /// Name and description, for tools of the catalog.
    pub(super) fn plain(&self, tool: &Tool) -> Option<&Plain> {
        let read = || Plain {
            name: Passage::new(lower(&tool.model_name)),
            description: Passage::new(lower(&tool.description)),
        };
        Some(self.of(tool)?.plain.get_or_init(read))
    }

    /// What the words of queries are looked for in.
    pub(super) fn words(&self, tool: &Tool) -> Option<&Words> {
        Some(self.of(tool)?.words.get_or_init(|| Words::of(tool)))
    }

    /// The words that are compared letter by letter.
    pub(super) fn compared(&self, tool: &Tool) -> Option<&Compared> {
        let text = self.of(tool)?;
        let plain = self.plain(tool)?;
        Some(text.compared.get_or_init(|| Compared::of(tool, plain, &mut self.vocabulary.borrow_mut())))
    }

    /// How often each word stands in the tool.
    pub(super) fn counts(&self, tool: &Tool) -> Option<&Counts> {
        Some(self.of(tool)?.counts.get_or_init(|| Counts::of(tool, &mut self.vocabulary.borrow_mut())))
    }

    /// The words that were read so far.
    pub(super) fn vocabulary(&self) -> Ref<'_, Vocabulary> {
        self.vocabulary.borrow()
    }

    fn of(&self, tool: &Tool) -> Option<&Text> {
        self.texts.get(*self.places.get(&tool.id)?)
    }
}
