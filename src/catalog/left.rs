//! Remembers which versions of tools have left the catalog, so that what is kept of them elsewhere can be released.

use super::tool::ToolId;

/// Versions that are remembered at least.
const LEAST: usize = 1_000;

/// The versions that left last, in that order.
#[derive(Debug, Default)]
pub(super) struct Left {
    ids: Vec<ToolId>,
    /// How many left before these.
    forgotten: u64,
}

impl Left {
    /// Notes that a version has left. Of a catalog of `tools` tools, as many are remembered: whoever has missed more forgets
    /// everything.
    pub(super) fn add(&mut self, id: ToolId, tools: usize) {
        if self.ids.len() >= tools.max(LEAST) {
            self.forgotten = self.count();
            self.ids.clear();
        }
        self.ids.push(id);
    }

    /// How many have left so far.
    pub(super) fn count(&self) -> u64 {
        self.forgotten + self.ids.len() as u64
    }

    /// Those that have left since `count` had, or nothing where some of them are forgotten.
    pub(super) fn since(&self, count: u64) -> Option<&[ToolId]> {
        let first = count.checked_sub(self.forgotten)?;
        self.ids.get(usize::try_from(first).ok()?..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_left_is_remembered_for_a_while() {
        let mut left = Left::default();
        let ids: Vec<ToolId> = (0..1_500).map(ToolId).collect();
        ids[..10].iter().for_each(|id| left.add(*id, 2));
        assert_eq!((left.count(), left.since(0), left.since(8)), (10, Some(&ids[..10]), Some(&ids[8..10])));
        assert_eq!(left.since(10), Some(&[][..]));
        ids[10..].iter().for_each(|id| left.add(*id, 2));
        assert_eq!((left.count(), left.since(10), left.since(1_400)), (1_500, None, Some(&ids[1_400..])));
    }
}
