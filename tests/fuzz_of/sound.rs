//! Checks properties of every catalog, every search and every error, for any input.

use std::collections::BTreeSet;

use serde::de::IgnoredAny;
use toolsift::{Assembly, Error, Format, RestoreOptions, SearchResult, Settings, ToolSift};

/// An error is short, however long what it is about.
pub fn error(error: &Error) {
    assert!(error.message().len() < 1_000, "{} bytes: {error}", error.message().len());
    assert!(!error.message().is_empty(), "{error:?}");
}

/// What is sent is JSON, and every definition has a role.
pub fn request(assembly: &Assembly) {
    let tools = serde_json::from_str::<Vec<IgnoredAny>>(assembly.tools.get());
    let tools = tools.unwrap_or_else(|e| panic!("{e}: {}", assembly.tools.get()));
    assert!(tools.len() <= assembly.roles.len(), "{} tools, {} roles", tools.len(), assembly.roles.len());
}

/// A search answers within its bounds: finite scores, best first, each tool once, and no fewer of them with reasons.
pub fn search(sift: &ToolSift, text: &str, limit: Option<usize>) -> Option<SearchResult> {
    let search = sift.search(text);
    let found = match limit.map_or(search.clone(), |limit| search.limit(limit)).run() {
        Ok(found) => found,
        Err(e) => {
            error(&e);
            return None;
        }
    };
    let names: BTreeSet<&str> = found.hits.iter().map(|hit| &*hit.name).collect();
    assert_eq!(names.len(), found.hits.len(), "{text:?}: a tool twice");
    assert!(found.hits.len() <= found.searched && limit.is_none_or(|limit| found.hits.len() <= limit), "{text:?}");
    for hit in &found.hits {
        assert!(hit.score.is_finite() && hit.score >= 0.0, "{text:?}: {} scores {}", hit.name, hit.score);
        assert!(hit.likelihood.is_none_or(|likelihood| (0.0..=1.0).contains(&likelihood)), "{text:?}: {hit:?}");
        assert!(sift.tool(&hit.name).is_some(), "{text:?}: {}", hit.name);
    }
    if let Some(verdict) = &found.verdict {
        assert!(verdict.over_chance.is_none_or(f64::is_finite), "{text:?}: {verdict:?}");
    }
    Some(found)
}

/// A catalog can be sent in every format, its names are unique, and its index gives the same catalog.
pub fn catalog(sift: &ToolSift, settings: &Settings) {
    let tools = sift.tools().unwrap();
    assert_eq!(tools.len(), sift.registered().len());
    let names: BTreeSet<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names.len(), tools.len(), "two tools of one name: {names:?}");
    let names: Vec<String> = tools.iter().map(|tool| tool.name.to_string()).collect();
    assert!(names.iter().all(|name| !name.trim().is_empty()), "{names:?}");
    let session = sift.session("sound", None).unwrap();
    session.reveal(&names).unwrap();
    for (_, format) in Format::ALL {
        request(&session.assemble(*format).unwrap());
    }
    let taken = serde_json::to_string(&session.snapshot().unwrap()).unwrap();
    sift.restore(&taken, &RestoreOptions::default().replace(true)).unwrap();
    sift.close("sound");
    let loaded = ToolSift::from_index(&sift.export_index(), settings.clone()).unwrap();
    assert_eq!(loaded.tools().unwrap(), tools, "an index gives the tools that it was made of");
    assert_eq!(loaded.content_hash(), sift.content_hash());
    assert_eq!(loaded.export_index(), sift.export_index(), "an index of an index is the same");
}
