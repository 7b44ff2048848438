//! What is registered, repaired and refused, and under which names.

use crate::common::{MCP60, server};
use serde_json::{Value, json};
use toolsift::{
    Error, ErrorCode, Format, NamePolicy, Outcome, RegisterOptions, Scope, SessionHandle, Settings, ToolSift,
    ToolState, limits,
};

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
fn every_vendors_shape_gives_the_same_tool() {
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] });
    let google = json!({ "type": "OBJECT", "properties": { "city": { "type": "STRING" } }, "required": ["city"] });
    let (name, text) = ("get_weather", "Current conditions.");
    let shapes = [
        json!({ "name": name, "description": text, "inputSchema": schema, "outputSchema": {}, "annotations": {}, "_meta": {} }),
        json!({ "type": "function", "function": { "name": name, "description": text, "parameters": schema } }),
        json!({ "type": "function", "name": name, "description": text, "parameters": schema, "strict": true }),
        json!({ "name": name, "description": text, "input_schema": schema }),
        json!({ "name": name, "description": text, "parametersJsonSchema": schema }),
        json!({ "name": name, "description": text, "parameters": google }),
        json!({ "functionDeclarations": [{ "name": name, "description": text, "parametersJsonSchema": schema }] }),
    ];
    for shape in shapes {
        let sift = sift();
        let report = sift.register(&json!([shape]).to_string(), &RegisterOptions::default()).unwrap();
        assert_eq!(report.registered.len(), 1, "{shape}: {report:?}");
        let expected = json!([{ "name": name, "description": text, "inputSchema": schema }]);
        assert_eq!(sent(&sift, Format::Mcp), expected, "{shape}");
    }
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
fn every_format_is_written_as_the_vendor_wants_it() {
    let sift = sift();
    let schema = json!({ "type": "object", "properties": {} });
    sift.register(
        &json!([{ "name": "a", "description": "A \"b\"\n", "inputSchema": schema }]).to_string(),
        &server("s"),
    )
    .unwrap();
    let text = "A \"b\"\n";
    for (format, expected) in [
        (Format::Mcp, json!([{ "name": "a", "description": text, "inputSchema": schema }])),
        (
            Format::OpenAi,
            json!([{ "type": "function", "function": { "name": "a", "description": text, "parameters": schema } }]),
        ),
        (
            Format::OpenAiResponses,
            json!([{ "type": "function", "name": "a", "description": text, "parameters": schema, "strict": false }]),
        ),
        (Format::Anthropic, json!([{ "name": "a", "description": text, "input_schema": schema }])),
        (
            Format::Bedrock,
            json!([{ "toolSpec": { "name": "a", "description": text, "inputSchema": { "json": schema } } }]),
        ),
    ] {
        assert_eq!(sent(&sift, format), expected);
    }
    let bare = self::sift();
    bare.register(&json!([{ "name": "a", "inputSchema": schema }]).to_string(), &server("s")).unwrap();
    let undescribed = json!([{ "toolSpec": { "name": "a", "inputSchema": { "json": schema } } }]);
    assert_eq!(sent(&bare, Format::Bedrock), undescribed, "Bedrock refuses an empty description");
    let google = sift.session("all", None).and_then(|s| s.assemble(Format::Google)).unwrap();
    let google: Value = serde_json::from_str(google.tools.get()).unwrap();
    assert_eq!(
        google[0]["functionDeclarations"][3],
        json!({ "name": "a", "description": text, "parametersJsonSchema": schema })
    );
    assert_eq!(google.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_broken_tool_costs_nothing_but_itself() {
    let long = "x".repeat(70);
    let list = json!([
        { "name": "good" },
        null,
        42,
        "text",
        [],
        {},
        { "name": null },
        { "name": 7 },
        { "name": "" },
        { "name": "has space" },
        { "name": long },
        { "name": "good" },
        { "name": "search_tools" },
        { "name": "bad_schema", "inputSchema": { "type": "array" } },
        { "name": "no_schema", "inputSchema": true },
        { "name": "bad_text", "description": ["a"] },
        { "name": "too_long", "description": "y".repeat(10_000_000) },
        { "name": "bad_tags", "tags": [1] },
        { "name": "bad_deferral", "deferral": "sometimes" },
        { "name": "also_good", "inputSchema": null },
    ]);
    let half_pair = r#"{"name":"half","description":"\ud83d"}"#;
    let text = list.to_string();
    let text = format!("{},{half_pair}]", &text[..text.len() - 1]);
    let sift = sift();
    let report = sift.register(&text, &RegisterOptions::default()).unwrap();
    assert_eq!(report.registered.iter().map(|n| &**n).collect::<Vec<_>>(), ["good", "also_good"]);
    let expected = [
        (1, "", ErrorCode::ToolShapeUnknown, "null"),
        (2, "", ErrorCode::ToolShapeUnknown, "42"),
        (3, "", ErrorCode::ToolShapeUnknown, "text"),
        (4, "", ErrorCode::ToolShapeUnknown, "[]"),
        (5, "", ErrorCode::ToolShapeUnknown, "{}"),
        (6, "", ErrorCode::ToolShapeUnknown, "null"),
        (7, "", ErrorCode::OptionInvalid, "7"),
        (8, "", ErrorCode::NameEmpty, "\"\""),
        (9, "has space", ErrorCode::NameUnsafe, "has_space"),
        (10, &long, ErrorCode::NameTooLong, "64"),
        (11, "good", ErrorCode::DuplicateTool, "good"),
        (12, "search_tools", ErrorCode::NameReserved, "search_tools"),
        (13, "bad_schema", ErrorCode::SchemaInvalid, "array"),
        (14, "no_schema", ErrorCode::SchemaInvalid, "true"),
        (15, "bad_text", ErrorCode::OptionInvalid, "description"),
        (16, "too_long", ErrorCode::DescriptionTooLong, "65536"),
        (17, "bad_tags", ErrorCode::OptionInvalid, "tags"),
        (18, "bad_deferral", ErrorCode::OptionInvalid, "never, automatic, always"),
        (20, "half", ErrorCode::TextInvalid, "surrogate"),
    ];
    assert_eq!(report.rejected.len(), expected.len());
    for (rejected, (index, name, code, part)) in report.rejected.iter().zip(expected) {
        assert_eq!((rejected.index, &*rejected.name, rejected.code), (index, name, code), "{rejected:?}");
        assert!(rejected.message.contains(part), "{rejected:?} should name {part}");
    }
    assert_eq!(report.rejected[8].alias.as_deref(), Some("has_space"));
    assert!(sift.register("{}", &RegisterOptions::default()).is_err_and(|e| e.code() == ErrorCode::NotJson));
    assert_eq!(names(&sift), ["good", "also_good"], "an error changes nothing");
}

#[test]
fn one_name_on_two_servers_is_two_tools_that_map_back() {
    let sift = sift();
    let list = json!([{ "name": "create_issue" }, { "name": "search_tools" }]).to_string();
    sift.register(&list, &server("github")).unwrap();
    sift.register(&list, &server("git lab")).unwrap();
    assert_eq!(
        names(&sift),
        ["create_issue", "github__search_tools", "git_lab__create_issue", "git_lab__search_tools"]
    );
    let session = sift.session("s", None).unwrap();
    session.reveal(&["git_lab__create_issue"]).unwrap();
    let outcome = session.call("git_lab__create_issue", "{}").unwrap();
    let Outcome::Dispatch { name, server, model_name, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!((&*name, server.as_deref(), &*model_name), ("create_issue", Some("git lab"), "git_lab__create_issue"));
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
fn sync_changes_what_changed() {
    let sift = sift();
    let list = |description: &str| json!([{ "name": "a" }, { "name": "b", "description": description }]).to_string();
    sift.sync("s", &list("one"), &RegisterOptions::default()).unwrap();
    sift.register(r#"[{"name":"other"}]"#, &RegisterOptions::default()).unwrap();
    let before = sift.revision();

    let same = sift.sync("s", &list("one"), &RegisterOptions::default()).unwrap();
    assert_eq!((same.unchanged, same.added.len(), same.changed.len(), same.removed.len()), (2, 0, 0, 0));
    assert_eq!(sift.revision(), before);

    sift.session("s", None).and_then(|s| s.reveal(&["a", "b"])).unwrap();
    let next =
        json!([{ "name": "b", "description": "two" }, { "name": "c" }, { "name": "" }, { "name": "c" }]).to_string();
    let report = sift.sync("s", &next, &RegisterOptions::default()).unwrap();
    let plain = |names: &[std::sync::Arc<str>]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
    assert_eq!((plain(&report.added), plain(&report.changed)), (vec!["c".to_owned()], vec!["b".to_owned()]));
    assert_eq!((plain(&report.removed), report.unchanged), (vec!["a".to_owned()], 0));
    assert_eq!(
        report.rejected.iter().map(|r| r.code).collect::<Vec<_>>(),
        [ErrorCode::NameEmpty, ErrorCode::DuplicateTool]
    );
    assert!(sift.revision() > before);
    assert_eq!(names(&sift), ["b", "other", "c"]);

    let session = sift.session("s", None).unwrap();
    assert_eq!(plain(&session.revealed().unwrap()), ["b"], "what is gone is not sent");
    let tools = session.assemble(Format::Mcp).unwrap().tools;
    assert!(tools.get().contains(r#""description":"two""#), "the new form is sent");
    sift.sync("s", &list("two"), &RegisterOptions::default()).unwrap();
    let revealed = sift.session("s", None).and_then(|s| s.revealed()).unwrap();
    assert_eq!(plain(&revealed), ["a", "b"], "what returns is revealed as it was");
}

#[test]
fn white_space_makes_no_other_tool() {
    let text = MCP60;
    let hash = |text: &str| {
        let sift = sift();
        assert_eq!(sift.register(text, &server("s")).unwrap().rejected, []);
        sift.content_hash()
    };
    let plain: Value = serde_json::from_str(text).unwrap();
    let pretty = serde_json::to_string_pretty(&plain).unwrap();
    let wide = pretty.replace('\n', "\r\n\t ");
    assert_eq!([hash(&pretty), hash(&wide)], [hash(&plain.to_string()), hash(&plain.to_string())]);
}

#[test]
fn unregistering_takes_what_fits_both() {
    let sift = sift();
    sift.register(r#"[{"name":"a"},{"name":"b"}]"#, &server("s")).unwrap();
    sift.register(r#"[{"name":"c"}]"#, &server("t")).unwrap();
    assert!(sift.unregister(Some("t"), Some(&["a".into()])).unwrap().is_empty());
    assert_eq!(sift.unregister(Some("s"), Some(&["a".into(), "c".into()])).unwrap().len(), 1);
    assert_eq!(names(&sift), ["b", "c"]);
    assert_eq!(sift.unregister(Some("s"), None).unwrap().len(), 1);
    sift.register(r#"[{"name":"a"}]"#, &server("s")).unwrap();
    assert_eq!(names(&sift), ["c", "a"]);
    let session = sift.session("own", None).unwrap();
    for refused in [sift.unregister(None, None), session.unregister(None, None)] {
        assert_eq!(refused.unwrap_err().code(), ErrorCode::OptionInvalid, "nothing is no name for all tools");
    }
    assert!(sift.unregister(None, Some(&[])).unwrap().is_empty());
    assert_eq!(names(&sift), ["c", "a"]);
}

#[test]
fn the_catalog_is_bounded() {
    let sift = ToolSift::new(Settings::from_options(&json!({ "limits": { "tools": 2 } })).unwrap());
    let report = sift.register(r#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#, &RegisterOptions::default()).unwrap();
    assert_eq!((report.registered.len(), report.rejected[0].code), (2, ErrorCode::CatalogFull));
    assert!(report.rejected[0].message.contains('2'));
}

#[test]
fn a_name_stays_with_its_server_until_the_host_unregisters_it() {
    let list = |names: &[&str]| json!(names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>()).to_string();
    let sift = sift();
    let sync = |of: &str, names: &[&str]| {
        let report = sift.sync(of, &list(names), &server(of)).unwrap();
        report.added.iter().map(|name| name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(sync("bank", &["pay", "1st"]), ["pay", "1st"]);
    // A shorter list, and the host's removal of one tool, free no name: not the one that Google's format has either.
    sift.unregister(None, Some(&["1st".to_owned()])).unwrap();
    sync("bank", &[]);
    assert_eq!(sync("evil", &["pay", "_1st"]), ["evil__pay", "evil___1st"]);
    assert_eq!(sift.register(&list(&["pay"]), &RegisterOptions::default()).unwrap().registered, ["pay_2".into()]);
    // Neither does a server of a session's own get it, but for one that stands for the server.
    let session = sift.session("one", None).unwrap();
    let own = |of: &str| session.sync(of, &list(&["pay"]), &server(of)).unwrap().added;
    assert_eq!([own("mine"), own("bank")], [["mine__pay".into()], ["pay".into()]]);
    session.sync("mine", "[]", &server("mine")).unwrap();
    assert_eq!(own("mine"), ["mine__pay".into()]);
    // What comes back has its name, and a tool that had to take a longer one keeps that.
    sync("evil", &[]);
    assert_eq!(sync("bank", &["pay", "1st"]), ["pay", "1st"]);
    sift.unregister(Some("bank"), None).unwrap();
    assert_eq!(sync("evil", &["pay", "1st"]), ["evil__pay", "1st"]);
    sift.unregister(Some("evil"), None).unwrap();
    sift.unregister(Some("nobody"), None).unwrap();
    assert_eq!(sync("late", &["pay", "1st"]), ["pay", "1st"]);
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
fn a_bare_name_that_several_servers_have_is_refused() {
    let pay = json!([{ "name": "pay" }, { "name": "a b" }]).to_string();
    let sift = ToolSift::new(Settings::from_options(&json!({ "preDiscovered": ["pay"] })).unwrap());
    let options = |of: &str| server(of).names(NamePolicy::Alias);
    let scope = Scope::new(&[], &["pay"]);
    sift.sync("bank", &pay, &options("bank")).unwrap();
    let open = sift.session("open", Some(&scope)).unwrap();
    assert!(open.unmatched().unwrap().is_empty());
    sift.sync("evil", &pay, &options("evil")).unwrap();
    let refused = |result: Result<SessionHandle, Error>| {
        let error = result.err().unwrap();
        assert_eq!(error.code(), ErrorCode::NameAmbiguous);
        error.message().to_owned()
    };
    let message = refused(sift.session("new", Some(&scope)));
    assert_eq!(message, r#""pay" could be several tools: write "bank:pay" or "evil:pay""#);
    refused(open.child("child", Some(&scope)));
    let whole = sift.session("whole", None).unwrap();
    refused(whole.rescope(&scope).map(|_| whole.clone()));
    // The name is the first server's: a session that is open goes on, and is told.
    let names = |session: &SessionHandle| {
        let tools = session.tools().unwrap().into_iter().filter(|tool| tool.state != ToolState::Hidden);
        tools.map(|tool| tool.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&sift.session("open", Some(&scope)).unwrap()), ["pay"]);
    assert_eq!(open.unmatched().unwrap(), ["pay".into(), "pay".into()]);
    // What models call otherwise, and the server's name in front, are plain.
    for (entry, name) in [("evil__pay", "evil__pay"), ("bank:pay", "pay"), ("a_b", "a_b")] {
        let session = sift.session(entry, Some(&Scope::new(&[], &[entry]))).unwrap();
        assert_eq!(names(&session), [name]);
    }
    // A tool of the host's own that models call so is meant alone.
    sift.unregister(Some("bank"), None).unwrap();
    sift.unregister(Some("evil"), None).unwrap();
    sift.register(&pay, &RegisterOptions::default().names(NamePolicy::Alias)).unwrap();
    for of in ["bank", "evil"] {
        sift.sync(of, &pay, &options(of)).unwrap();
    }
    assert_eq!(names(&sift.session("own", Some(&scope)).unwrap()), ["pay"]);
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
