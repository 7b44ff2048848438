//! Tests that a prebuilt index restores the catalog from which it was written.

use crate::common::{MCP60, settings, sift as of};
use crate::hostile_of::{SETTINGS, call, names_of, sift};
use crate::prebuilt_of::{code, digest, head};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, RegisterOptions, ToolSift};

const AWKWARD: &str = include_str!("vectors/catalogs/awkward15.json");

/// What a host learns of a catalog: hits with scores and reasons, why tools are found, what is sent and what that costs.
fn learned(sift: &ToolSift) -> Vec<String> {
    const QUERIES: [&str; 9] = [
        "send a message to the channel",
        "create issue, list pull requests",
        "whether in lisbon",
        "server:github +issue -close",
        "mcp__slack__send_message",
        "/.*file.*/",
        "翻訳 café",
        "the quick brown fox jumps over lazy dogs",
        "",
    ];
    let names = names_of(sift);
    let mut learned = Vec::new();
    sift.close("looking");
    for query in QUERIES {
        learned.push(format!("{:?}", sift.search(query).limit(20).run()));
        for name in names.iter().step_by(17) {
            learned.push(format!("{:?}", sift.search(query).explain(name)));
        }
    }
    for (_, format) in Format::ALL {
        let session = sift.session("looking", None).unwrap();
        let assembly = session.assemble(*format).unwrap();
        learned.push(format!("{} {} {:?}", assembly.tools.get(), assembly.system_prompt, assembly.size));
    }
    learned.push(format!("{:?} {:?}", sift.tools(), sift.size(Format::Mcp)));
    learned
}

