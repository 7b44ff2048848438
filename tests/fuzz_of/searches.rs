//! Fuzz target: queries as text, with every ranker and every query syntax, in a fixed catalog.

use std::cell::RefCell;

use toolsift::{Format, RegisterOptions, ToolSift};

use super::input::Input;
use super::sound;
use crate::common::{self, MCP60};

const SETTINGS: [&str; 9] = [
    "{}",
    r#"{"search":{"grammar":"commands"}}"#,
    r#"{"search":{"grammar":"plain","universe":"all"}}"#,
    r#"{"search":{"without":["stems","repair"]}}"#,
    r#"{"profile":"search-add"}"#,
    r#"{"profile":"select"}"#,
    r#"{"profile":"stub","search":{"cutoff":"none"}}"#,
    r#"{"profile":"bridge","search":{"universe":"all"}}"#,
    r#"{"profile":"select","search":{"ranker":"parts","grammar":"plain"}}"#,
];

thread_local! {
    static SIFTS: RefCell<Vec<Option<ToolSift>>> = RefCell::new(SETTINGS.iter().map(|_| None).collect());
}

fn sift(settings: &str) -> ToolSift {
    let sift = common::sift(serde_json::from_str(settings).unwrap(), MCP60);
    sift.register(include_str!("../vectors/catalogs/awkward15.json"), &RegisterOptions::default()).unwrap();
    sift
}

/// A query: what is found does not depend on how many hits or reasons are asked for, and every hit can be explained.
pub fn query(data: &[u8]) {
    let mut input = Input::new(data);
    let at = input.below(SETTINGS.len());
    let query = input.rest();
    SIFTS.with_borrow_mut(|sifts| {
        let sift = sifts[at].get_or_insert_with(|| sift(SETTINGS[at]));
        let Some(all) = sound::search(sift, &query, Some(1_000)) else {
            let refused = sift.search(&query).explain("mcp__github__create_issue");
            assert!(refused.is_err(), "{query:?} can be explained, and not searched");
            return;
        };
        let few = sound::search(sift, &query, Some(3)).unwrap();
        assert_eq!(few.hits[..], all.hits[..few.hits.len()], "{query:?}");
        assert_eq!(few.hits.len(), all.hits.len().min(3), "{query:?}");
        let told = sift.search(&query).limit(3).reasons(true).run().unwrap();
        for (rank, (hit, plain)) in told.hits.iter().zip(&few.hits).enumerate() {
            assert_eq!(
                (&hit.name, hit.score, hit.likelihood),
                (&plain.name, plain.score, plain.likelihood),
                "{query:?}"
            );
            let why = sift.search(&query).explain(&hit.name).unwrap();
            assert!(why.rank.is_none_or(|at| at == rank + 1), "{query:?}: {why:?} in place {}", rank + 1);
            assert!((why.score - hit.score).abs() < 1e-9, "{query:?}: {why:?} scores {}", hit.score);
            assert!(why.reason.len() < 400, "{query:?}: {}", why.reason);
        }
        // A search changes nothing that is sent.
        sound::request(&sift.session("s", None).unwrap().assemble(Format::Mcp).unwrap());
    });
}
