//! Keeps the texts of tools in the forms in which rankers read them. Each form is made when a search first needs it, and kept
//! as long as the tool is in the catalog.

use std::cell::{OnceCell, Ref, RefCell};

use crate::catalog::{Catalog, Tool, ToolId};
use crate::map::Map;

use super::fuzzy_words::FuzzyWords;
use super::interner::Interner;
use super::lower_cased::LowerCased;
use super::word_counts::WordCounts;
use super::words::Words;

/// The texts of the tools of a catalog.
#[derive(Debug, Default)]
pub struct Texts {
    revision: Option<u64>,
    places: Map<ToolId, usize>,
    texts: Vec<Text>,
    /// Tools that have left the catalog since the interner was made.
    gone: usize,
    interner: RefCell<Interner>,
}

/// What rankers read of a tool.
#[derive(Debug, Default)]
struct Text {
    lower_cased: OnceCell<LowerCased>,
    words: OnceCell<Words>,
    fuzzy_words: OnceCell<FuzzyWords>,
    counts: OnceCell<WordCounts>,
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
        // A word does not know which tools use it. So the interner is made anew once more tools have gone than stayed.
        if self.gone > kept {
            self.gone = 0;
            self.interner = RefCell::default();
            self.texts.iter_mut().for_each(|text| *text = Text::default());
        }
    }

    /// Name and description in lower case.
    pub(super) fn lower_cased(&self, tool: &Tool) -> Option<&LowerCased> {
        Some(self.of(tool)?.lower_cased.get_or_init(|| LowerCased::of(tool)))
    }

    /// What the words of queries are looked for in.
    pub(super) fn words(&self, tool: &Tool) -> Option<&Words> {
        Some(self.of(tool)?.words.get_or_init(|| Words::of(tool)))
    }

    /// The words that are compared letter by letter.
    pub(super) fn fuzzy_words(&self, tool: &Tool) -> Option<&FuzzyWords> {
        let text = self.of(tool)?;
        let lower_cased = self.lower_cased(tool)?;
        let read = || FuzzyWords::of(tool, lower_cased, &mut self.interner.borrow_mut());
        Some(text.fuzzy_words.get_or_init(read))
    }

    /// How often each word occurs in the tool.
    pub(super) fn counts(&self, tool: &Tool) -> Option<&WordCounts> {
        Some(self.of(tool)?.counts.get_or_init(|| WordCounts::of(tool, &mut self.interner.borrow_mut())))
    }

    /// The words that were read so far.
    pub(super) fn interner(&self) -> Ref<'_, Interner> {
        self.interner.borrow()
    }

    fn of(&self, tool: &Tool) -> Option<&Text> {
        self.texts.get(*self.places.get(&tool.id)?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::*;
    use crate::catalog::{Catalog, RegisterOptions};

    /// Two tools that stay, and two of this round.
    fn sync(catalog: &mut Catalog, round: usize) {
        let tool = |name: &str, text: &str| serde_json::json!({ "name": name, "description": text }).to_string();
        let tools = [
            tool("create_issue", "Opens an issue in a repository"),
            tool(&format!("round{round}_list"), &format!("Lists all issues of week w{round}")),
            tool("delete_file", &format!("Removes a file, as of week w{round}")),
            tool("send_mail", "Sends a mail"),
        ];
        catalog.sync("host", &format!("[{}]", tools.join(",")), &RegisterOptions::default()).unwrap();
    }

    /// What every ranker finds for every query.
    fn found(texts: &Texts, catalog: &Catalog) -> Vec<Found> {
        let index = Index::new(&[], Without::default());
        let corpus = Corpus::new((0..catalog.tools().len() as u32).collect());
        let mut all = Vec::new();
        for ranker in [Ranker::Pattern, Ranker::Parts, Ranker::Overlap, Ranker::Bm25] {
            for query in ["open an isue", "+issue week", "list w1 w2 w3", "remove file", "sends", "ile"] {
                let settings = SearchSettings {
                    grammar: if ranker == Ranker::Parts { Grammar::Commands } else { Grammar::Plain },
                    ranker,
                    universe: Universe::All,
                    cutoff: Cutoff::None,
                    hits: None,
                    most_hits: 10,
                    without: Without::default(),
                };
                let explained = Explained { first: 10, tool: None };
                let (settings, index, corpus) = (&settings, &index, &corpus);
                let search = Search { settings, index, texts, catalog, corpus, opening: 0, most: 10, explained };
                all.push(search.find(query).unwrap_or_default());
            }
        }
        all
    }

    #[test]
    fn kept_texts_give_the_answers_of_new_ones() {
        let mut catalog = Catalog::new(100, []);
        let mut kept = Texts::default();
        let mut hits = 0;
        for round in 0..40 {
            sync(&mut catalog, round);
            if round % 7 == 6 {
                catalog.unregister(None, Some(&["send_mail".to_owned()]));
            }
            let mut new = Texts::default();
            new.follow(&catalog);
            kept.follow(&catalog);
            let answers = found(&kept, &catalog);
            assert_eq!(answers, found(&new, &catalog), "round {round}");
            hits += answers.iter().map(|found| found.hits.len()).sum::<usize>();
            let (before, after) = (new.interner().words().len(), kept.interner().words().len());
            assert!(after <= 3 * before, "round {round}: {after} words for {before}");
        }
        assert!(hits > 40 * 20, "{hits}");
    }
}
