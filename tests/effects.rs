//! Tests when a search loads tools that write or destroy, and when it only lists them.

use crate::common::sift;
use serde_json::{Value, json};
use toolsift::{Effect, RegisterOptions, Settings, ToolSift};

#[test]
fn effects_come_from_annotations_or_names_and_travel() {
    let tools = json!([
        { "name": "get_file", "annotations": { "destructiveHint": true } },
        { "name": "delete_file", "annotations": { "readOnlyHint": true } },
        { "name": "remove_file", "annotations": { "readOnlyHint": "yes" } },
        { "name": "save_file", "annotations": [] },
        { "name": "aggregate" },
        { "name": "list_files", "annotations": { "readOnlyHint": false } },
        { "name": "read_file", "annotations": { "readOnlyHint": true, "destructiveHint": true } },
    ]);
    let expected = [
        Effect::Destroy,
        Effect::Read,
        Effect::Destroy,
        Effect::Write,
        Effect::Unknown,
        Effect::Write,
        Effect::Destroy,
    ];
    let effects = |sift: &ToolSift| sift.registered().iter().map(|tool| tool.effect()).collect::<Vec<_>>();
    let sift = sift(json!({}), &tools);
    assert_eq!(effects(&sift), expected);
    let loaded = ToolSift::from_index(&sift.export_index(), Settings::default()).unwrap();
    assert_eq!(effects(&loaded), expected);
    assert_eq!(loaded.content_hash(), sift.content_hash());
}

#[test]
fn annotations_reach_the_host_and_travel() {
    // A digit of base 3 for each hint: 0 missing, 1 false, 2 true.
    let given = [
        (json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false }), 50),
        (json!({ "openWorldHint": true }), 54),
        (json!({ "readOnlyHint": "yes", "idempotentHint": false }), 9),
        (json!({ "title": "A name for people" }), 0),
    ];
    let tool = |(at, (hints, _)): (usize, &(Value, u64))| json!({ "name": format!("list_{at}"), "annotations": hints });
    let sift = sift(json!({}), &given.iter().enumerate().map(tool).collect::<Value>());
    let hints = |sift: &ToolSift| -> Vec<u64> {
        let infos = serde_json::to_value(sift.tools().unwrap()).unwrap();
        infos.as_array().unwrap().iter().map(|tool| tool["hints"].as_u64().unwrap_or(0)).collect()
    };
    assert_eq!(hints(&sift), [50, 54, 9, 0]);
    let loaded = ToolSift::from_index(&sift.export_index(), Settings::default()).unwrap();
    assert_eq!(hints(&loaded), [50, 54, 9, 0]);
    let session = loaded.session("a", None).unwrap();
    session.reveal(&["list_1", "list_3"]).unwrap();
    let call = |name: &str| serde_json::to_value(session.call(name, "{}").unwrap()).unwrap()["hints"].clone();
    assert_eq!([call("list_1"), call("list_3")], [json!(54), Value::Null]);

    let list = json!([{ "name": "b", "annotations": { "openWorldHint": false } }]).to_string();
    loaded.sync("s", &list, &RegisterOptions::default()).unwrap();
    let again = loaded.sync("s", &list.replace("false", "true"), &RegisterOptions::default()).unwrap();
    assert_eq!(again.changed.len(), 1, "a tool whose hints change has changed");
    assert_eq!(hints(&loaded)[4], 54);
}
