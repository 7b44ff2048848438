//! What the host says of tools changes the order, and nothing else.

use crate::common;
use serde_json::json;
use toolsift::bindings::options;
use toolsift::{Outcome, SearchResult, ToolSift, Turn};

fn sift() -> ToolSift {
    let mut tools = vec![
        json!({ "name": "send_mail", "description": "Sends a mail." }),
        json!({ "name": "get_forecast", "description": "Tells the forecast." }),
    ];
    tools.extend((0..30).map(|at| json!({ "name": format!("other_{at}"), "description": "Does something else." })));
    common::sift(json!({ "activation": "on" }), &json!(tools))
}

fn searched(sift: &ToolSift, query: &str, scores: &[(&str, f64)]) -> SearchResult {
    let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
    sift.search(query).limit(50).scores(scores).run().unwrap()
}

fn names(result: &SearchResult) -> Vec<&str> {
    result.hits.iter().map(|hit| &*hit.name).collect()
}

#[test]
fn few_tools_enter_and_never_before_those_that_are_named() {
    let sift = sift();
    let others: Vec<String> = (0..30).map(|at| format!("other_{at}")).collect();
    let scores: Vec<(&str, f64)> = others.iter().rev().map(|name| (&**name, 0.9)).collect();
    let result = searched(&sift, "umbrella", &scores);
    // Of equals the first in the catalog.
    assert_eq!(names(&result), others.iter().take(10).collect::<Vec<_>>());
    assert_eq!(names(&searched(&sift, "send_mail", &[("get_forecast", 1.0)]))[0], "send_mail");
    assert_eq!(names(&searched(&sift, "select:send_mail", &[("get_forecast", 1.0)])), ["send_mail"]);
    assert_eq!(names(&searched(&sift, "-forecast umbrella", &[("get_forecast", 1.0)])), Vec::<&str>::new());
    assert!(names(&searched(&sift, "umbrella", &[("get_forecast", 0.0)])).is_empty());
}

#[test]
fn no_score_raises_the_confidence_or_loads_a_tool() {
    let sift = sift();
    let plain = searched(&sift, "send a mail", &[]).verdict.unwrap();
    let scored = searched(&sift, "send a mail", &[("send_mail", 1.0), ("get_forecast", 1.0)]).verdict.unwrap();
    assert_eq!((scored.confidence, scored.over_chance), (plain.confidence, plain.over_chance));
    // A tool that a score puts first fits no better by words.
    let (plain, scored) = ["", "get_forecast"].map(|name| searched(&sift, "mail the forecast", &[(name, 1.0)])).into();
    assert_eq!((names(&plain)[0], names(&scored)[0]), ("send_mail", "get_forecast"));
    assert_eq!(scored.verdict.unwrap().over_chance, plain.verdict.unwrap().over_chance);
    let alone = searched(&sift, "umbrella", &[("get_forecast", 1.0)]);
    assert_eq!(alone.verdict.unwrap().over_chance, Some(0.0));
    let scores = vec![("get_forecast".to_owned(), 1.0)];
    let turn = Turn::default().scores(scores);
    let session = sift.session("chat", None).unwrap();
    for (query, loaded) in [("umbrella", &[][..]), ("send a mail", &["send_mail"])] {
        let outcome = session.call_in(&turn, "search_tools", &json!({ "query": query }).to_string()).unwrap();
        let Outcome::Result { revealed, content, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(revealed.iter().map(|name| &**name).collect::<Vec<_>>(), loaded);
        assert!(content.contains("get_forecast"), "{content}");
    }
}

#[test]
fn what_a_session_may_not_see_changes_nothing() {
    let sift = sift();
    let scope = json!({ "tools": ["send_mail", "other_1"] });
    let scope = options::session(&serde_json::from_value(json!({ "scope": scope })).unwrap()).unwrap();
    sift.session("narrow", scope.as_ref()).unwrap();
    let ask = |scores: &[(&str, f64)]| {
        let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
        sift.session("narrow", None).unwrap().search("a mail").scores(scores).run().unwrap()
    };
    assert_eq!(ask(&[("get_forecast", 1.0), ("no_such_tool", 1.0)]), ask(&[]));
    assert_eq!(names(&ask(&[("other_1", 1.0)])), ["send_mail", "other_1"]);
}

#[test]
fn a_ranker_of_the_hosts_chooses_from_what_a_session_searches() {
    let sift = sift();
    let names = sift.searched_names("", 0).unwrap();
    assert_eq!((names.len(), &*names[0]), (32, "send_mail"));
    let scope = json!({ "scope": { "tools": ["other_1", "send_mail"] } });
    let scope = options::session(&serde_json::from_value(scope).unwrap()).unwrap();
    let session = sift.session("narrow", scope.as_ref()).unwrap();
    let seen = sift.searched_names("narrow", session.number()).unwrap();
    assert_eq!(seen.iter().map(|name| &**name).collect::<Vec<_>>(), ["send_mail", "other_1"]);
    assert!(sift.searched_names("nobody", 7).is_err());
}

#[test]
fn a_ranker_is_not_asked_about_names() {
    let sift = sift().with_ranker(|query, _| Err(format!("was asked for {query}").into()));
    for query in ["select:send_mail", " SELECT: send_mail", "Select:send_mail\nget_forecast"] {
        assert!(!sift.search(query).run().unwrap().hits.is_empty(), "{query}");
    }
    for query in ["a mail", "selected: a mail"] {
        assert!(sift.search(query).run().unwrap_err().message().contains("was asked for"), "{query}");
    }
}
