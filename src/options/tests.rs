//! 1. Known options are accepted.
//! 2. Unknown options are refused with their path, their value and the allowed ones.

use super::*;
use crate::assembly::{Activation, Disclosure};
use crate::discovery::{Reveal, UnrevealedCall};
use crate::error::ErrorCode;
use serde_json::json;

use crate::profile::Settings;
use crate::search::{Cutoff, Ranker};
use crate::session::Scope;

fn value(json: &str) -> OptionValue {
    serde_json::from_str(json).unwrap_or_else(|e| panic!("{json}: {e}"))
}

fn refusal(json: &str) -> (ErrorCode, String) {
    match settings(&value(json)) {
        Err(error) => (error.code(), error.message().to_owned()),
        Ok(_) => panic!("{json} was taken"),
    }
}

#[test]
fn options_change_the_profile() {
    let json = r#"{"profile":{"name":"search-add","specialCategories":["c"]},"contextWindow":200000,"activation":{"contextShare":0.1},"disclosure":"names",
        "reveal":"search","unrevealedCall":"run","search":{"ranker":"bm25","hits":3,"maxHits":9,"cutoff":"half-of-best"},"preDiscovered":["a"],"alwaysAvailable":["b"],
        "aliases":{"d":"e"},"categories":["f"],"selection":{"servers":["g"]},
        "limits":{"tools":7,"sessions":8,"revealed":9}}"#;
    let changed = settings(&value(json)).unwrap_or_else(|e| panic!("{e}"));
    let default = settings(&value(r#"{"profile":"search-add"}"#)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((changed.assembly.activation, changed.assembly.context_share), (Activation::ContextShare, 0.1));
    assert_eq!(changed.assembly.context_window, Some(200_000));
    assert_eq!(changed.assembly.disclosure, Disclosure::Names);
    assert_eq!(changed.assembly.categories, ["f"]);
    assert_eq!(changed.discovery.reveal, Reveal::OnSearch);
    assert_eq!(changed.discovery.unrevealed_call, UnrevealedCall::Run);
    let search = changed.discovery.search;
    assert_eq!((search.ranker, search.hits, search.most_hits), (Ranker::Bm25, Some(3), 9));
    assert_eq!((search.cutoff, search.grammar), (Cutoff::HalfOfBest, default.discovery.search.grammar));
    assert_eq!(changed.discovery.aliases.get("d").map(String::as_str), Some("e"));
    let bare = |names: &crate::catalog::ToolNames| names.bare().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(bare(&changed.eligibility.lists.pre_discovered), ["a"]);
    assert!(bare(&changed.eligibility.lists.always_available).contains(&"b".to_owned()));
    let own = bare(&default.eligibility.lists.always_available).len();
    assert_eq!(bare(&changed.eligibility.lists.always_available).len(), own + 1);
    assert_eq!(changed.eligibility.rules.exempt, ["c"]);
    assert_ne!(changed.eligibility.selection, default.eligibility.selection);
    assert_eq!((changed.most_tools, changed.most_sessions, changed.discovery.bounds.tools), (7, 8, 9));
    assert_eq!(settings(&OptionValue::Null), Ok(Settings::default()));
}

#[test]
fn an_activation_is_read_and_told_alike() {
    for (json, activation) in [
        (r#""on""#, Activation::On),
        (r#""off""#, Activation::Off),
        (r#""auto""#, Activation::Auto),
        (r#"{"tools":7}"#, Activation::Tools(7)),
        (r#"{"tokens":9000}"#, Activation::Tokens(9_000)),
        (r#"{"contextShare":0.5}"#, Activation::ContextShare),
    ] {
        let read = settings(&value(&format!(r#"{{"activation":{json}}}"#))).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.assembly.activation, activation);
        assert_eq!(read.info()["activation"].to_string(), json);
    }
    let (code, message) = refusal(r#"{"activation":{"tools":7,"tokens":9}}"#);
    assert!(code == ErrorCode::OptionInvalid && message.contains("{ tokens }"), "{message}");
    assert_eq!(refusal(r#"{"activation":{"tokens":1e9}}"#).0, ErrorCode::LimitOutOfRange);
}

#[test]
fn a_misspelt_option_is_refused_with_the_nearest_key() {
    let (code, message) = refusal(r#"{"disclosur":"names"}"#);
    assert_eq!(code, ErrorCode::OptionUnknown);
    assert!(message.contains("did you mean disclosure?"), "{message}");
    let (code, message) = refusal(r#"{"limits":{"session":1}}"#);
    assert_eq!(code, ErrorCode::OptionUnknown);
    assert!(message.contains("options.limits") && message.contains("sessions"), "{message}");
    let (_, message) = refusal(r#"{"qqqqqq":1}"#);
    assert!(message.contains("contextWindow"), "nothing is near, so all are listed: {message}");
}

#[test]
fn wrong_values_are_named() {
    for (json, code, part) in [
        ("[]", ErrorCode::OptionInvalid, "a list of 0"),
        (r#"{"profile":"search-ad"}"#, ErrorCode::OptionInvalid, "did you mean search-add?"),
        (r#"{"profile":7}"#, ErrorCode::OptionInvalid, "options.profile is 7"),
        (r#"{"contextWindow":"big"}"#, ErrorCode::OptionInvalid, "\"big\""),
        (r#"{"contextWindow":0}"#, ErrorCode::LimitOutOfRange, "0; 1 to"),
        (r#"{"limits":{"tools":1.5}}"#, ErrorCode::OptionInvalid, "a whole number"),
        (r#"{"limits":{"tools":1000000000}}"#, ErrorCode::LimitOutOfRange, "1000000000"),
        (r#"{"search":{"ranker":"bm52"}}"#, ErrorCode::OptionInvalid, "did you mean bm25?"),
        (r#"{"search":{"without":["stem"]}}"#, ErrorCode::OptionInvalid, "did you mean stems?"),
        (r#"{"synonyms":[["a","b"],"c"]}"#, ErrorCode::OptionInvalid, "options.synonyms.1 is \"c\""),
        (
            r##"{"translations":"# bill\nbill invoice:"}"##,
            ErrorCode::OptionInvalid,
            "translations line 2 is \"bill invoice:\"",
        ),
        (r#"{"translations":"e-mail mail:1"}"#, ErrorCode::OptionInvalid, "options.translations line 1"),
        (r#"{"translations":"a b:0"}"#, ErrorCode::OptionInvalid, "line 1"),
        (r#"{"translations":["a b:1"]}"#, ErrorCode::OptionInvalid, "options.translations is a list of 1"),
        (r#"{"search":{"hits":0}}"#, ErrorCode::LimitOutOfRange, "options.search.hits is 0"),
        (r#"{"profile":{"name":"sift","config":{}}}"#, ErrorCode::OptionInvalid, "no configuration of its own"),
        (r#"{"profile":{"config":{}}}"#, ErrorCode::OptionInvalid, "an object with a name"),
        (r#"{"profile":{"name":"stub","threshold":1}}"#, ErrorCode::OptionUnknown, "options.profile has no"),
        (r#"{"activation":{}}"#, ErrorCode::OptionInvalid, "options.activation"),
        (r#"{"activation":"automatic"}"#, ErrorCode::OptionInvalid, "one of on, off, auto, { tools }"),
        (r#"{"preDiscovered":["a",1]}"#, ErrorCode::OptionInvalid, "options.preDiscovered.1 is 1"),
        (r#"{"preDiscovered":" "}"#, ErrorCode::OptionInvalid, "a list of strings"),
        (r#"{"aliases":{"a":"a"}}"#, ErrorCode::AliasInvalid, "\"a\""),
        (r#"{"selection":{"servers":"github"}}"#, ErrorCode::OptionInvalid, "options.selection.servers"),
    ] {
        let (got, message) = refusal(json);
        assert_eq!(got, code, "{json}: {message}");
        assert!(message.contains(part), "{json}: {message}");
    }
    for number in [f64::NAN, f64::INFINITY, -1.0] {
        let options = OptionValue::Map(vec![("contextWindow".into(), OptionValue::Number(number))]);
        let message = settings(&options).map_err(|e| (e.code(), e.message().to_owned()));
        assert!(
            matches!(&message, Err((ErrorCode::LimitOutOfRange, m)) if m.contains(&number.to_string())),
            "{message:?}"
        );
    }
}

#[test]
fn endless_nesting_is_refused() {
    let deep = format!("{}1{}", r#"{"a":"#.repeat(50), "}".repeat(50));
    assert!(serde_json::from_str::<OptionValue>(&deep).is_err_and(|e| e.to_string().contains("8 levels")));
}

#[test]
fn what_cannot_work_together_is_refused_with_the_reason() {
    for (json, part) in [
        (r#"{"profile":"search-add","reveal":"never"}"#, "could never be called"),
        (r#"{"profile":"search-add","disclosure":"full"}"#, "calls must be allowed"),
        (r#"{"profile":"select-load","reveal":"add"}"#, "which this profile has not"),
    ] {
        let (code, message) = refusal(json);
        assert_eq!(code, ErrorCode::OptionConflict, "{json}: {message}");
        assert!(message.contains(part), "{json}: {message}");
    }
    for json in [
        r#"{"reveal":"never","unrevealedCall":"allow"}"#,
        r#"{"profile":"stub","search":{"ranker":"bm25"},"disclosure":"short-stubs"}"#,
        r#"{"profile":"bridge","reveal":"search"}"#,
        r#"{"profile":"select","disclosure":"full"}"#,
    ] {
        assert!(settings(&value(json)).is_ok(), "{json}");
    }
}

#[test]
fn own_configurations_are_read_as_their_systems_read_them() {
    let info =
        |json: &str| settings(&value(json)).map(|settings| settings.info()).unwrap_or_else(|e| panic!("{json}: {e}"));
    let switch =
        |config: &str| info(&format!(r#"{{"profile":{{"name":"bridge","config":{config}}}}}"#))["activation"].clone();
    let share = |context_share: f64| json!({ "contextShare": context_share });
    assert_eq!(switch("true"), share(0.1), "the older form of yes");
    assert_eq!(switch("false"), "off");
    assert_eq!(switch(r#"{"enabled":true}"#), "on");
    assert_eq!(switch(r#"{"enabled":" NO "}"#), "off");
    assert_eq!(switch(r#"{"enabled":null,"threshold_pct":"250"}"#), share(1.0));
    assert_eq!(switch(r#"{"threshold_pct":"x"}"#), share(0.1));
    let search = info(
        r#"{"profile":{"name":"bridge","config":{"max_search_limit":"70","search_default_limit":60.9}}}"#,
    )["search"]
        .clone();
    assert_eq!((&search["hits"], &search["maxHits"]), (&json!(50), &json!(50)));
    let search = info(r#"{"profile":{"name":"bridge","config":{"max_search_limit":"7.9","search_default_limit":-3}}}"#)
        ["search"]
        .clone();
    assert_eq!((&search["hits"], &search["maxHits"]), (&json!(1), &json!(20)));

    let stub =
        |config: &str| info(&format!(r#"{{"profile":{{"name":"stub","config":{config}}}}}"#))["activation"].clone();
    assert_eq!(stub(r#"{"threshold":3}"#), json!({ "tools": 3 }));
    for config in ["{}", "null", "7", r#"{"threshold":-1}"#, r#"{"threshold":"3"}"#, r#"{"threshold":2.5}"#] {
        assert_eq!(stub(config), json!({ "tools": 15 }), "{config}");
    }
}

#[test]
fn a_scope_that_is_missing_is_not_everything() {
    for (json, part) in [
        (r#"{"scope":null}"#, "options.scope is null or undefined; leave the key out or say \"all\""),
        (r#"{"scope":"everything"}"#, "\"all\""),
        (r#"{"scope":["github"]}"#, "an object of servers and tools"),
        (r#"{"scope":{"servers":"github"}}"#, "a list of strings"),
    ] {
        for read in [|json: &str| session(&value(json)), |json: &str| restore(&value(json)).map(|read| read.scope)] {
            let error = read(json).err().unwrap_or_else(|| panic!("{json} was taken"));
            assert!(error.code() == ErrorCode::OptionInvalid && error.message().contains(part), "{json}: {error}");
        }
    }
    assert_eq!(session(&value("{}")), Ok(None));
    assert_eq!(session(&value(r#"{"scope":"all"}"#)), Ok(Some(Scope::All)));
    assert_eq!(session(&value(r#"{"scope":{}}"#)), Ok(Some(Scope::new::<&str>(&[], &[]))));
    assert_eq!(scope(&value(r#"{"servers":["a"]}"#)), Ok(Scope::new(&["a"], &[])));
    for json in ["null", "7", "[]", r#""a""#] {
        assert_eq!(scope(&value(json)).map_err(|e| e.code()), Err(ErrorCode::OptionInvalid), "{json}");
    }
    assert_eq!(search(&value(r#"{"session":null}"#)).map_err(|e| e.code()), Err(ErrorCode::OptionInvalid));
    assert_eq!(refusal(r#"{"selection":null}"#).0, ErrorCode::OptionInvalid);
}
