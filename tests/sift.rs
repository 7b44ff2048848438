//! Tests conversations under our own profile, `sift`.

use crate::common::{request, sift};
use serde_json::{Value, json};
use toolsift::Budget;

#[test]
fn names_that_are_too_many_are_those_that_tell_most() {
    let prompt = |disclosure: &str, tools: &[Value]| {
        request(&sift(json!({ "disclosure": disclosure, "activation": "on" }), &json!(tools)), "a").1
    };
    let tool = |server: &str, name: String| json!({ "name": name, "server": server });
    let mut tools = vec![tool("small", "find_page".into()), tool("small", "delete_page".into())];
    tools.extend((0..200).map(|at| tool("large", format!("acme_list_issue_{at:03}"))));
    assert_eq!(prompt("auto", &tools), prompt("names", &tools));
    tools.extend((0..900).map(|at| tool("large", format!("acme_{}_thing_{at:03}", ["get", "drop"][at % 2]))));
    tools.push(tool("large", "acme_ping".into()));
    let text = prompt("auto", &tools);
    let lines: Vec<&str> = text.split_once("each has:\n").unwrap().1.lines().collect();
    assert_eq!(lines[0], "- small (2): delete_page, find_page", "what fits is there in full");
    // The words of most names come first; what all names have tells nothing.
    let large = "- large (1101): acme_get_thing_000, acme_drop_thing_001, acme_list_issue_000, ";
    assert!(lines[1].starts_with(large) && lines[1].ends_with(", …") && lines.len() == 2, "{}", lines[1]);
    assert!((7_000..8_200).contains(&lines[1].len()), "{}", lines[1].len());
    // A server with many names takes no other's room; where nothing is left for names, servers are there as ever.
    let crowd: Vec<Value> =
        (0..2_000).map(|at| tool(&format!("server number {at}"), "x".repeat(60) + &at.to_string())).collect();
    assert_eq!(prompt("auto", &crowd), prompt("servers", &crowd));
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
