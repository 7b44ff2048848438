//! Tests the ranker of a program. The effect of its scores is tested in tests/cases/words.md.

use crate::common;
use serde_json::json;
use toolsift::ToolSift;

fn sift() -> ToolSift {
    let mut tools = vec![
        json!({ "name": "send_mail", "description": "Sends a mail." }),
        json!({ "name": "get_forecast", "description": "Tells the forecast." }),
    ];
    tools.extend((0..30).map(|at| json!({ "name": format!("other_{at}"), "description": "Does something else." })));
    common::sift(json!({ "activation": "on" }), &json!(tools))
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
