//! Tests enrichment: extra search words for tools.

use serde_json::{Value, json};
use toolsift::{
    EnrichmentReport, Error, ErrorCode, RegisterOptions, SearchedField, Settings, Sidecar, ToolSift, definition_hash,
    limits,
};

const FORECAST: &str = "Get the forecast for a place.";

fn tools() -> Value {
    json!([
        { "name": "get_forecast", "description": FORECAST },
        { "name": "list_alarms", "description": "List what wakes you." },
        { "name": "get_route", "description": "Get the way between two places." },
    ])
}

fn beside(text: &str) -> RegisterOptions {
    RegisterOptions::default().server("sky").enrichment(Sidecar::read(text).unwrap())
}

/// The report on words for so many tools, and on tools that changed since.
fn reported(enriched: usize, stale: &[&str]) -> EnrichmentReport {
    let mut report = EnrichmentReport::default();
    (report.enriched, report.stale) = (enriched, stale.iter().map(|name| (*name).into()).collect());
    report
}

fn registered(text: &str, tools: &Value) -> (ToolSift, EnrichmentReport) {
    let sift = ToolSift::new(Settings::default());
    let report = sift.register(&tools.to_string(), &beside(text)).unwrap();
    assert_eq!(report.rejected, []);
    (sift, report.enrichment.unwrap())
}

/// The keywords and queries of the first tool.
fn words(sift: &ToolSift) -> [Vec<String>; 2] {
    let tool = &sift.registered()[0];
    [tool.keywords(), tool.queries()].map(|texts| texts.iter().map(|text| text.to_string()).collect())
}

/// The tools that a search finds, best first, with the fields in which they match.
fn found(sift: &ToolSift, query: &str) -> Vec<(String, Vec<SearchedField>)> {
    let result = sift.search(query).limit(5).reasons(true).run().unwrap();
    let fields = |parts: &[toolsift::HitPart]| parts.iter().map(|part| part.field).collect();
    result.hits.iter().map(|hit| (hit.name.to_string(), fields(&hit.parts))).collect()
}

fn entry() -> Value {
    json!({
        "name": "get_forecast",
        "hash": definition_hash("get_forecast", FORECAST),
        "queries": ["do I need an umbrella?"],
        "keywords": ["rain"],
        "languages": ["en"],
    })
}

