//! Tests conversations under our own profile, `sift`.

use crate::common::{request, sift};
use serde_json::{Value, json};
use toolsift::Budget;

#[test]
fn names_that_are_too_many_become_servers() {
    let prompt = |disclosure: &str, tools: &[Value]| {
        request(&sift(json!({ "disclosure": disclosure, "activation": "on" }), &json!(tools)), "a").1
    };
    let tool = |at: usize| json!({ "name": format!("acme_list_issue_{at:03}"), "server": "large" });
    let mut tools: Vec<Value> = (0..200).map(tool).collect();
    assert_eq!(prompt("auto", &tools), prompt("names", &tools));
    tools.extend((200..500).map(tool));
    assert_eq!(prompt("auto", &tools), prompt("servers", &tools));
    assert!(prompt("auto", &tools).contains("- large (500)"));
}

#[test]
fn what_a_message_loads_ahead_has_a_budget_of_its_own() {
    let tools = r#"[{"name":"get_weather","description":"The weather of a city."},
                    {"name":"list_rooms","description":"Lists the rooms of a hotel."}]"#;
    let ahead = |activation: &str, message: &str, tools_at_most: usize, tokens: usize| {
        let sift = sift(json!({ "activation": activation }), tools);
        let session = sift.session("a", None).unwrap();
        session.prefetch(message, Budget { tools: tools_at_most, tokens }).unwrap().join(" ")
    };
    assert_eq!(ahead("on", "list the rooms of the hotel, get the weather", 1, 1_000), "list_rooms");
    assert_eq!(ahead("on", "list the rooms of a hotel", 3, 5), "");
    assert_eq!(ahead("off", "list the rooms of a hotel", 3, 1_000), "", "every tool is sent");
}