#[test]
fn a_loaded_catalog_answers_as_the_one_that_it_was_made_of() {
    let own = [
        r#"{"profile":"sift"}"#,
        r#"{"profile":"sift","synonyms":[["pebble","ticket"]],"search":{"without":["stems"]}}"#,
    ];
    for wanted in SETTINGS.into_iter().chain(own) {
        let built = sift(wanted);
        let index = built.export_index();
        let loaded = ToolSift::from_index(&index, settings(serde_json::from_str(wanted).unwrap())).unwrap();
        assert_eq!(learned(&loaded), learned(&built), "{wanted}");
        assert_eq!(loaded.export_index(), index, "{wanted}");
        for (tool, arguments) in [
            ("search_tools", r#"{"query":"send a message to the channel"}"#),
            ("ToolSearch", r#"{"query":"+slack send","max_results":3}"#),
            ("tool_search", r#"{"query":"wether forcast"}"#),
            ("show_all_tools", "{}"),
            ("mcp__slack__send_mesage", "{}"),
        ] {
            let (ours, theirs) = (call(&loaded, "a", tool, arguments), call(&built, "a", tool, arguments));
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{wanted} {tool} {arguments}");
        }
    }
}

/// Where one of these changes, indexes of before give other answers than a catalog that is built: `FORMAT` in
/// `src/prebuilt/mod.rs` goes one up, and this is measured anew.
#[test]
fn every_machine_writes_the_same_bytes() {
    let sift = of(json!({}), MCP60);
    sift.register(AWKWARD, &RegisterOptions::default().server("awkward")).unwrap();
    let index = sift.export_index();
    assert_eq!(digest(&index[head(&index)..]), CONTENT, "what an index says of the same tools");
    assert_eq!(sift.content_hash(), HASH);
}

const CONTENT: u64 = 0x18dc_85ff_d7a7_b122;
const HASH: &str = "903bc3eba2a160bd";

#[test]
fn the_hash_is_of_the_tools_and_of_nothing_else() {
    let tool = json!({ "name": "a", "description": "B.", "inputSchema": { "type": "object" }, "server": "s" });
    let hash = |tools: Value| of(json!({}), &tools.to_string()).content_hash();
    let with = |key: &str, value: Value| {
        let mut other = tool.clone();
        other[key] = value;
        hash(json!([other]))
    };
    let same = hash(json!([tool]));
    assert_eq!((same.len(), same.chars().all(|c| c.is_ascii_hexdigit())), (16, true), "{same}");
    let openai = json!({ "type": "function", "function": { "name": "a", "description": "B." , "parameters": { "type": "object" } }, "server": "s" });
    assert_eq!(hash(json!([openai])), same, "the shape does not matter");
    assert_eq!(with("annotations", json!({ "audience": true })), same, "nor what is not read");
    let mut hashes = vec![same.clone(), hash(json!([]))];
    for (key, value) in [
        ("name", json!("b")),
        ("description", json!("C.")),
        ("inputSchema", json!({ "type": "object", "properties": {} })),
        ("server", json!("t")),
        ("title", json!("B.")),
        ("category", json!("B.")),
        ("searchHint", json!("B.")),
        ("tags", json!(["B."])),
        ("tags", json!(["B", "."])),
        ("deferral", json!("always")),
        ("annotations", json!({ "readOnlyHint": true })),
        ("annotations", json!({ "destructiveHint": true })),
        ("annotations", json!({ "idempotentHint": true })),
        ("annotations", json!({ "openWorldHint": false })),
    ] {
        hashes.push(with(key, value));
    }
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "each of them counts");

    let other = json!({ "name": "c" });
    let synced = of(json!({ "profile": "bridge" }), &json!([other]).to_string());
    synced.sync("s", &json!([{ "name": "a" }]).to_string(), &RegisterOptions::default()).unwrap();
    synced.sync("s", &json!([tool]).to_string(), &RegisterOptions::default()).unwrap();
    assert_eq!(hash(json!([tool, other])), synced.content_hash(), "nor does the order, nor what was before");
}

#[test]
fn an_index_of_another_time_is_stale() {
    let wanted = || json!({ "synonyms": [["pebble", "ticket"]], "search": { "without": ["stems"] } });
    let index = of(wanted(), MCP60).export_index();
    let load = |index: &[u8], wanted: Value| code(&ToolSift::from_index(index, settings(wanted)));
    let stale = |part: &str| Some((ErrorCode::IndexStale, part.to_owned()));
    assert_eq!(load(&index, wanted()), None);
    let mut free = wanted();
    free["profile"] = json!("bridge");
    free["limits"] = json!({ "tools": 60 });
    assert_eq!(load(&index, free), None, "what the words do not depend on is free");
    let mut other = wanted();
    other["synonyms"] = json!([["pebble", "tickets"]]);
    assert_eq!(
        load(&index, other),
        stale("the index is stale: it was built with other options.synonyms; build it again with these")
    );
    let mut other = wanted();
    other["synonyms"] = json!([["pebble"], ["ticket"]]);
    assert_eq!(
        load(&index, other),
        stale("the index is stale: it was built with other options.synonyms; build it again with these")
    );
    let mut other = wanted();
    other["search"] = json!({});
    assert_eq!(
        load(&index, other),
        stale("the index is stale: it was built with other options.search.without; build it again with these")
    );

    // Of the head the format comes first, then the version.
    for (at, byte, part) in [(8, 15, "(format 15)"), (10, b'9', "toolsift \"9.")] {
        let mut other = index.clone();
        other[at] = byte;
        let (code, message) = load(&other, wanted()).unwrap();
        assert_eq!(code, ErrorCode::IndexStale);
        assert!(message.contains(part) && message.ends_with("build it again with this version"), "{message}");
    }
}

#[test]
fn bounds_and_names_hold_as_for_registered_tools() {
    let index = of(json!({}), MCP60).export_index();
    let full = ToolSift::from_index(&index, settings(json!({ "limits": { "tools": 59 } })));
    assert_eq!(code(&full), Some((ErrorCode::CatalogFull, "the index holds 60 tools; at most 59".to_owned())));

    // Names of discovery tools of another profile than the one that the index was made under.
    let tools = json!([{ "name": "tool_call", "server": "s" }, { "name": "s__tool_call" }]).to_string();
    let sift = of(json!({ "profile": "search-add" }), &tools);
    assert_eq!(names_of(&sift), ["tool_call", "s__tool_call"]);
    let loaded = ToolSift::from_index(&sift.export_index(), settings(json!({ "profile": "bridge" }))).unwrap();
    assert_eq!(names_of(&loaded), ["s__tool_call_2", "s__tool_call"]);
    assert_eq!(loaded.tool("tool_call"), None);
    let sift = of(json!({ "profile": "search-add" }), r#"[{"name":"tool_call"}]"#);
    let reserved = ToolSift::from_index(&sift.export_index(), settings(json!({ "profile": "bridge" })));
    assert_eq!(code(&reserved).unwrap().0, ErrorCode::NameReserved);
    let filled = of(json!({ "profile": "bridge" }), r#"[{"name":"a"}]"#);
    assert_eq!(code(&filled.load(&index)).unwrap().0, ErrorCode::IndexInvalid);
    assert_eq!(names_of(&filled), ["a"]);
}
