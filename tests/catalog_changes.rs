//! Catalogs that change while sessions run.

use crate::common::{empty as sift, server};
use std::sync::Arc;

use serde_json::{Value, json};
use toolsift::{ErrorCode, NamePolicy, Outcome, RegisterOptions, Scope, Settings, ToolSift};

fn plain(names: &[Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

fn names(sift: &ToolSift) -> Vec<String> {
    sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect()
}

fn list(names: &[&str]) -> String {
    Value::from(names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>()).to_string()
}

/// A tool whose definition keeps about so many bytes.
fn heavy(name: &str, bytes: usize) -> Value {
    json!({ "name": name, "description": "x".repeat(bytes) })
}

#[test]
fn the_servers_own_word_does_not_move_a_tool_to_another_server() {
    let sift = sift(json!({}));
    let claims =
        json!([{ "name": "delete_repo", "server": "github" }, { "name": "own", "server": "evil" }]).to_string();
    let report = sift.register(&claims, &server("evil")).unwrap();
    assert_eq!(plain(&report.registered), ["delete_repo", "own"]);
    assert_eq!(report.repaired.len(), 1, "{:?}", report.repaired);
    assert_eq!(&*report.repaired[0].name, "delete_repo");
    let repair = report.repaired[0].repair.clone();
    assert!(repair.contains("\"github\"") && repair.contains("\"evil\""), "{repair}");
    assert!(sift.registered().iter().all(|tool| tool.server() == Some("evil")));

    let github = Scope::new(&["github"], &[]);
    let session = sift.session("s", Some(&github)).unwrap();
    let outcome = session.call("delete_repo", "{}").unwrap();
    assert!(matches!(outcome, Outcome::Refused { .. }), "{outcome:?}");

    let synced = sift.sync("evil", &claims, &RegisterOptions::default()).unwrap();
    assert_eq!((synced.unchanged, synced.repaired.len()), (2, 1));
    assert_eq!(sift.unregister(Some("github"), None).unwrap().len(), 0);
}

#[test]
fn a_definition_names_its_server_where_the_host_names_none() {
    let sift = sift(json!({}));
    let report = sift
        .register(
            &json!([{ "name": "a", "server": "github" }, { "name": "b" }]).to_string(),
            &RegisterOptions::default(),
        )
        .unwrap();
    assert_eq!(report.repaired, []);
    let servers: Vec<_> = sift.registered().iter().map(|tool| tool.server().map(str::to_owned)).collect();
    assert_eq!(servers, [Some("github".to_owned()), None]);
}

#[test]
fn repairs_of_one_tool_are_told_together() {
    let sift = sift(json!({}));
    let tool = json!([{ "name": "a", "server": "x", "inputSchema": {} }]).to_string();
    let report = sift.register(&tool, &server("y")).unwrap();
    let repair = &report.repaired[0].repair;
    assert!(repair.contains("\"object\" was added") && repair.contains("\"x\""), "{repair}");
}

#[test]
fn sync_of_a_full_catalog_keeps_what_the_new_list_has() {
    for (new, kept, rejected) in [
        (&["c", "d"][..], &["c", "d"][..], &[][..]),
        (&["c", "a"], &["a", "c"], &[]),
        (&["c", "d", "a"], &["a", "c"], &["d"]),
        (&["a", "b", "c"], &["a", "b"], &["c"]),
        (&["d", "e", "f"], &["d", "e"], &["f"]),
    ] {
        let sift = sift(json!({ "limits": { "tools": 2 } }));
        sift.sync("s", &list(&["a", "b"]), &RegisterOptions::default()).unwrap();
        let report = sift.sync("s", &list(new), &RegisterOptions::default()).unwrap();
        assert_eq!(names(&sift), kept, "{new:?}");
        let refused: Vec<_> = report.rejected.iter().map(|one| (&*one.name, one.code)).collect();
        let expected: Vec<_> = rejected.iter().map(|name| (*name, ErrorCode::CatalogFull)).collect();
        assert_eq!(refused, expected, "{new:?}");
        for tool in sift.registered() {
            assert!(sift.tool(tool.model_name()).is_some_and(|found| found.key() == tool.key()));
        }
    }
}

#[test]
fn sync_takes_over_the_name_of_a_tool_that_goes() {
    let sift = sift(json!({}));
    let alias = RegisterOptions::default().names(NamePolicy::Alias);
    sift.sync("s", &list(&["send.mail"]), &alias).unwrap();
    let report = sift.sync("s", &list(&["send mail"]), &alias).unwrap();
    assert_eq!((plain(&report.removed), plain(&report.added)), (vec!["send_mail"], vec!["send_mail"]));
}

#[test]
fn rejections_of_a_sync_stand_in_the_order_of_the_list() {
    let sift = sift(json!({ "limits": { "tools": 1 } }));
    let report = sift.sync("s", &list(&["a", "b", "", "a"]), &RegisterOptions::default()).unwrap();
    let rejected: Vec<_> = report.rejected.iter().map(|one| (one.index, one.code)).collect();
    assert_eq!(rejected, [(1, ErrorCode::CatalogFull), (2, ErrorCode::NameEmpty), (3, ErrorCode::DuplicateTool)]);
}

#[test]
fn a_catalog_keeps_so_many_bytes() {
    let sift = sift(json!({ "limits": { "bytes": 100_000 } }));
    let three = Value::from(vec![heavy("a", 40_000), heavy("b", 40_000), heavy("c", 40_000)]).to_string();
    let report = sift.register(&three, &RegisterOptions::default()).unwrap();
    assert_eq!((plain(&report.registered), report.rejected.len()), (vec!["a", "b"], 1));
    let rejected = &report.rejected[0];
    assert_eq!((rejected.code, &*rejected.name), (ErrorCode::CatalogTooLarge, "c"));
    assert!(rejected.message.contains("100000") && rejected.message.contains("\"c\""), "{}", rejected.message);
    sift.unregister(None, Some(&["a".into()])).unwrap();
    let again = sift.register(&Value::from(vec![heavy("c", 40_000)]).to_string(), &RegisterOptions::default()).unwrap();
    assert_eq!(plain(&again.registered), ["c"], "what went has made room");
}

#[test]
fn a_server_keeps_so_many_bytes() {
    let sift = sift(json!({ "limits": { "serverBytes": 50_000 } }));
    let two = |first: usize| Value::from(vec![heavy("a", first), heavy("b", 20_000)]).to_string();
    let report = sift.sync("s", &two(40_000), &RegisterOptions::default()).unwrap();
    assert_eq!((plain(&report.added), report.rejected[0].code), (vec!["a"], ErrorCode::ServerTooLarge));
    assert!(report.rejected[0].message.contains("50000") && report.rejected[0].message.contains("\"s\""));
    let report = sift.sync("t", &two(20_000), &RegisterOptions::default()).unwrap();
    assert_eq!(plain(&report.added), ["t__a", "b"], "each server has its own room");
    let report = sift.sync("s", &two(20_000), &RegisterOptions::default()).unwrap();
    assert_eq!(
        (report.changed.len(), report.added.len(), report.rejected.len()),
        (1, 1, 0),
        "a smaller version makes room"
    );
    let report = sift.sync("s", &two(45_000), &RegisterOptions::default()).unwrap();
    assert_eq!(report.rejected.len(), 1, "the version that does not fit is not taken");
    assert_eq!(report.unchanged, 1);
    let own = Value::from(vec![heavy("own_a", 40_000), heavy("own_b", 40_000)]).to_string();
    let report = sift.register(&own, &RegisterOptions::default()).unwrap();
    assert_eq!(report.rejected, [], "the host's own tools are bounded by the catalog alone");
}

#[test]
fn twenty_thousand_tools_change_quickly() {
    const TOOLS: usize = 20_000;
    let sift = sift(json!({}));
    // Every name gives the same alias.
    let names: Vec<String> =
        (0..TOOLS).map(|at| format!("a{}b", ".".repeat(at % 200 + 1) + &" ".repeat(at / 200))).collect();
    let all = list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let alias = server("s").names(NamePolicy::Alias);
    let report = sift.register(&all, &alias).unwrap();
    assert_eq!((report.registered.len(), &*report.registered[2]), (TOOLS, "s__a_b_2"));
    let last = report.registered[TOOLS - 1].to_string();
    assert_eq!(last, format!("s__a_b_{}", TOOLS - 1));

    let gone = sift.unregister(None, Some(&["s__a_b_7".into()])).unwrap();
    assert_eq!(gone.len(), 1);
    let back = sift.register(&list(&["a#b"]), &alias).unwrap();
    assert_eq!(plain(&back.registered), ["s__a_b_7"], "a name that is free is given out again");

    let every: Vec<String> = sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect();
    assert_eq!(sift.unregister(None, Some(&every)).unwrap().len(), TOOLS);
    assert!(sift.registered().is_empty());
}

#[test]
fn sizes_of_twenty_thousand_servers_are_summed_in_one_pass() {
    let sift = sift(json!({}));
    let many: Vec<Value> =
        (0..20_000).map(|at| json!({ "name": format!("t{at}"), "server": format!("s{at}") })).collect();
    sift.register(&Value::from(many).to_string(), &RegisterOptions::default()).unwrap();
    let size = sift.size(toolsift::Format::Mcp).unwrap();
    assert_eq!(size.servers.len(), 20_000);
    assert_eq!(size.servers[7].server.as_deref(), Some("s7"));
}

#[test]
fn one_definition_is_one() {
    let sift = sift(json!({}));
    let two = r#"{"name":"a"},{"name":"b"}"#;
    assert_eq!(
        sift.register_one(two, &RegisterOptions::default()).map_err(|e| e.code()),
        Err(ErrorCode::ToolShapeUnknown)
    );
    assert!(sift.registered().is_empty());
    let limits = Settings::default().info().limits;
    assert!(limits.bytes > limits.server_bytes);
}

#[test]
fn a_selection_of_twenty_thousand_tools_is_looked_up() {
    let named: Vec<String> = (0..20_000).map(|at| format!("s:t{at}")).collect();
    let sift = sift(json!({ "selection": { "tools": named } }));
    let mut tools: Vec<Value> = (0..19_998).map(|at| json!({ "name": format!("t{at}"), "server": "s" })).collect();
    tools.push(json!({ "name": "other", "server": "s" }));
    tools.push(json!({ "name": "t1", "server": "u" }));
    sift.register(&Value::from(tools).to_string(), &RegisterOptions::default()).unwrap();
    let hidden = |tool: &&toolsift::ToolInfo| tool.state == toolsift::ToolState::Hidden;
    let all = sift.tools().unwrap();
    let gone: Vec<&str> = all.iter().filter(hidden).map(|tool| &*tool.name).collect();
    assert_eq!((all.len(), gone), (20_000, vec!["other", "u__t1"]));
}
