//! Tests whole conversations: which tools are callable at each step, and the cost of each request.

use crate::common::{self, MCP60, call, register, settings};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, RegisterOptions, RestoreOptions, Settings, TokenCounter, ToolSift};

/// The sixty tools under the profile `search-add`.
fn sift_with(mut wanted: Value) -> ToolSift {
    wanted["profile"] = "search-add".into();
    common::sift(wanted, MCP60)
}

const SEND: &str = "mcp__slack__send_message";

#[test]
fn costs_add_up_to_the_bytes_that_are_sent() {
    let sift = sift_with(
        json!({"preDiscovered":["mcp__weather__get_current"],"disclosure":"sentences","categories":["slack (messaging)"]}),
    );
    for &(_, format) in Format::ALL {
        call(&sift, "a", "add_tool", json!({ "tool_names": [SEND] }));
        let assembly = sift.session("a", None).and_then(|s| s.assemble(format)).unwrap();
        let (size, parts) = (assembly.size, assembly.size.parts);
        assert_eq!(size.request.bytes, assembly.tools.get().len() + assembly.system_prompt.len());
        assert_eq!(parts.prompt.bytes + parts.listing.bytes, assembly.system_prompt.len());
        let tools = parts.discovery.tools + parts.eager.tools + parts.revealed.tools;
        assert_eq!((size.request.tools, tools, parts.eager.tools, parts.revealed.tools), (5, 5, 1, 1));
        let in_tools = parts.discovery.bytes + parts.eager.bytes + parts.revealed.bytes;
        let punctuation = assembly.tools.get().len() - in_tools;
        assert!(punctuation <= if format == Format::Google { 40 } else { 6 }, "{punctuation}");
        let off = sift_with(json!({"activation":"off"})).session("a", None).and_then(|s| s.assemble(format)).unwrap();
        assert_eq!((off.size.request, off.size.full, size.full.tools), (size.full, size.full, 60));
        assert_eq!(size.saved.tokens, size.full.tokens as i64 - size.request.tokens as i64);
        assert!(size.saved.share > 0.3 && size.saved.share < 1.0);
        let chars = assembly.tools.get().chars().count() + assembly.system_prompt.chars().count();
        assert_eq!(size.request.tokens, chars.div_ceil(4) as u64);
    }
}

#[test]
fn reveals_are_appended_and_the_prefix_says_so() {
    for &(_, format) in Format::ALL {
        let sift = sift_with(json!({"preDiscovered":["mcp__weather__get_tides"]}));
        let mut before = String::new();
        for name in ["mcp__weather__get_tides", SEND, "mcp__github__create_issue", "mcp__calendar__list_events"] {
            call(&sift, "a", "add_tool", json!({ "tool_names": [name] }));
            let assembly = sift.session("a", None).and_then(|s| s.assemble(format)).unwrap();
            let now = assembly.tools.get();
            let common = before.bytes().zip(now.bytes()).take_while(|(a, b)| a == b).count();
            assert_eq!(assembly.size.prefix.bytes, common, "the prefix is counted as it is");
            if !before.is_empty() {
                assert!(before.len() - common <= 3, "only the closing brackets give way");
            }
            before = now.to_owned();
        }
        let again = sift.session("a", None).and_then(|s| s.assemble(format)).unwrap();
        assert_eq!((again.tools.get(), again.size.prefix.share), (before.as_str(), 1.0));
    }
}

#[test]
fn a_token_counter_counts_and_its_failure_changes_nothing() {
    let words = TokenCounter::Host(Box::new(|text| Ok(text.split_whitespace().count() as f64)));
    let sift = ToolSift::with_counter(settings(json!({ "profile": "search-add" })), words);
    register(&sift, MCP60, &RegisterOptions::default());
    let size = sift.session("a", None).and_then(|s| s.assemble(Format::Mcp)).unwrap().size;
    assert!(size.parts.prompt.tokens > 20 && size.parts.prompt.tokens < 200, "{size:?}");
    for (broken, part) in
        [(Ok(f64::NAN), "NaN"), (Ok(-1.0), "-1"), (Ok(f64::INFINITY), "inf"), (Err("threw: boom".to_owned()), "boom")]
    {
        let counter = TokenCounter::Host(Box::new(move |_| broken.clone()));
        let sift = ToolSift::with_counter(Settings::default(), counter);
        register(&sift, MCP60, &RegisterOptions::default());
        let error = sift.session("a", None).and_then(|s| s.assemble(Format::Mcp)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CounterFailed);
        assert!(error.message().contains(part), "{error}");
    }
}

#[test]
fn a_broken_snapshot_is_refused() {
    let sift = sift_with(json!({}));
    let names = [SEND, "mcp__github__create_issue", "mcp__weather__get_tides"];
    call(&sift, "a", "add_tool", json!({ "tool_names": names }));
    let snapshot = serde_json::to_string(&sift.session("a", None).and_then(|s| s.snapshot()).unwrap()).unwrap();

    let elsewhere = sift_with(json!({}));
    let newer = snapshot.replace("\"toolsift\":2", "\"toolsift\":3");
    for (broken, part) in [
        ("null", "null"),
        ("{}", "{}"),
        ("[1]", "[1]"),
        ("", ""),
        (newer.as_str(), "version 3"),
        (r#"{"toolsift":1}"#, "missing field"),
        (r#"{"toolsift":2,"id":"a","profile":"sift","turn":-1,"revealed":[]}"#, "turn"),
        (r#"{"toolsift":2,"id":"a","profile":"sift","revealed":[{"name":"x","used":1e300}]}"#, "a turn is"),
        (r#"{"toolsift":2,"id":"a","profile":"sift","revealed":[{"used":1}]}"#, "missing field `name`"),
        (r#"{"toolsift":2,"id":"a","profile":"sift","revealed":[],"extra":1}"#, "unknown field `extra`"),
    ] {
        let error = elsewhere.restore(broken, &RestoreOptions::default()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::SnapshotInvalid, "{broken}");
        assert!(error.message().contains(part), "{error}");
    }
}

#[test]
fn every_tool_of_a_request_has_its_role() {
    let roles = |options: Value, format: Format| {
        let tool = |name: &str| {
            let properties: serde_json::Map<String, Value> =
                (0..20).map(|at| (format!("parameter_{at}"), json!({ "type": "string" }))).collect();
            json!({ "name": name, "inputSchema": { "type": "object", "properties": properties } })
        };
        let sift = common::sift(options, &json!([tool("first"), tool("second"), tool("third")]));
        let session = sift.session("a", None).unwrap();
        session.reveal(&["second"]).unwrap();
        serde_json::to_value(session.assemble(format).unwrap().roles).unwrap()
    };
    let eager = json!({ "profile": "search-add", "alwaysAvailable": ["third"] });
    let expected = json!(["discovery", "discovery", "discovery", "eager", "revealed"]);
    assert_eq!(roles(eager.clone(), Format::Mcp), expected);
    assert_eq!(roles(eager, Format::Google), expected, "one for each declaration");
    let stubs = json!({ "profile": "stub", "activation": "on", "preDiscovered": ["third"] });
    assert_eq!(roles(stubs, Format::Mcp), json!(["stub", "revealed", "eager", "discovery"]));
    assert_eq!(roles(json!({ "activation": "off" }), Format::Mcp), json!(["eager", "eager", "eager"]));
}
