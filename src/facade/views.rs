//! Keeps, for each scope in use, what is the same for all its sessions: the states of the tools, which of them are searched,
//! and what they cost together. The least recently used views are evicted first.

use std::sync::{Arc, Mutex};

use crate::assembly::Totals;
use crate::catalog::{Catalog, Owner};
use crate::limits;
use crate::lock::lock;
use crate::map::Map;
use crate::profile::Settings;
use crate::search::Corpus;
use crate::session::{Scope, View};

/// The data that all sessions of one scope share, for one version of the tools that they may see.
#[derive(Debug)]
pub(super) struct Shared {
    pub view: View,
    /// The tools that are searched.
    pub corpus: Corpus,
    /// `corpus` split into tools and skills; `None` if there are no skills.
    pub kinds: Option<[Corpus; 2]>,
    pub totals: Totals,
}

/// The views of a catalog. A key is a scope and an owner: a session that has tools of its own, or [`Owner::SHARED`].
#[derive(Debug, Default)]
pub(super) struct Views(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    entries: Map<(Scope, Owner), Entry>,
    /// The number of look-ups so far.
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    shared: Arc<Shared>,
    /// The clock of the last use.
    used: u64,
    /// The [`Catalog::retired`] and [`Catalog::revision_of`] of the view. Both only grow, so a smaller state is an
    /// older one.
    state: (u64, u64),
}

impl Views {
    /// Returns what the sessions of a scope share. A session that has tools of its own has a view of its own.
    pub(super) fn of(&self, catalog: &Catalog, settings: &Settings, scope: &Scope, owner: Owner) -> Arc<Shared> {
        let owner = if catalog.has_own(owner) { owner } else { Owner::SHARED };
        let (key, state) = ((scope.clone(), owner), (catalog.retired(), catalog.revision_of(owner)));
        let known = lock(&self.0).get(&key).map(|entry| (entry.shared.clone(), entry.state));
        let earlier = match known {
            Some((shared, known)) if known == state => return shared,
            known => known.filter(|(_, known)| *known < state),
        };
        // The lock is not held while the view is built, so other sessions do not wait.
        let view = View::of(catalog, &settings.eligibility, scope, owner);
        let universe = settings.discovery.search.universe;
        let searched = view.positions(|state| universe.holds(state));
        let earlier = earlier.map(|(earlier, _)| earlier);
        let followed = |before: Option<&Corpus>, positions| match before {
            Some(before) => before.followed_by(positions),
            None => Corpus::new(positions),
        };
        let kinds = (view.skills > 0).then(|| {
            let before = earlier.as_ref().and_then(|earlier| earlier.kinds.as_ref());
            let is_tool = |position: &u32| !catalog.tools()[*position as usize].key.is_skill;
            let (tools, skills) = searched.iter().partition(|position| is_tool(position));
            [followed(before.map(|[tools, _]| tools), tools), followed(before.map(|[_, skills]| skills), skills)]
        });
        let corpus = followed(earlier.as_ref().map(|earlier| &earlier.corpus), searched);
        let shared = Arc::new(Shared { view, corpus, kinds, totals: Totals::default() });
        let mut views = lock(&self.0);
        match views.get(&key) {
            Some(entry) if entry.state == state => return entry.shared.clone(),
            // Another thread has stored a view of a newer catalog.
            Some(entry) if entry.state > state => return shared,
            _ => {}
        }
        let used = views.clock;
        views.entries.insert(key, Entry { shared: shared.clone(), used, state });
        views.evict();
        shared
    }

    /// Forgets the views of sessions that had tools of their own and are closed, by their scopes and owners.
    pub(super) fn forget(&self, closed: &[(Scope, Owner)]) {
        let mut views = lock(&self.0);
        closed.iter().for_each(|key| _ = views.entries.remove(key));
    }
}

impl Known {
    /// Returns the view of a key, which becomes the most recently used one.
    fn get(&mut self, key: &(Scope, Owner)) -> Option<&Entry> {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(entry)
    }

    /// Removes the least recently used views, until all together have few enough tools or only one is left.
    fn evict(&mut self) {
        let tools = |entry: &Entry| limits::EMPTY_VIEW_TOOLS + entry.shared.view.len();
        while self.entries.len() > 1 && self.entries.values().map(tools).sum::<usize>() > limits::VIEWED_TOOLS {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            oldest.iter().for_each(|key| _ = self.entries.remove(key));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{RegisterOptions, ToolSift};

    fn search_with_own(sift: &ToolSift, id: &str) {
        let own = r#"[{"name":"own","description":"Feeds the cat."}]"#;
        sift.session(id, None).unwrap().register(own, &RegisterOptions::default()).unwrap();
        assert_eq!(sift.session(id, None).unwrap().search("feed the cat").run().unwrap().hits.len(), 1);
    }

    #[test]
    fn a_session_with_tools_of_its_own_leaves_no_view() {
        let sift = ToolSift::new(Settings { most_sessions: 3, ..Settings::default() });
        sift.register(r#"[{"name":"shared"}]"#, &RegisterOptions::default()).unwrap();
        for round in 0..20 {
            search_with_own(&sift, &format!("evicted later {round}"));
            search_with_own(&sift, "closed");
            assert!(sift.close("closed"));
            let views = lock(&sift.inner.views.0).entries.len();
            assert!(views <= 3, "round {round}: {views} views");
        }
        // The view that sessions share stays when one of them is closed.
        sift.session("plain", None).unwrap();
        sift.session("plain", None).unwrap().search("cat").run().unwrap();
        let views = lock(&sift.inner.views.0).entries.len();
        sift.close("plain");
        assert_eq!(lock(&sift.inner.views.0).entries.len(), views);
    }

    #[test]
    fn the_tools_of_all_views_are_bounded() {
        let sift = ToolSift::new(Settings::default());
        let tools: Vec<String> =
            (0..1_000).map(|at| format!(r#"{{"name":"tool_{at}","description":"Feeds."}}"#)).collect();
        let from = RegisterOptions { server: Some("a".into()), ..RegisterOptions::default() };
        sift.register(&format!("[{}]", tools.join(",")), &from).unwrap();
        for scope in 0..100 {
            let id = format!("user {scope}");
            let scope = Scope::new(&["a".to_owned(), format!("other {scope}")], &[]);
            sift.session(&id, Some(&scope)).unwrap();
            assert!(!sift.session(&id, None).unwrap().search("feed").run().unwrap().hits.is_empty());
            sift.search("feed").run().unwrap();
        }
        let views = lock(&sift.inner.views.0);
        assert!(views.entries.contains_key(&(Scope::All, Owner::SHARED)), "it was used between all others");
        assert_eq!(views.entries.len(), limits::VIEWED_TOOLS / (1_000 + limits::EMPTY_VIEW_TOOLS));
    }
}
