//! Each ingredient of our own ranker finds what it is there for.

use crate::common::sift;
use serde_json::{Value, json};
use toolsift::{Ingredient, RegisterOptions, Settings, Sidecar, ToolSift};

/// The names of what is found, best first.
fn found(sift: &ToolSift, query: &str) -> String {
    let hits = sift.search(query).limit(50).run().unwrap().hits;
    hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>().join(" ")
}

/// A tool of a name and a description.
fn tool(name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description })
}

/// The same on a server.
fn on(server: &str, name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "server": server })
}

/// Some tools, and many that have nothing to do with them.
fn among_others(tools: Value) -> Value {
    let others = (0..60).map(|at| tool(&format!("other{at}"), "Else."));
    tools.as_array().unwrap().iter().cloned().chain(others).collect()
}

/// An ingredient, a query, some tools, what is found with the ingredient, and what without it.
type Difference = (&'static str, &'static str, Value, &'static str, &'static str);

fn differences() -> Vec<Difference> {
    let city = json!({ "properties": { "city": { "type": "string" } } });
    vec![
        ("stems", "category", json!([tool("a", "Lists categories."), tool("b", "Else.")]), "a", ""),
        (
            "stop-words",
            "the bug for me",
            json!([tool("a", "For me the most of the me."), tool("b", "Reports a bug.")]),
            "b",
            "a b",
        ),
        ("synonyms", "remove appointment", json!([tool("a", "Deletes an event."), tool("b", "Else.")]), "a", ""),
        (
            "relatives",
            "archive",
            json!([tool("a", "The archivist."), tool("b", "The archive."), tool("c", "Else.")]),
            "b a",
            "b",
        ),
        ("repair", "wether", json!([tool("a", "The weather."), tool("b", "Else.")]), "a", ""),
        (
            "parameters",
            "city",
            json!([{ "name": "a", "description": "Weather.", "inputSchema": city }, tool("b", "Else.")]),
            "a",
            "",
        ),
        (
            "sentences",
            "book a table",
            json!([{ "name": "a", "title": "Table", "description": "Books." }, tool("b", "Books table.")]),
            "b a",
            "a b",
        ),
        (
            "names",
            "please send",
            json!([tool("send_note", "Send words to people."), tool("send", "Thing.")]),
            "send send_note",
            "send_note send",
        ),
        (
            "servers",
            "ledger invoice",
            json!([on("x", "pay_ledger", "Pays an invoice."), on("ledger", "b", "Pays an invoice.")]),
            "b pay_ledger",
            "pay_ledger b",
        ),
        (
            "intents",
            "weather forecast of a city, weather history of a city, mute",
            among_others(json!(["a", "b", "c", "d", "e", "mute"].map(|name| match name {
                "mute" => tool(name, "Silence."),
                _ => tool(name, "Weather history and forecast of a city."),
            }))),
            "a b c d mute e",
            "a b c d e mute",
        ),
        (
            "identity",
            "run",
            json!([tool("run_runs", "Run runs of runs."), tool("run", "Else.")]),
            "run run_runs",
            "run_runs run",
        ),
        (
            "effects",
            "which invoices are there",
            json!([
                tool("create_invoice", "Invoices of customers."),
                tool("get_invoice_list", "Invoices of customers.")
            ]),
            "get_invoice_list create_invoice",
            "create_invoice get_invoice_list",
        ),
    ]
}

#[test]
fn each_ingredient_makes_a_difference() {
    let differences = differences();
    for (ingredient, query, tools, with, without) in &differences {
        assert_eq!(found(&sift(json!({}), tools), query), *with, "{query} with {ingredient}");
        let rest = json!({ "search": { "without": [ingredient] } });
        assert_eq!(found(&sift(rest, tools), query), *without, "{query} without {ingredient}");
    }
    for (name, _) in Ingredient::ALL.iter().filter(|(name, _)| *name != "coverage") {
        assert!(differences.iter().any(|(ingredient, ..)| ingredient == name), "{name} is not tried");
    }
}

#[test]
fn what_covers_half_of_a_query_loses_by_it() {
    let tools = json!([tool("a", "An invoice."), tool("b", "An invoice and a photo.")]);
    let scores = |without: &[&str]| {
        let hits =
            sift(json!({ "search": { "without": without } }), &tools).search("invoice photo").run().unwrap().hits;
        let score = |name: &str| hits.iter().find(|hit| &*hit.name == name).unwrap().score;
        (score("a"), score("b"))
    };
    let (with, without) = (scores(&[]), scores(&["coverage"]));
    assert!(with.0 < without.0 && with.1 == without.1, "{with:?} {without:?}");
}

