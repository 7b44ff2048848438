//! A ranker of the host's; what its scores do is in tests/cases/words.md.

use crate::common;
use serde_json::json;
use toolsift::ToolSift;
use toolsift::bindings::options;

fn sift() -> ToolSift {
    let mut tools = vec![
        json!({ "name": "send_mail", "description": "Sends a mail." }),
        json!({ "name": "get_forecast", "description": "Tells the forecast." }),
    ];
    tools.extend((0..30).map(|at| json!({ "name": format!("other_{at}"), "description": "Does something else." })));
    common::sift(json!({ "activation": "on" }), &json!(tools))
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
