//! Names of tools in the forms in which models write them, under our own profile.
//!
//! 1. A search by name, `add_tool` and the refusal of a call understand every form, and mean the same tool by it.
//! 2. Where several tools fit, they are listed, and none is loaded.
//! 3. Where a server is named, no other server's tool is meant.
//! 4. Tools that the session may not see are not meant, and do not show.
//! 5. A name that says a server, or that a server's tool has had, means no look-alike of another server, also while the tool is
//!    away; who calls it is told so.
//! 6. A published system's profile that takes exact names only goes on to do so, and its refusals say the name.

use crate::common::{call, empty, register, server};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Outcome, RegisterOptions, Scope, ToolSift};

const SERVERS: [(&str, &str); 6] = [
    ("github", r#"[{"name":"create_issue"},{"name":"list_issues"},{"name":"get_file_contents"}]"#),
    ("gitlab", r#"[{"name":"create_issue"},{"name":"merge_merge_request"}]"#),
    ("sentry-mcp", r#"[{"name":"resolve_issue"},{"name":"listEvents"}]"#),
    ("docker", r#"[{"name":"hub__push_image"},{"name":"tools_list"}]"#),
    ("tools", r#"[{"name":"sharpen"}]"#),
    ("mail", r#"[{"name":"mail_send_draft"},{"name":"archive_old_drafts"}]"#),
];

fn sift(wanted: Value) -> ToolSift {
    let sift = empty(wanted);
    SERVERS.iter().for_each(|(name, tools)| drop(register(&sift, tools, &server(name))));
    sift
}

/// The tools that `select:` finds.
fn selected(sift: &ToolSift, name: &str) -> Vec<String> {
    // A session that is open with a scope stays so.
    _ = sift.session("a", None);
    let found = sift.session("a", None).unwrap().search(&format!("select:{name}")).run().unwrap();
    // Where no name is found, the text is searched as words.
    let is_named = format!("{:?}", found.stage) == "Select";
    if is_named { found.hits.iter().map(|hit| hit.name.to_string()).collect() } else { Vec::new() }
}

fn added(sift: &ToolSift, session: &str, name: &str) -> (String, Vec<String>) {
    match call(sift, session, "add_tool", json!({ "tool_names": [name] })) {
        Outcome::Result { content, revealed, .. } => (content, revealed.iter().map(|name| name.to_string()).collect()),
        other => panic!("{other:?}"),
    }
}

fn refusal(sift: &ToolSift, session: &str, name: &str) -> String {
    match call(sift, session, name, json!({})) {
        Outcome::Refused { error } => error.message,
        other => panic!("{name}: {other:?}"),
    }
}

/// Forms of names, each with the one tool that it means.
const FORMS: [(&str, &str); 33] = [
    ("github__create_issue", "create_issue"),
    ("mcp__github__create_issue", "create_issue"),
    ("mcp_github_create_issue", "create_issue"),
    ("github.create_issue", "create_issue"),
    ("github/create_issue", "create_issue"),
    ("github:create-issue", "create_issue"),
    ("github_create_issue", "create_issue"),
    ("githubCreateIssue", "create_issue"),
    ("GitHub.createIssue", "create_issue"),
    ("functions.github.create_issue", "create_issue"),
    ("mcp__plugin_github_github__create_issue", "create_issue"),
    ("mcp__claude_ai_GitHub__create_issue", "create_issue"),
    ("github_issue_create", "create_issue"),
    ("github.issues.create", "create_issue"),
    ("github_mcp.create_issue", "create_issue"),
    ("gitlab.create_issue", "gitlab__create_issue"),
    ("mcp__gitlab__issues_create", "gitlab__create_issue"),
    ("issues_list", "list_issues"),
    ("list-issue", "list_issues"),
    ("listIssues", "list_issues"),
    ("functions.list_issues", "list_issues"),
    ("list_issues_tool", "list_issues"),
    ("file_contents", "get_file_contents"),
    ("contents_get_file", "get_file_contents"),
    ("sentry.resolve_issue", "resolve_issue"),
    ("mcp__sentry__list_events", "listEvents"),
    ("hub.push_image", "hub__push_image"),
    ("docker.hub.push_image", "hub__push_image"),
    ("push_image", "hub__push_image"),
    ("docker.tools_list", "tools_list"),
    ("tools.sharpen", "sharpen"),
    ("send_draft", "mail_send_draft"),
    ("old_drafts", "archive_old_drafts"),
];

#[test]
fn every_form_means_the_tool() {
    for (name, tool) in FORMS {
        let sift = sift(json!({}));
        assert_eq!(selected(&sift, name), [tool], "{name}");
        let message = refusal(&sift, "a", name);
        assert!(message.contains(&format!(" Did you mean {tool}?")), "{name}: {message}");
        let (text, loaded) = added(&sift, "a", name);
        assert_eq!((text, loaded), (format!("Added: {tool}"), vec![tool.to_owned()]), "{name}");
        assert_eq!(added(&sift, "a", name).0, format!("Already available: {tool}"), "{name}");
    }
}

#[test]
fn several_tools_are_listed_and_none_is_loaded() {
    let sift = sift(json!({}));
    for name in ["createIssue", "issues_create", "Create Issue"] {
        assert_eq!(selected(&sift, name), ["create_issue", "gitlab__create_issue"], "{name}");
        let (text, loaded) = added(&sift, "a", name);
        let several =
            format!("Several tools fit; add the one that you mean: {name} (create_issue, gitlab__create_issue)");
        assert!(text.starts_with(&several) && loaded.is_empty(), "{text}");
        let message = refusal(&sift, "a", name);
        assert!(message.contains(" Did you mean create_issue, gitlab__create_issue?"), "{message}");
    }
    assert_eq!(selected(&sift, "create_issue"), ["create_issue"], "the exact name is one tool's");
}

#[test]
fn no_other_server_is_meant() {
    let sift = sift(json!({}));
    let names = ["bitbucket.create_issue", "mcp__bitbucket__create_issue", "linear/list_issues", "mail__list_issues"];
    for name in [&names[..], &["github__merge_merge_request", "tools.create_issue", "mail.push_image"]].concat() {
        assert_eq!(selected(&sift, name), [] as [&str; 0], "{name}");
        let text = format!("Not found: {name}");
        let (content, loaded) = added(&sift, "a", name);
        assert!(content.starts_with(&text) && loaded.is_empty(), "{name}: {content}");
        let message = refusal(&sift, "a", name);
        assert!(!message.contains("Did you mean"), "{name}: {message}");
        let query = json!({ "query": format!("select:{name}") });
        let Outcome::Result { revealed, .. } = call(&sift, "a", "search_tools", query) else { panic!() };
        assert_eq!(revealed, [], "{name}");
    }
    let message = refusal(&sift, "a", "githb.create_issue");
    assert!(message.contains("Did you mean create_issue?"), "a slip in the server's name: {message}");
}

#[test]
fn a_name_that_was_a_servers_means_no_look_alike() {
    let sift = empty(json!({ "activation": "on" }));
    register(&sift, r#"[{"name":"pay"},{"name":"list_accounts"}]"#, &server("bank"));
    register(&sift, r#"[{"name":"create_issue"}]"#, &server("github"));
    let look_alikes = r#"[{"name":"pay"},{"name":"Pay_"},{"name":"bank_pay"},{"name":"github_create_issue"}]"#;
    register(&sift, look_alikes, &server("evil"));
    sift.session("scoped", Some(&Scope::new(&["evil"], &[]))).unwrap();
    for name in ["github__create_issue", "github-create-issue", "githubCreateIssue", "mcp-github-create-issue"] {
        let meant = refusal(&sift, "a", name);
        assert!(meant.contains("Did you mean create_issue?"), "{name}: {meant}");
    }
    sift.sync("bank", r#"[{"name":"list_accounts"}]"#, &RegisterOptions::default()).unwrap();
    sift.sync("github", "[]", &RegisterOptions::default()).unwrap();
    register(&sift, r#"[{"name":"pay"}]"#, &server("later"));
    for name in ["pay", "PAY", "bank__pay", "bank.pay", "github__create_issue", "mcp__github__create_issue"] {
        let message = refusal(&sift, "a", name);
        assert!(!message.contains("Did you mean"), "{name}: {message}");
        assert!(added(&sift, "a", name).1.is_empty(), "{name}");
        assert_eq!(selected(&sift, name), [] as [&str; 0], "{name}");
    }
    let away =
        "There is no tool named \"pay\" now: this tool of the server \"bank\" is away, or waits for approval. Find";
    assert!(refusal(&sift, "a", "pay").starts_with(away), "{}", refusal(&sift, "a", "pay"));
    let scoped = refusal(&sift, "scoped", "pay");
    assert!(scoped.starts_with("There is no tool named \"pay\".") && !scoped.contains("bank"), "{scoped}");
    assert!(refusal(&sift, "a", "bank__list_acounts").contains("Did you mean list_accounts?"));
    sift.sync("bank", r#"[{"name":"pay"}]"#, &RegisterOptions::default()).unwrap();
    sift.session("a", None).unwrap().reveal(&["pay"]).unwrap();
    let Outcome::Dispatch { server, .. } = call(&sift, "a", "pay", json!({})) else { panic!() };
    assert_eq!(server.as_deref(), Some("bank"));
    // Once the host has removed it, nothing is its any longer.
    sift.unregister(Some("bank"), None).unwrap();
    assert!(refusal(&sift, "a", "pay").starts_with("There is no tool named \"pay\". Did you mean"));
}

#[test]
fn a_server_of_the_very_name_is_meant() {
    let sift = sift(json!({}));
    let server = RegisterOptions::default().server("sentry");
    sift.register(r#"[{"name":"ping"}]"#, &server).unwrap();
    assert_eq!(selected(&sift, "sentry.resolve_issue"), [] as [&str; 0]);
    assert_eq!(selected(&sift, "sentry-mcp.resolve_issue"), ["resolve_issue"]);
    // A session that does not see that server means the other one.
    sift.session("a", None).unwrap().rescope(&Scope::new(&["sentry-mcp"], &[])).unwrap();
    assert_eq!(selected(&sift, "sentry.resolve_issue"), ["resolve_issue"]);
}

#[test]
fn tools_outside_the_scope_are_not_meant() {
    let sift = sift(json!({}));
    sift.session("a", Some(&Scope::new(&["gitlab", "mail"], &[]))).unwrap();
    assert_eq!(selected(&sift, "createIssue"), ["gitlab__create_issue"]);
    assert_eq!(added(&sift, "a", "issues_create").1, ["gitlab__create_issue"]);
    for name in ["github.create_issue", "listIssues", "push_image"] {
        assert_eq!(selected(&sift, name), [] as [&str; 0], "{name}");
        assert_eq!(added(&sift, "a", name).1, [] as [&str; 0], "{name}");
        let message = refusal(&sift, "a", name);
        assert!(!message.contains("Did you mean"), "{name}: {message}");
    }
    // A session's own server stands in the place of the shared one.
    let own = RegisterOptions::default();
    sift.session("b", None).unwrap().sync("github", r#"[{"name":"openIssue"}]"#, &own).unwrap();
    assert!(!refusal(&sift, "b", "github.create_issue").contains("Did you mean"));
    assert!(refusal(&sift, "b", "issue_open").contains("Did you mean openIssue?"));
    assert!(!refusal(&sift, "c", "issue_open").contains("openIssue"));
}

#[test]
fn published_systems_take_exact_names_and_say_them() {
    for (profile, tool) in [("search-add", "add_tool"), ("select", "ToolSearch"), ("select-load", "ToolSearch")] {
        let sift = sift(json!({ "profile": profile, "deferral": "opt-out" }));
        let arguments = json!({ "tool_names": ["github.list_issues"], "query": "select:github.list_issues" });
        let outcome = format!("{:?}", call(&sift, "a", tool, arguments));
        assert!(outcome.contains("revealed: []"), "{profile}: {outcome}");
        assert_eq!(outcome.contains("Did you mean list_issues?"), profile == "select-load", "{outcome}");
        let message = refusal(&sift, "a", "github.list_issues");
        assert!(message.contains("Did you mean list_issues?"), "{profile}: {message}");
    }
    let bridge = sift(json!({ "profile": "bridge", "activation": "on" }));
    for tool in ["tool_call", "tool_describe"] {
        let outcome = format!("{:?}", call(&bridge, "a", tool, json!({ "name": "github.list_issues" })));
        assert!(outcome.contains("NotDeferrable") && outcome.contains("Did you mean list_issues?"), "{outcome}");
    }
}

#[test]
fn a_tool_that_repeats_its_servers_name_is_told_from_one_that_does_not() {
    let tools = json!([
        { "name": "flow_check", "server": "flow", "description": "Checks the server." },
        { "name": "check", "server": "flow", "description": "Checks a text." },
    ]);
    let sift = empty(json!({ "activation": "on" }));
    sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    for (name, meant) in
        [("mcp__flow__flow_check", "flow_check"), ("mcp__flow__check", "check"), ("flow.check", "check")]
    {
        assert_eq!(selected(&sift, name), [meant], "{name}");
    }
}

#[test]
fn an_unknown_name_gets_a_suggestion_and_a_blank_one_is_none() {
    let sift = sift(json!({ "activation": "on" }));
    let (text, names) = added(&sift, "slip", "get_file_contentsx");
    assert_eq!(text, "Not found: get_file_contentsx (Did you mean get_file_contents?). Find tools with search_tools.");
    assert_eq!(names, Vec::<String>::new());
    let nothing = call(&sift, "blank", "add_tool", json!({ "tool_names": ["", " "] }));
    let is_told = matches!(&nothing, Outcome::Result { error_code: Some(ErrorCode::ToolNamesRequired), .. });
    assert!(is_told, "{nothing:?}");
}
