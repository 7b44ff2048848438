//! Keeps, for each scope in use, what is the same for all its sessions: the states of the tools, which of them are searched,
//! and what they cost together. The least recently used views are evicted first.

use std::sync::Arc;

use crate::assembly::Totals;
use crate::catalog::{Catalog, Owner};
use crate::limits;
use crate::map::Map;
use crate::order::sorted;
use crate::profile::Settings;
use crate::search::Corpus;
use crate::session::{Scope, View};

/// What all sessions of one scope share, for one state of the tools that there are for them.
#[derive(Debug)]
pub(super) struct Shared {
    pub view: View,
    /// The tools that are searched.
    pub corpus: Corpus,
    pub totals: Totals,
}

/// The views of a catalog.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// By scope, and by the session whose own tools are in it.
    views: Map<(Scope, Owner), Entry>,
    clock: u64,
    /// The view that was asked for last. What is worked out with it, as it is needed, is counted when the next one is.
    latest: Option<(Scope, Owner)>,
    /// About how many bytes the views take.
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    shared: Arc<Shared>,
    /// See [`Catalog::retired`] and [`Catalog::revision_of`].
    state: (u64, u64),
    used: u64,
    /// As last counted.
    bytes: usize,
}

impl Views {
    /// What the sessions of a scope share. A session that has tools of its own shares with none.
    pub(super) fn of(
        &mut self,
        catalog: &Catalog,
        settings: &Settings,
        (scope, owner): (&Scope, Owner),
    ) -> Arc<Shared> {
        self.count();
        self.clock += 1;
        let owner = if catalog.has_own(owner) { owner } else { Owner::SHARED };
        let (key, state) = ((scope.clone(), owner), (catalog.retired(), catalog.revision_of(owner)));
        self.latest = Some(key.clone());
        if let Some(entry) = self.views.get_mut(&key).filter(|entry| entry.state == state) {
            entry.used = self.clock;
            return entry.shared.clone();
        }
        let view = View::of(catalog, &settings.eligibility, (scope, owner));
        let universe = settings.discovery.search.universe;
        let searched = view.positions(|state| universe.holds(state));
        let corpus = match self.views.get(&key) {
            Some(earlier) => earlier.shared.corpus.followed_by(searched),
            None => Corpus::new(searched),
        };
        let shared = Arc::new(Shared { view, corpus, totals: Totals::default() });
        let before = self.views.insert(key, Entry { shared: shared.clone(), state, used: self.clock, bytes: 0 });
        self.bytes -= before.map_or(0, |before| before.bytes);
        shared
    }

    /// Counts what the latest view takes by now, and evicts where the views take too much.
    fn count(&mut self) {
        let Some(entry) = self.latest.take().and_then(|key| self.views.get_mut(&key)) else { return };
        let bytes = entry.shared.bytes();
        self.bytes = self.bytes + bytes - entry.bytes;
        entry.bytes = bytes;
        if self.bytes > limits::VIEW_BYTES {
            self.evict();
        }
    }

    /// Forgets the views of sessions that had tools of their own and are closed, by their scopes and owners.
    pub(super) fn forget(&mut self, closed: &[(Scope, Owner)]) {
        for key in closed {
            self.bytes -= self.views.remove(key).map_or(0, |entry| entry.bytes);
        }
    }

    /// Evicts the least recently used half of the views, so that the cost of looking for them is spread over many.
    fn evict(&mut self) {
        let uses = sorted(&self.views.values().map(|entry| entry.used).collect::<Vec<u64>>());
        let Some(oldest) = uses.get(uses.len() / 2).copied().filter(|_| uses.len() > 1) else { return };
        self.views.retain(|_, entry| entry.used >= oldest);
        self.bytes = self.views.values().map(|entry| entry.bytes).sum();
    }
}

impl Shared {
    fn bytes(&self) -> usize {
        self.view.bytes() + self.corpus.bytes() + self.totals.bytes()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::lock::lock;
    use crate::{RegisterOptions, ToolSift};

    fn search_with_own(sift: &ToolSift, id: &str) {
        let own = r#"[{"name":"own","description":"Feeds the cat."}]"#;
        sift.session(id, None).unwrap().register_json(own, &RegisterOptions::default()).unwrap();
        assert_eq!(sift.search("feed the cat", None, Some(id)).unwrap().hits.len(), 1);
    }

    #[test]
    fn a_session_with_tools_of_its_own_leaves_no_view() {
        let sift = ToolSift::new(Settings { most_sessions: 3, ..Settings::default() });
        sift.register_json(r#"[{"name":"shared"}]"#, &RegisterOptions::default()).unwrap();
        for round in 0..20 {
            search_with_own(&sift, &format!("evicted later {round}"));
            search_with_own(&sift, "closed");
            assert!(sift.close("closed"));
            let views = lock(&sift.inner.views).views.len();
            assert!(views <= 3, "round {round}: {views} views");
        }
        {
            let views = lock(&sift.inner.views);
            assert_eq!(views.bytes, views.views.values().map(|entry| entry.bytes).sum::<usize>());
        }
        // What sessions share stays when one of them goes.
        sift.session("plain", None).unwrap();
        sift.search("cat", None, Some("plain")).unwrap();
        let views = lock(&sift.inner.views).views.len();
        sift.close("plain");
        assert_eq!(lock(&sift.inner.views).views.len(), views);
    }

    /// What a search works out counts, though the view was made before it.
    #[test]
    fn what_views_take_is_bounded() {
        let sift = ToolSift::new(Settings::default());
        let tools: Vec<String> =
            (0..1_000).map(|at| format!(r#"{{"name":"tool_{at}","description":"Feeds."}}"#)).collect();
        let from = RegisterOptions { server: Some("a".into()), ..RegisterOptions::default() };
        sift.register_json(&format!("[{}]", tools.join(",")), &from).unwrap();
        let mut most = 0;
        for scope in 0..100 {
            let id = format!("user {scope}");
            let scope = Scope::new(&["a".to_owned(), format!("other {scope}")], &[]);
            sift.session(&id, Some(&scope)).unwrap();
            assert!(!sift.search("feed", None, Some(&id)).unwrap().hits.is_empty());
            most = most.max(lock(&sift.inner.views).views.values().map(|entry| entry.shared.bytes()).sum());
        }
        assert!(most > limits::VIEW_BYTES / 2, "{most} bytes say nothing about the bound");
        let one = most / lock(&sift.inner.views).views.len();
        assert!(most <= limits::VIEW_BYTES + one, "{most} bytes");
    }
}
