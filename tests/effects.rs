//! Tools that write or destroy: when a search loads them, and when it only lists them.
//!
//! 1. What a tool does is read from MCP's annotations, else from the verb of its name, and survives a prebuilt index.
//! 2. A tool that writes or destroys is listed, and not loaded, where the query does not ask for that.
//! 3. It is loaded where the query asks for it, names the tool, or has the verb of its name. Otherwise nothing is loaded in its
//!    place, and the answer and the host are told.
//! 4. Annotations reach the host as they were registered, also by way of a prebuilt index.

use crate::common::{call, sift};
use serde_json::{Value, json};
use toolsift::{Budget, Effect, Outcome, RegisterOptions, Settings, ToolSift};

/// A shop: every tool fits nearly every query about orders.
fn shop() -> ToolSift {
    let tool = |name: &str, text: &str, hints: Value| json!({ "name": name, "server": "shop", "description": text, "annotations": hints });
    let tools = json!([
        tool("count", "Counts the orders that match a filter.", json!({ "readOnlyHint": true })),
        tool("find", "Finds orders.", json!({})),
        tool("insert-many", "Adds many orders.", json!({})),
        tool("update-many", "Changes many orders.", json!({ "readOnlyHint": false, "destructiveHint": false })),
        tool("delete-many", "Removes many orders.", json!({})),
        tool("wipe", "Forgets many orders.", json!({})),
        tool("archive", "Puts many orders away for good.", json!({ "destructiveHint": true })),
        tool("weather", "Tells the weather.", json!({})),
        tool("invoices", "Tells about invoices.", json!({})),
        tool("shipping", "Tells about parcels.", json!({})),
    ]);
    sift(json!({}), &tools)
}

/// What a search loads, and its text.
fn search(sift: &ToolSift, query: &str) -> (Vec<String>, String) {
    match call(sift, &format!("for {query}"), "search_tools", json!({ "query": query })) {
        Outcome::Result { content, revealed, .. } => (revealed.iter().map(|name| name.to_string()).collect(), content),
        other => panic!("{other:?}"),
    }
}

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

#[test]
fn what_was_not_asked_for_is_listed() {
    for query in [
        "how many orders do we have in the shop",
        "how much are many orders",
        "tell me how many orders there are",
        "many orders in the shop",
        "many",
        "list many orders",
        "which orders are many",
        "server:shop",
        "/.*/",
    ] {
        let sift = shop();
        let (loaded, text) = search(&sift, query);
        for name in ["delete-many", "wipe", "archive"] {
            assert!(!loaded.iter().any(|other| other == name), "{query} loads {loaded:?}");
        }
        let is_about = query.starts_with("many orders");
        for name in ["insert-many", "update-many"] {
            assert!(is_about || !loaded.iter().any(|other| other == name), "{query} loads {loaded:?}");
        }
        let text = text + &search(&sift, query).1;
        let is_told = loaded.is_empty() || text.contains("Not loaded");
        assert!(is_told && text.contains("delete-many("), "{query}: {text}");
    }
}

#[test]
fn what_was_asked_for_is_loaded() {
    for (query, name) in [
        ("how many orders do we have in the shop", "count"),
        ("insert many orders", "insert-many"),
        ("please add many orders", "insert-many"),
        ("please update the orders", "update-many"),
        ("delete many orders", "delete-many"),
        ("I want many orders removed", "delete-many"),
        ("insertMany", "insert-many"),
        ("select:delete-many", "delete-many"),
        ("shop delete many", "delete-many"),
        ("/^delete/", "delete-many"),
        ("wipe", "wipe"),
        ("archive the orders", "archive"),
    ] {
        let (loaded, text) = search(&shop(), query);
        assert!(loaded.iter().any(|other| other == name), "{query} loads {loaded:?}: {text}");
    }
}

/// Tools of a host of machines, as their server describes them.
fn machines() -> ToolSift {
    let tool = |name: &str, text: &str, hints: Value| json!({ "name": name, "server": "host", "description": text, "annotations": hints });
    let (reads, destroys) =
        (json!({ "readOnlyHint": true }), json!({ "readOnlyHint": false, "destructiveHint": true }));
    let operation = json!({ "operation": { "type": "string", "enum": ["cordon", "drain"] } });
    sift(
        json!({}),
        &json!([
            tool("VM_restoreSnapshotV1", "Brings a machine back to its snapshot.", destroys.clone()),
            tool(
                "VM_createSnapshotV1",
                "Creates a snapshot of a machine. Overwrites the existing one.",
                destroys.clone()
            ),
            tool("VM_getSnapshotV1", "Retrieves the snapshot of a machine.", reads.clone()),
            tool("page-comment-create", "Comments | Leave a comment on a page.", destroys.clone()),
            tool("page-comment-get", "Comments | Retrieve the comments of a page.", reads.clone()),
            tool("cluster_scale", "Scale a deployment.", destroys.clone()),
            tool("release-rollback", "For a release of the shop.", destroys.clone()),
            tool("wifi_toggle_guest", "Guest network of the office.", destroys.clone()),
            json!({ "name": "worker_management", "server": "host", "description": "Workers of a cluster.", "annotations": destroys,
                "inputSchema": { "type": "object", "properties": operation } }),
            tool("list_deployments", "Lists the deployments of a cluster.", reads.clone()),
            tool("list_machines", "Lists the machines of an account.", reads),
        ]),
    )
}

#[test]
fn what_destroys_is_loaded_by_its_own_verb_in_any_form() {
    for (query, name) in [
        ("restore the snapshot of the machine", "VM_restoreSnapshotV1"),
        ("the machine should be restored to its snapshot", "VM_restoreSnapshotV1"),
        ("scale deployment", "cluster_scale"),
        ("try scaling the deployment", "cluster_scale"),
        ("a script scales the deployment", "cluster_scale"),
        ("the shop release must be rolled back", "release-rollback"),
        ("rollback shop release", "release-rollback"),
        ("toggle the guest network of the office", "wifi_toggle_guest"),
        ("drain a worker of the cluster", "worker_management"),
    ] {
        let (loaded, text) = search(&machines(), query);
        assert!(loaded.first().is_some_and(|first| first == name), "{query} loads {loaded:?}: {text}");
    }
}

#[test]
fn nothing_is_loaded_in_place_of_what_may_destroy() {
    for (query, name) in [
        ("recover machine from snapshot", "VM_restoreSnapshotV1"),
        ("revert machine to snapshot", "VM_createSnapshotV1"),
        ("leave a remark on the roadmap page", "page-comment-create"),
        ("the guest network of the office", "wifi_toggle_guest"),
    ] {
        let sift = machines();
        match call(&sift, "a", "search_tools", json!({ "query": query })) {
            Outcome::Result { content, revealed, withheld, .. } if withheld.iter().any(|one| &**one == name) => {
                assert!(revealed.is_empty(), "{query} loads {revealed:?}: {content}");
                let line = content.lines().find(|line| line.starts_with(&format!("- {name}("))).unwrap();
                assert!(
                    line.ends_with("(not loaded: it may destroy; load it if the user wants that)"),
                    "{query}: {line}"
                );
            }
            other => panic!("{query}: {other:?}"),
        }
        assert!(sift.session("b", None).unwrap().prefetch(query, Budget::AHEAD).unwrap().is_empty(), "{query}");
    }
}
