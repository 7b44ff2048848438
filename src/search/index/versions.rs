//! Gives each document of the index a number. A document is one version of one tool. A new or changed tool gets the next
//! number. The old document of a changed or removed tool is a tombstone, until everything is read again.

use crate::catalog::{Catalog, ToolId};

use crate::search::ids::Doc;

/// If the tombstones exceed the other documents by this number, everything is read again.
const TOMBSTONES: usize = 1_000;
/// The position of a tombstone.
const GONE: u32 = u32::MAX;

/// The document of each tool of a catalog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    revision: Option<u64>,
    /// See [`Catalog::retired`].
    retired: u64,
    /// The documents by position in the catalog.
    of_tools: Vec<Doc>,
    /// By document: the tool, and its position in the catalog.
    tools: Vec<(ToolId, u32)>,
    /// The latest version that was read.
    latest: Option<ToolId>,
}

/// The documents that must be read after a change of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// The documents from this number on.
    From(Doc),
    /// All documents from 0 on; data read before must be dropped.
    All,
}

impl Versions {
    /// Returns true if the current state of the catalog was read.
    pub(crate) fn follows(&self, catalog: &Catalog) -> bool {
        self.revision == Some(catalog.revision())
    }

    /// Updates to the current state of the catalog.
    pub(crate) fn follow(&mut self, catalog: &Catalog) -> Change {
        if self.follows(catalog) {
            return Change::None;
        }
        self.revision = Some(catalog.revision());
        let first_new = Doc::new(self.tools.len());
        if self.retired == catalog.retired() {
            // New tools come after the others.
            for (position, tool) in catalog.tools().iter().enumerate().skip(self.of_tools.len()) {
                self.of_tools.push(Doc::new(self.tools.len()));
                self.tools.push((tool.id, position as u32));
                self.latest = self.latest.max(Some(tool.id));
            }
            return Change::From(first_new);
        }
        self.retired = catalog.retired();
        let latest = self.latest;
        let before = std::mem::take(&mut self.of_tools);
        self.tools.iter_mut().for_each(|(_, position)| *position = GONE);
        // Remaining tools keep their order, and a new version has a larger id than all earlier versions. So one pass is
        // enough.
        let mut known = before.into_iter();
        for (position, tool) in catalog.tools().iter().enumerate() {
            let is_new = latest.is_none_or(|latest| tool.id > latest);
            self.latest = self.latest.max(Some(tool.id));
            let same = if is_new { None } else { known.by_ref().find(|doc| self.tools[*doc].0 == tool.id) };
            let doc = same.unwrap_or_else(|| {
                self.tools.push((tool.id, GONE));
                Doc::new(self.tools.len() - 1)
            });
            self.tools[doc].1 = position as u32;
            self.of_tools.push(doc);
        }
        let tombstones = self.tools.len() - self.of_tools.len();
        if tombstones > self.of_tools.len() + TOMBSTONES {
            self.of_tools = (0..self.of_tools.len()).map(Doc::new).collect();
            self.tools = catalog.tools().iter().enumerate().map(|(at, tool)| (tool.id, at as u32)).collect();
            return Change::All;
        }
        Change::From(first_new)
    }

    /// Returns the number of documents, including tombstones.
    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns the document of the tool at a position of the catalog.
    pub(crate) fn at(&self, position: usize) -> Doc {
        self.of_tools[position]
    }

    /// Returns the position of a document's tool in the catalog; `None` for a tombstone.
    pub(crate) fn position(&self, doc: Doc) -> Option<usize> {
        let (_, position) = self.tools[doc];
        (position != GONE).then_some(position as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::RegisterOptions;

    fn sync(catalog: &mut Catalog, server: &str, tools: &[(&str, usize)]) {
        let tool = |(name, version): &(&str, usize)| format!(r#"{{"name":"{name}","description":"{version}"}}"#);
        let list: Vec<String> = tools.iter().map(tool).collect();
        catalog.sync(server, &format!("[{}]", list.join(",")), &RegisterOptions::default()).unwrap();
    }

    #[test]
    fn tools_that_stay_keep_their_documents() {
        let mut catalog = Catalog::new(10_000, []);
        let mut docs = Versions::default();
        let order = |docs: &Versions, tools: usize| (0..tools).map(|at| docs.at(at)).collect::<Vec<_>>();
        sync(&mut catalog, "a", &[("one", 1), ("two", 1), ("three", 1)]);
        assert_eq!((docs.follow(&catalog), docs.follow(&catalog)), (Change::From(Doc(0)), Change::None));
        sync(&mut catalog, "b", &[("four", 1)]);
        sync(&mut catalog, "a", &[("two", 2), ("three", 1), ("five", 1)]);
        assert_eq!(docs.follow(&catalog), Change::From(Doc(3)));
        let names: Vec<&str> = catalog.tools().iter().map(|tool| &*tool.model_name).collect();
        assert_eq!(names, ["two", "three", "four", "five"]);
        let found = order(&docs, 4);
        assert!(found[1] == Doc(2) && [0, 2, 3].iter().all(|at| found[*at] >= Doc(3)), "{found:?}");
        assert_eq!((docs.position(Doc(0)), docs.position(Doc(2))), (None, Some(1)));
        (0..4).for_each(|at| assert_eq!(docs.position(docs.at(at)), Some(at)));
    }

    #[test]
    fn tombstones_are_bounded() {
        let mut catalog = Catalog::new(10_000, []);
        let mut docs = Versions::default();
        let mut anew = 0;
        for version in 0..4_000 {
            sync(&mut catalog, "a", &[("one", 1), ("two", version)]);
            anew += usize::from(docs.follow(&catalog) == Change::All);
            assert!(docs.len() <= 2 * 2 + TOMBSTONES);
        }
        assert!(anew > 2, "{anew}");
    }
}