#[test]
fn both_forms_of_a_sidecar_are_read() {
    let other = json!({ "name": "list_alarms", "keywords": ["clock"] });
    let forms = [
        json!([entry(), other]).to_string(),
        format!("{}\n{other}\n", entry()),
        format!("\u{feff}\n{}\r\n\r\n  {other}", entry()),
    ];
    for form in forms {
        let (sift, report) = registered(&form, &tools());
        assert_eq!(report, reported(2, &[]), "{form}");
        assert_eq!(words(&sift), [vec!["rain"], vec!["do I need an umbrella?"]]);
        assert_eq!(found(&sift, "clock")[0].0, "list_alarms");
    }
    let alone = serde_json::to_string_pretty(&entry()).unwrap();
    assert_eq!(registered(&alone, &tools()).1, reported(1, &[]));
    let (_, report) = registered("", &tools());
    assert_eq!(report, EnrichmentReport::default());
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let long = "x".repeat(limits::ENRICHMENT_CHARS + 1);
    let many = vec!["x"; limits::ENRICHMENT_TEXTS + 1];
    let wrong = [
        ("[{}]".to_owned(), "entry 0: it needs a name or a hash"),
        ("[".to_owned(), "no JSON list"),
        ("\n7".to_owned(), "line 2: it must be an object, got 7"),
        (format!("{}\n{{\"name\":", entry()), "line 2"),
        (json!([{ "name": 7 }]).to_string(), "entry 0: name must be a string"),
        (json!([{ "name": "x".repeat(limits::LABEL_CHARS + 1) }]).to_string(), "at most 512 characters"),
        (json!([{ "hash": "ABCDEF0123456789" }]).to_string(), "16 hexadecimal digits"),
        (json!([{ "hash": "abc" }]).to_string(), "16 hexadecimal digits"),
        (
            json!([{ "name": "a", "queries": [] }, { "name": "b", "queries": "rain" }]).to_string(),
            "entry 1: queries must be a list",
        ),
        (json!([{ "name": "a", "keywords": [7] }]).to_string(), "keywords must be a list of strings, with 7"),
        (json!([{ "name": "a", "keywords": [long] }]).to_string(), "longer than 256 characters"),
        (json!([{ "name": "a", "queries": many }]).to_string(), "queries has 129 entries; at most 128"),
        (
            json!([{ "name": "a", "keyword": ["rain"] }]).to_string(),
            "entry 0: keyword is no field of an entry; write keywords",
        ),
        ("{\n \"name\": \"a\",\n}".to_owned(), "entries are a JSON list, or one object a line"),
        (r#"[{ "name": "a", "queries": ["\ud83d"] }]"#.to_owned(), "half a surrogate pair"),
    ];
    for (text, part) in wrong {
        let error: Error = Sidecar::read(&text).unwrap_err();
        assert_eq!(error.code(), ErrorCode::EnrichmentInvalid, "{text}");
        assert!(error.message().contains(part), "{} should say {part}", error.message());
        assert!(error.message().len() < 400, "{}", error.message());
    }
}

#[test]
fn the_hash_is_of_name_and_description_without_their_white_space() {
    let hash = definition_hash("get_forecast", FORECAST);
    assert_eq!(hash, definition_hash("get_forecast", "  Get the\n\tforecast for  a place.\n"));
    let others = [
        definition_hash("get_forecasts", FORECAST),
        definition_hash("get_forecast", "Get the forecast for a place"),
        definition_hash("get_forecastGet", "the forecast for a place."),
        definition_hash("get_forecast", ""),
    ];
    assert!(others.iter().all(|other| *other != hash && other.len() == 16));
}

#[test]
fn other_words_alone_are_a_change() {
    let sift = registered(&entry().to_string(), &tools()).0;
    let report = sift.sync("sky", &tools().to_string(), &beside(&entry().to_string())).unwrap();
    assert_eq!((report.unchanged, report.changed.len()), (3, 0));
    let mut other = entry();
    other["keywords"] = json!(["snow"]);
    let report = sift.sync("sky", &tools().to_string(), &beside(&other.to_string())).unwrap();
    assert_eq!((report.unchanged, report.changed.len()), (2, 1));
    assert_eq!(found(&sift, "snow")[0].0, "get_forecast");
    assert_eq!(words(&sift)[0], ["snow"]);
}

#[test]
fn words_of_all_sources_are_joined_once_up_to_the_limit() {
    let tool = json!([{
        "name": "get_forecast", "description": FORECAST,
        "searchKeywords": ["rain", " drizzle ", ""], "searchQueries": ["is it wet outside"],
        "_meta": { "toolsift/search": { "keywords": ["rain", "hail"], "queries": ["do I need an umbrella?"] } },
    }]);
    let sift = registered(&entry().to_string(), &tool).0;
    let expected = [vec!["rain", "drizzle"], vec!["is it wet outside", "do I need an umbrella?"]];
    assert_eq!(words(&sift), expected, "what a server says for the search is kept apart");
    let hit = &sift.search("hail").run().unwrap().hits[0];
    assert_eq!(&*hit.name, "get_forecast");

    let full: Vec<String> = (0..limits::ENRICHMENT_TEXTS).map(|at| format!("w{at}")).collect();
    let tool = json!([{ "name": "get_forecast", "description": FORECAST, "searchKeywords": full }]);
    let [keywords, queries] = words(&registered(&entry().to_string(), &tool).0);
    assert_eq!((keywords.len(), queries.len()), (limits::ENRICHMENT_TEXTS, 1));
    assert!(!keywords.contains(&"rain".to_owned()), "what stands in the definition counts first");

    let queries: Vec<Value> =
        (0..100).map(|at| if at == 0 { json!(7) } else { json!(format!("book flight{at}")) }).collect();
    let said = json!({ "queries": queries, "keywords": ["hail"] });
    let tool = json!([{ "name": "get_forecast", "description": FORECAST, "_meta": { "toolsift/search": said } }]);
    let sift = registered(&entry().to_string(), &tool).0;
    let found = ["flight1", "flight32", "flight99", "hail"].map(|query| sift.search(query).run().unwrap().hits.len());
    assert_eq!(found, [1, 1, 0, 0], "a server's words are bounded together");
}

/// Requests meet the many words that a server's tools were given by chance. Where the best tool has none, these say nothing.
#[test]
fn words_of_other_servers_do_not_lower_the_confidence() {
    let pairs = |verbs: [&str; 6], nouns: [&str; 6]| -> Vec<Value> {
        let tool = |verb: &str, noun: &str| json!({ "name": format!("{verb}_{noun}"), "description": format!("{verb} one {noun}") });
        verbs.iter().flat_map(|verb| nouns.iter().map(move |noun| tool(verb, noun))).collect()
    };
    let books = pairs(
        ["create", "void", "list", "approve", "reconcile", "email"],
        ["invoice", "quote", "payment", "payslip", "account", "supplier"],
    );
    let clusters = pairs(
        ["scale", "drain", "restart", "describe", "expose", "patch"],
        ["pod", "node", "deployment", "secret", "ingress", "volume"],
    );
    let said = |tool: &Value| {
        let things = ["customer", "money", "person", "week", "paper", "office"];
        let name = tool["name"].as_str().unwrap();
        let queries = things.map(|thing| format!("can you {} of the {thing} that paid us", name.replace('_', " a ")));
        json!({ "name": name, "queries": queries }).to_string()
    };
    let words = clusters.iter().map(said).collect::<Vec<_>>().join("\n");
    let over_chance = |enrichment: Option<Sidecar>, query: &str| {
        let sift = ToolSift::new(Settings::default());
        sift.register(&books, &RegisterOptions::default().server("books")).unwrap();
        let options = RegisterOptions::default().server("cluster");
        sift.register(&clusters, &enrichment.into_iter().fold(options, RegisterOptions::enrichment)).unwrap();
        sift.search(query).run().unwrap().verdict.unwrap().over_chance.unwrap()
    };
    for query in ["send the payslip by email", "void what we quote", "approve a payment for the office"] {
        let (without, with) = (over_chance(None, query), over_chance(Some(Sidecar::read(&words).unwrap()), query));
        assert!(with >= without, "{query}: {without} without words, {with} with those of the other server");
    }
}
