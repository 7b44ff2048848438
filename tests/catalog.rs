//! Tests which tools are registered, repaired and refused, and their names.

use crate::common::server;
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, NamePolicy, Outcome, RegisterOptions, Settings, ToolSift, limits};

fn sift() -> ToolSift {
    ToolSift::new(Settings::default())
}

fn names(sift: &ToolSift) -> Vec<String> {
    sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect()
}

/// Everything in full, in a format.
fn sent(sift: &ToolSift, format: Format) -> Value {
    let all = names(sift);
    let session = sift.session("all", None).unwrap();
    session.reveal(&all).unwrap();
    let tools: Value = serde_json::from_str(session.assemble(format).unwrap().tools.get()).unwrap();
    Value::from(tools.as_array().unwrap().iter().skip(3).cloned().collect::<Vec<_>>())
}

#[test]
fn definitions_that_nothing_refers_to_are_not_sent_and_counted_apart() {
    let properties = json!({ "page": { "$ref": "#/$defs/page" } });
    let with = |definitions: Value| json!({ "name": "move", "inputSchema": { "type": "object", "properties": properties, "$defs": definitions } });
    let used = json!({ "page": { "type": "string" } });
    let all = json!({ "block": { "type": "object" }, "page": { "type": "string" }, "user": { "type": "string" } });
    let [pruned, plain] = [all, used].map(|definitions| {
        let sift = sift();
        let report = sift.register(&json!([with(definitions)]).to_string(), &server("notion")).unwrap();
        assert!(report.repaired.is_empty(), "a definition that nothing refers to changes no meaning: {report:?}");
        (sent(&sift, Format::OpenAi), sift.size(Format::OpenAi).unwrap(), sift.content_hash())
    });
    assert_eq!((&pruned.0, &pruned.2), (&plain.0, &plain.2));
    let cost = |size: &toolsift::CatalogSize| (size.bytes, size.tokens);
    assert_eq!(cost(&pruned.1), cost(&plain.1));
    let left = r#""block":{"type":"object"},"user":{"type":"string"},"#.len();
    assert_eq!((plain.1.sent.bytes, plain.1.sent.tokens), cost(&plain.1));
    assert_eq!(pruned.1.sent.bytes, plain.1.bytes + left);
    assert_eq!(pruned.1.sent.tokens, (plain.1.bytes + left).div_ceil(4) as u64);
    assert_eq!(pruned.1.servers[0].sent, pruned.1.sent);
}

#[test]
fn aliases_stand_in_for_names_that_vendors_refuse() {
    let sift = sift();
    let alias = server("s").names(NamePolicy::Alias);
    let report = sift.register(r#"[{"name":"whatsapp.send"},{"name":"日本語"}]"#, &alias).unwrap();
    assert_eq!(&*report.registered[0], "whatsapp_send");
    let hashed = report.registered[1].to_string();
    assert!(hashed.starts_with("tool_") && hashed.is_ascii(), "{hashed}");
    let session = sift.session("s", None).unwrap();
    session.reveal(std::slice::from_ref(&hashed)).unwrap();
    let Outcome::Dispatch { name, .. } = session.call(&hashed, "{}").unwrap() else { panic!() };
    assert_eq!(&*name, "日本語");
}

#[test]
fn the_names_of_a_server_that_are_kept_are_bounded() {
    let sift = sift();
    let of = |names: std::ops::Range<u32>| {
        json!(names.map(|at| json!({ "name": format!("t{at}") })).collect::<Vec<_>>()).to_string()
    };
    sift.sync("flood", &of(0..10_001), &server("flood")).unwrap();
    sift.sync("bank", &of(20_000..20_001), &server("bank")).unwrap();
    for of in ["flood", "bank"] {
        sift.sync(of, "[]", &server(of)).unwrap();
    }
    let last = format!("[{{\"name\":\"t20000\"}},{}", &of(9_999..10_001)[1..]);
    let report = sift.sync("other", &last, &server("other")).unwrap();
    let names: Vec<&str> = report.added.iter().map(|name| &**name).collect();
    assert_eq!(names, ["other__t20000", "other__t9999", "t10000"], "one server's names crowd out no other's");
}

#[test]
fn the_result_of_tools_list_is_taken_whole() {
    let sift = sift();
    let result = json!({ "tools": [{ "name": "get_tides", "inputSchema": { "type": "object" } }], "nextCursor": "x" });
    let report = sift.register(&result, &RegisterOptions::default().server("sea")).unwrap();
    assert_eq!(report.registered.len(), 1);
    let error = sift.register(&json!({ "tool": [] }), &RegisterOptions::default()).unwrap_err();
    assert!(error.message().starts_with("tools must be a JSON list, or an object that has one under tools"), "{error}");
}

#[test]
fn a_servers_name_is_bounded_whoever_gives_it() {
    let sift = sift();
    for name in [String::new(), "  ".to_owned(), "x".repeat(limits::LABEL_CHARS + 1)] {
        let options = RegisterOptions::default().server(&*name);
        for error in [
            sift.register(&json!([{ "name": "a" }]), &options).unwrap_err(),
            sift.sync(&name, &json!([{ "name": "a" }]), &RegisterOptions::default()).unwrap_err(),
        ] {
            assert_eq!(error.code(), ErrorCode::OptionInvalid, "{}", name.len());
        }
    }
    assert_eq!(sift.tools().unwrap().len(), 0);
}

#[test]
fn definitions_of_any_size_are_reported() {
    let deep = format!("{}1{}", r#"{"function":"#.repeat(100_000), "}".repeat(100_000));
    let deep_schema =
        format!(r#"{{"name":"deep","inputSchema":{}1{}}}"#, r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let many = format!(r#"{{"name":"many","tags":{}}}"#, json!(vec!["t"; 1_000]));
    for hostile in [deep, deep_schema, many] {
        let report = sift().register(&format!("[{hostile}]"), &RegisterOptions::default()).unwrap();
        assert_eq!((report.registered.len(), report.rejected.len()), (0, 1));
        assert!(report.rejected[0].message.len() < 400);
    }
}
