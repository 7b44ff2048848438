//! Tests catalogs and queries that are built to take very long. Time is not measured: without the limits under test,
//! these tests would take minutes.

use crate::common::{self, server};
use serde_json::{Value, json};
use toolsift::{RegisterOptions, Scope, ToolSift, limits};

/// The number as a word of letters, so that no two numbers give the same word and none is an English word.
fn word(number: usize) -> String {
    let letters = (0..6).map(|place| char::from(b'a' + (number / 26usize.pow(place) % 26) as u8));
    format!("q{}q", letters.collect::<String>())
}

fn register(sift: &ToolSift, name: &str, tools: Vec<Value>) {
    common::register(sift, &json!(tools), &server(name));
}

fn first(sift: &ToolSift, query: &str) -> Option<String> {
    sift.search(query).limit(1).run().unwrap().hits.first().map(|hit| hit.name.to_string())
}

#[test]
fn a_server_that_makes_up_words_takes_a_bounded_part_of_the_index() {
    let sift = ToolSift::new(Default::default());
    const WORDS: usize = 5_000;
    let tools = limits::VOCABULARY / WORDS + 4;
    let text = |at: usize| (at * WORDS..(at + 1) * WORDS).map(|number| word(number) + " ").collect::<String>();
    register(
        &sift,
        "flood",
        (0..tools).map(|at| json!({ "name": format!("flood_{at}"), "description": text(at) })).collect(),
    );
    let calm = json!({ "name": "water_plants", "description": "Waters the plants of a greenhouse." });
    register(&sift, "calm", vec![calm]);
    assert_eq!(first(&sift, &word(7)).as_deref(), Some("flood_0"));
    let late = word((tools - 1) * WORDS + 7);
    let result = sift.search(&late).limit(1).run().unwrap();
    assert!(
        result.verdict.unwrap().unknown_words == [late]
            || result.hits[0].name.as_ref() != format!("flood_{}", tools - 1)
    );
    for query in ["greenhouse", "water the plants", "watter plants"] {
        assert_eq!(first(&sift, query).as_deref(), Some("water_plants"), "{query}");
    }
    sift.session("scoped", Some(&Scope::new(&["calm"], &[]))).unwrap();
    let scoped = sift.session("scoped", None).unwrap().search("greenhuose").limit(5).run().unwrap();
    assert_eq!((scoped.searched, scoped.hits.len()), (1, 1));
}

#[test]
fn earlier_queries_change_no_answer() {
    const TOOLS: usize = 8;
    const WORDS: usize = 5_000;
    let catalog = || {
        let sift = ToolSift::new(Default::default());
        let text = |at: usize| (at * WORDS..(at + 1) * WORDS).map(|number| word(number) + " ").collect::<String>();
        let tool = |at| json!({ "name": format!("flood_{at}"), "description": text(at) });
        register(&sift, "flood", (0..TOOLS).map(tool).collect());
        sift
    };
    // Every word of the catalog begins with the same letter, so that the third unknown word uses the bound up.
    const { assert!(3 * TOOLS * WORDS > limits::REPAIR_COMPARISONS && 2 * TOOLS * WORDS < limits::REPAIR_COMPARISONS) };
    let slips: Vec<String> = (0..4).map(|at| word(at * WORDS + 7).replacen('h', "y", 1) + "x").collect();
    let all = slips.join(" ");
    let used = catalog();
    let fresh = [&slips[0], &all, &slips[3]].map(|query| (query, catalog().search(query).run().unwrap()));
    let [first, all, last] = &fresh;
    for (query, answer) in [first, all, last, all] {
        assert!(!answer.hits.is_empty(), "{query}");
        assert_eq!(used.search(query).run().unwrap(), *answer, "{query}");
    }
}

#[test]
fn words_of_other_sessions_change_nothing() {
    let sift = ToolSift::new(Default::default());
    let tools = json!([
        { "name": "weather", "description": "Reads the forecast of a place." },
        { "name": "recommend_film", "description": "Finds a film. Recommendable ones first." },
        { "name": "water_plants", "description": "Waters the plants of a greenhouse." },
    ]);
    register(&sift, "calm", tools.as_array().unwrap().clone());
    let queries = ["weahter", "recommend", "recommendations for a filn", "grenhouse wether", "plnats of weathe"];
    let search = |sift: &ToolSift| {
        queries.map(|query| {
            sift.session("mine", None).unwrap().search(query).run().map(|found| (found.hits, found.verdict)).unwrap()
        })
    };
    sift.session("mine", None).unwrap();
    let before = search(&sift);
    assert!(before.iter().all(|(hits, _)| !hits.is_empty()), "{before:?}");
    // More words than a query may be compared with, which stand before and behind the session's in the alphabet.
    const SESSIONS: usize = 6;
    const WORDS: usize = 20_000;
    const { assert!(SESSIONS * WORDS > limits::REPAIR_COMPARISONS) };
    for session in 0..SESSIONS {
        let list = |part: usize| -> String {
            let numbers = (0..WORDS / 10).map(|at| word((session * 10 + part) * WORDS / 10 + at));
            let foreign = |(at, word): (usize, String)| match at % 4 {
                0 => format!("wa{word} recommend{} ", &word[1..4]),
                1 => format!("we{word} "),
                2 => format!("g{word} f{word} "),
                _ => format!("p{word} recommend{word} "),
            };
            numbers.enumerate().map(foreign).collect()
        };
        let tools: Vec<Value> =
            (0..10).map(|part| json!({ "name": format!("foreign_{part}"), "description": list(part) })).collect();
        let other = sift.session(&format!("other {session}"), None).unwrap();
        let report = other.sync("theirs", &json!(tools).to_string(), &RegisterOptions::default()).unwrap();
        assert_eq!(report.rejected, []);
    }
    let fresh = sift.session("fresh", None).unwrap();
    fresh.sync("x", r#"[{"name":"else","description":"Else."}]"#, &RegisterOptions::default()).unwrap();
    let hits = sift.session("fresh", None).unwrap().search("weahter").run().unwrap().hits;
    assert_eq!(&*hits[0].name, "weather");
    assert_eq!(search(&sift), before, "with what was kept");
    // A changed list makes everything that is kept anew.
    let one = r#"[{"name":"one","description":"One."}]"#;
    sift.register(one, &RegisterOptions::default()).unwrap();
    sift.unregister(None, Some(&["one".to_owned()])).unwrap();
    assert_eq!(search(&sift), before, "anew");
}