#[test]
fn what_counts_nothing_changes_nothing() {
    // A word of a parameter, however often, is worth as much as none where parameters are left out.
    let city = json!({ "properties": { "city": { "description": "A city.", "enum": ["city"] } } });
    let tools = json!([
        { "name": "a", "description": "Else.", "tags": ["city"] },
        { "name": "b", "description": "Else.", "tags": ["city"], "inputSchema": city },
        tool("c", "A photo."),
    ]);
    let sift = sift(json!({ "search": { "without": ["parameters"] } }), &tools);
    let hits = sift.search("city photo").run().unwrap().hits;
    let score = |name: &str| hits.iter().find(|hit| &*hit.name == name).unwrap().score;
    assert_eq!(score("a"), score("b"));
}

#[test]
fn parameters_are_read_wherever_a_schema_keeps_them() {
    let within = json!({ "properties": { "filter": { "properties": { "harbour": {} } } } });
    for (place, schema) in [
        ("a name within a parameter", within),
        ("a description", json!({ "properties": { "x": { "description": "Which harbour." } } })),
        ("a title", json!({ "properties": { "x": { "title": "The harbour" } } })),
        ("a camelCase name", json!({ "properties": { "homeHarbour": {} } })),
        ("an alternative", json!({ "properties": { "x": { "anyOf": [{ "type": "null" }, { "title": "Harbour" }] } } })),
        ("one of several", json!({ "properties": { "x": { "oneOf": [{ "properties": { "harbour": {} } }] } } })),
        ("all of several", json!({ "allOf": [{ "properties": { "harbour": {} } }] })),
        ("the items of a list", json!({ "properties": { "x": { "items": { "description": "A harbour." } } } })),
        ("items in order", json!({ "properties": { "x": { "prefixItems": [{}, { "description": "A harbour." }] } } })),
        ("a value", json!({ "properties": { "x": { "enum": ["airport", 7, null, "harbour"] } } })),
        ("the only value", json!({ "properties": { "x": { "const": "harbour" } } })),
        ("free keys", json!({ "additionalProperties": { "description": "By harbour." } })),
        ("keys of a pattern", json!({ "patternProperties": { "^harbour_": {} } })),
        (
            "a reference",
            json!({ "properties": { "x": { "$ref": "#/$defs/y" } }, "$defs": { "y": { "title": "Harbour" } } }),
        ),
        (
            "a reference into an older place, with escapes",
            json!({ "properties": { "x": { "$ref": "#/definitions/a~1b" } },
                "definitions": { "a/b": { "$ref": "#/definitions/c" }, "c": { "title": "Harbour" } } }),
        ),
        (
            "a schema that refers to itself",
            json!({ "properties": { "x": { "$ref": "#" }, "y": { "items": { "$ref": "#/properties/y" } }, "harbour": {} } }),
        ),
    ] {
        let with = json!({ "name": "a", "description": "Tides.", "inputSchema": schema });
        let sift = sift(json!({}), &json!([tool("b", "Tides."), with]));
        assert_eq!(found(&sift, "harbour"), "a", "{place}");
        assert_eq!(found(&sift, "tides harbour"), "a b", "{place}");
    }
    let unused = json!({ "properties": { "x": { "$ref": "https://example.com/harbour" }, "y": { "$ref": "#/nowhere" } },
        "$defs": { "z": { "title": "Harbour" } } });
    let sift = sift(json!({}), &json!([{ "name": "a", "inputSchema": unused }]));
    assert_eq!(found(&sift, "harbour"), "", "what no parameter refers to");
    let third = json!({ "properties": { "x": { "items": { "properties": { "y": { "properties": {
        "harbour": { "description": "A harbour." } } } } } } } });
    let sift = crate::search::sift(json!({}), &json!([{ "name": "a", "inputSchema": third }]));
    assert_eq!(found(&sift, "harbour"), "", "the third level");
}

#[test]
fn a_host_adds_words() {
    let tools = json!([tool("a", "Assigns a squad."), tool("b", "Opens a pull request."), tool("c", "Else.")]);
    let plain = sift(json!({}), &tools);
    for query in ["crew", "CREWS", "zq"] {
        assert_eq!(found(&plain, query), "", "{query}");
    }
    let taught = sift(json!({ "synonyms": [["crew", "Squad"], ["ZQ", "pull request"], [], ["only"]] }), &tools);
    for (query, names) in [("crew", "a"), ("CREWS", "a"), ("squads", "a"), ("zq", "b"), ("remove crew", "a")] {
        assert_eq!(found(&taught, query), names, "{query}");
    }
}

