//! Tests that definitions, calls and histories give the same results as JSON values, as text and as structs.

use serde::Serialize;
use serde_json::json;
use toolsift::{
    Activation, Deferral, Disclosure, ErrorCode, RegisterOptions, Reveal, Settings, ToolDefinition, ToolSift,
    ToolSource, UnrevealedCall,
};

fn sift() -> ToolSift {
    ToolSift::new(Settings::default().activation(Activation::On))
}

#[test]
fn a_definition_says_all_that_a_tool_can_have() {
    let sift = sift();
    let full = ToolDefinition::new("drop_table")
        .description("Drops a table.")
        .with("annotations", json!({ "destructiveHint": true }))
        .with("server", "db")
        .with("title", "Drop")
        .with("category", "admin")
        .with("searchHint", "sql")
        .with("tags", ["danger"])
        .with("searchQueries", ["get rid of the orders"])
        .with("searchKeywords", ["ddl"])
        .with("deferral", "never");
    let report = sift.register(&vec![full], &RegisterOptions::default()).unwrap();
    assert!(report.rejected.is_empty() && report.repaired.is_empty(), "{report:?}");
    let tool = sift.tool(&report.registered[0]).unwrap();
    assert_eq!((tool.server(), tool.title(), tool.category()), (Some("db"), Some("Drop"), Some("admin")));
    assert_eq!((tool.search_hint(), tool.tags().collect::<Vec<_>>()), (Some("sql"), vec!["danger"]));
    assert_eq!((&*tool.queries()[0], &*tool.keywords()[0]), ("get rid of the orders", "ddl"));
    assert_eq!((tool.deferral(), tool.effect()), (Deferral::Never, toolsift::Effect::Destroy));
}

#[test]
fn text_values_and_structs_are_sources() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no connection"))
        }
    }
    let (sift, none) = (sift(), RegisterOptions::default());
    let map = json!({ "name": "a" }).as_object().unwrap().clone();
    let one: [&dyn ToolSource; 4] = [&r#"{"name":"a"}"#, &json!({ "name": "a" }), &ToolDefinition::new("a"), &map];
    let struct_list = [ToolDefinition::new("a")];
    let list: [&dyn ToolSource; 5] = [
        &r#"[{"name":"a"}]"#.to_owned(),
        &json!([{ "name": "a" }]),
        &struct_list,
        &struct_list.to_vec(),
        &&struct_list[..],
    ];
    for (at, one) in one.into_iter().enumerate() {
        assert_eq!(*sift.register_one(one, &none).unwrap().registered, ["a".into()], "{at}");
        sift.unregister(None, Some(&["a".to_owned()])).unwrap();
    }
    for (at, list) in list.into_iter().enumerate() {
        let sift = self::sift();
        let session = sift.session("s", None).unwrap();
        assert_eq!(*session.register(list, &none).unwrap().registered, ["a".into()], "{at}");
        assert_eq!(*sift.sync("s", list, &none).unwrap().added, ["a".into()], "{at}");
    }
    for wrong in [&json!({ "name": "a" }) as &dyn ToolSource, &json!("[]"), &"[", &[Broken]] {
        assert_eq!(sift.register(wrong, &none).unwrap_err().code(), ErrorCode::NotJson);
    }
    let error = sift.register(&[Broken], &none).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("no connection"), "{error}");
}

#[test]
fn options_are_values() {
    let typed = Settings::default().activation(Activation::On).context_window(1_000).disclosure(Disclosure::Names);
    let read = Settings::from_options(&json!({ "activation": "on", "contextWindow": 1_000, "disclosure": "names" }));
    assert_eq!(typed, read.unwrap());
    let deep = (0..50).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(Settings::from_options(&deep).unwrap_err().code(), ErrorCode::OptionInvalid);
}

#[test]
fn settings_by_type_can_be_checked() {
    assert!(Settings::default().check().is_ok());
    let never = Settings::default().reveal(Reveal::Never).unrevealed_call(UnrevealedCall::Refuse);
    assert_eq!(never.check().unwrap_err().code(), ErrorCode::OptionConflict);
}
