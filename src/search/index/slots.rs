//! Gives a slot to every version of every tool that the index reads. A tool that stays keeps its slot; one that is new or
//! changed gets the next one; the slots of tools that have left stay empty until everything is read anew.

use crate::catalog::{Catalog, ToolId};

use crate::search::ids::Slot;

/// Empty slots may outnumber the others by so many before everything is read anew.
const EMPTY_SLOTS: usize = 1_000;
/// The position of a tool that has left the catalog.
const GONE: u32 = u32::MAX;

/// Which slot each tool of a catalog has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    revision: Option<u64>,
    /// See [`Catalog::retired`].
    retired: u64,
    /// By position in the catalog.
    of_tools: Vec<Slot>,
    /// By slot: the tool in it, and its position in the catalog.
    tools: Vec<(ToolId, u32)>,
    /// The latest version that was taken in.
    latest: Option<ToolId>,
}

/// What has to be read after the catalog changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// The tools from this slot on.
    From(Slot),
    /// All tools, from slot 0 on: what was read before is to be thrown away.
    All,
}

impl Slots {
    /// Whether the catalog was taken in as it is now.
    pub(crate) fn follows(&self, catalog: &Catalog) -> bool {
        self.revision == Some(catalog.revision())
    }

    /// Takes in the catalog as it is now.
    pub(crate) fn follow(&mut self, catalog: &Catalog) -> Change {
        if self.follows(catalog) {
            return Change::None;
        }
        self.revision = Some(catalog.revision());
        let first_new = Slot::new(self.tools.len());
        if self.retired == catalog.retired() {
            // Whatever is new stands behind the others.
            for (position, tool) in catalog.tools().iter().enumerate().skip(self.of_tools.len()) {
                self.of_tools.push(Slot::new(self.tools.len()));
                self.tools.push((tool.id, position as u32));
                self.latest = self.latest.max(Some(tool.id));
            }
            return Change::From(first_new);
        }
        self.retired = catalog.retired();
        let latest = self.latest;
        let before = std::mem::take(&mut self.of_tools);
        self.tools.iter_mut().for_each(|(_, position)| *position = GONE);
        // Tools that stay keep their order, and new versions have larger ids than all before: one walk finds both.
        let mut known = before.into_iter();
        for (position, tool) in catalog.tools().iter().enumerate() {
            let is_new = latest.is_none_or(|latest| tool.id > latest);
            self.latest = self.latest.max(Some(tool.id));
            let same = if is_new { None } else { known.by_ref().find(|slot| self.tools[*slot].0 == tool.id) };
            let slot = same.unwrap_or_else(|| {
                self.tools.push((tool.id, GONE));
                Slot::new(self.tools.len() - 1)
            });
            self.tools[slot].1 = position as u32;
            self.of_tools.push(slot);
        }
        let empty = self.tools.len() - self.of_tools.len();
        if empty > self.of_tools.len() + EMPTY_SLOTS {
            self.of_tools = (0..self.of_tools.len()).map(Slot::new).collect();
            self.tools = catalog.tools().iter().enumerate().map(|(at, tool)| (tool.id, at as u32)).collect();
            return Change::All;
        }
        Change::From(first_new)
    }

    /// How many slots there are, empty ones included.
    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    /// The slot of the tool at a position of the catalog.
    pub(crate) fn at(&self, position: usize) -> Slot {
        self.of_tools[position]
    }

    /// The position in the catalog of the tool in a slot, unless it has left.
    pub(crate) fn position(&self, slot: Slot) -> Option<usize> {
        let (_, position) = self.tools[slot];
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
    fn tools_that_stay_keep_their_slots() {
        let mut catalog = Catalog::new(10_000, []);
        let mut slots = Slots::default();
        let order = |slots: &Slots, tools: usize| (0..tools).map(|at| slots.at(at)).collect::<Vec<_>>();
        sync(&mut catalog, "a", &[("one", 1), ("two", 1), ("three", 1)]);
        assert_eq!((slots.follow(&catalog), slots.follow(&catalog)), (Change::From(Slot(0)), Change::None));
        sync(&mut catalog, "b", &[("four", 1)]);
        sync(&mut catalog, "a", &[("two", 2), ("three", 1), ("five", 1)]);
        assert_eq!(slots.follow(&catalog), Change::From(Slot(3)));
        let names: Vec<&str> = catalog.tools().iter().map(|tool| &*tool.model_name).collect();
        assert_eq!(names, ["two", "three", "four", "five"]);
        let found = order(&slots, 4);
        assert!(found[1] == Slot(2) && [0, 2, 3].iter().all(|at| found[*at] >= Slot(3)), "{found:?}");
        assert_eq!((slots.position(Slot(0)), slots.position(Slot(2))), (None, Some(1)));
        (0..4).for_each(|at| assert_eq!(slots.position(slots.at(at)), Some(at)));
    }

    #[test]
    fn empty_slots_are_bounded() {
        let mut catalog = Catalog::new(10_000, []);
        let mut slots = Slots::default();
        let mut anew = 0;
        for version in 0..4_000 {
            sync(&mut catalog, "a", &[("one", 1), ("two", version)]);
            anew += usize::from(slots.follow(&catalog) == Change::All);
            assert!(slots.len() <= 2 * 2 + EMPTY_SLOTS);
        }
        assert!(anew > 2, "{anew}");
    }
}