#[test]
fn a_host_says_what_words_are_said_for() {
    let tools = json!([
        tool("a", "Creates an invoice."),
        tool("b", "Deletes an invoice. Ledger."),
        tool("c", "Bill of materials."),
        tool("d", "指図する"),
        tool("e", "Widgets."),
    ]);
    let table = "# people's words\n\nrechnung invoice\nledger widget:0.3\nlosch delete:0.6\nich\n請求書 invoice:1\n\
                 請求 bill:0.8\n作成 create:0.9\n指図 widget:1";
    let taught = sift(json!({ "translations": table }), &tools);
    let plain = sift(json!({}), &tools);
    for (query, before, names) in [
        ("Rechnung", "", "a b"),
        ("RECHNUNGS", "", "a b"),
        ("lösch rechnung", "", "b a"),
        // The word itself counts more than what it is said for, and what has both more than the word alone.
        ("ledger", "b", "b e"),
        // Runs without blanks: the longest word of the table, no pair across its end, and what a tool has itself.
        ("請求書を作成して", "", "a b"),
        ("請求する", "d", "c d"),
        ("指図", "d", "d e"),
        // Nothing of a long text is translated.
        (&format!("rechnung {}", "x ".repeat(100)), "", ""),
    ] {
        assert_eq!(found(&plain, query), before, "{query}");
        assert_eq!(found(&taught, query), names, "{query}");
    }
    // A tool for which people's words were written has what they say, but for words that no tool has.
    let worded = ToolSift::new(Settings::from_options(&json!({ "translations": table })).unwrap());
    let words = Sidecar::read(r#"{"name":"e","keywords":["gizmo"]}"#).unwrap();
    worded.register(&tools, &RegisterOptions::default().enrichment(words)).unwrap();
    assert_eq!(found(&worded, "ledger"), "b");
    assert_eq!(found(&worded, "gizmo"), "e");
    let unknown = |sift: &ToolSift, query| sift.search(query).run().unwrap().verdict.unwrap().unknown_words;
    assert_eq!(unknown(&taught, "ich rechnung kaufen"), ["kaufen"], "a word that is said for nothing is passed over");
    assert_eq!(unknown(&plain, "ich rechnung kaufen"), ["ich", "rechnung", "kaufen"]);
}

#[test]
fn every_script_is_searched() {
    let tools = json!([
        tool("a", "画像を検索します。"),
        tool("b", "天気予報を取得する"),
        tool("c", "Создать новую задачу для Ёлки"),
        tool("d", "Größe eines Fotos ändern"),
        tool("e", "พยากรณ์อากาศวันนี้"),
        tool("f", "파일을 삭제합니다"),
        tool("g", "Đặt lịch hẹn ở Zürich"),
        tool("h", "إرسال رسالة"),
        tool("i", "पुस्तक खोजें"),
    ]);
    let sift = sift(json!({}), &tools);
    for (query, name) in [
        ("検索", "a"),
        ("画像検索", "a"),
        ("天気", "b"),
        ("задачу", "c"),
        ("ЗАДАЧУ", "c"),
        ("елки", "c"),
        ("GRÖSSE", "d"),
        ("groesse größe", "d"),
        ("grosse", "d"),
        ("a\u{308}ndern", "d"),
        ("อากาศ", "e"),
        ("파일", "f"),
        ("dat lich hen", "g"),
        ("Zu\u{308}rich", "g"),
        ("ＺÜＲＩＣＨ", "g"),
        ("رسالة", "h"),
        ("पुस्तक", "i"),
    ] {
        assert_eq!(found(&sift, query).split(' ').next(), Some(name), "{query}");
    }
}

#[test]
fn equals_stand_in_catalog_order() {
    let names: Vec<String> = (0..40).map(|at| format!("tool{}", (at * 17) % 40)).collect();
    let of = |text: &str| json!(names.iter().map(|name| tool(name, text)).collect::<Vec<_>>());
    let sift = sift(json!({}), &of("Waters the garden."));
    assert_eq!(found(&sift, "water gardens"), names.join(" "));
    let hits = sift.search("water gardens").run().unwrap().hits;
    assert!(hits.iter().all(|hit| hit.score == hits[0].score));

    sift.unregister(None, Some(&names[..20])).unwrap();
    sift.register(&of("Waters the garden.").to_string(), &RegisterOptions::default()).unwrap();
    let order = [&names[20..], &names[..20]].concat();
    assert_eq!(found(&sift, "water gardens"), order.join(" "), "those that came back stand last");
}

#[test]
fn a_catalog_that_changed_answers_like_a_new_one() {
    let week = |at: usize| {
        let text = format!("Lists invoices of week w{at}q. Also foldea{at} foldeb{at} sendx{at} photo{at}s.");
        json!([on("books", "open_folder", "Opens a folder of invoices."), on("books", &format!("list_{at}"), &text)])
    };
    let sift = sift(json!({}), &json!([on("mail", "send_mail", "Sends a photo in a mail.")]));
    for at in 0..600 {
        sift.sync("books", &week(at).to_string(), &RegisterOptions::default()).unwrap();
        if at % 50 != 49 {
            continue;
        }
        let new = self::sift(json!({}), &json!([on("mail", "send_mail", "Sends a photo in a mail.")]));
        new.sync("books", &week(at).to_string(), &RegisterOptions::default()).unwrap();
        for query in ["foldex", "sendd mail", "invoices week", "w1q photo", "list", "books mail", "photos, folders"] {
            let (changed, fresh) = (sift.search(query).run().unwrap(), new.search(query).run().unwrap());
            assert_eq!(changed, fresh, "{query} after {at} weeks");
        }
    }
}
