//! The query language beside words: `select:`, `/pattern/`, `+must`, `-not`, `server:` and lines, over a small catalog.
//!
//! 1. Each form finds what it says, in any case and with any blanks around it.
//! 2. Forms that mean nothing here are words, and no query at all is an error.
//! 3. What names nothing finds nothing.

use serde_json::json;
use toolsift::{Confidence, RegisterOptions, SearchResult, Stage, ToolSift};

fn sift() -> ToolSift {
    let tools = json!([
        { "name": "create_issue", "server": "github", "description": "Opens a bug report." },
        { "name": "list_issues", "server": "github", "description": "Lists bug reports." },
        { "name": "create_issue", "server": "linear", "description": "Opens a ticket." },
        { "name": "send_message", "server": "google-chat", "description": "Posts to a room.", "tags": ["urgent"] },
        { "name": "readFile", "description": "Reads a text from disk.", "search_hint": "cat slurp" },
        { "name": "translate", "description": "文を翻訳する" },
    ]);
    let sift = ToolSift::new(Default::default());
    let report = sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    let names: Vec<&str> = report.registered.iter().map(|name| &**name).collect();
    let unique = "create_issue list_issues linear__create_issue send_message readFile translate";
    assert_eq!(names.join(" "), unique, "a name that is taken is qualified");
    sift
}

fn search(sift: &ToolSift, query: &str) -> SearchResult {
    sift.search(query).run().unwrap_or_else(|error| panic!("{query:?}: {error}"))
}

/// The names of what is found, best first.
fn found(sift: &ToolSift, query: &str) -> String {
    search(sift, query).hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_form_finds_what_it_says() {
    let sift = sift();
    for (query, stage, names) in [
        ("select:readFile", Stage::Select, "readFile"),
        ("  SELECT: translate , list_issues ", Stage::Select, "translate list_issues"),
        ("select:list_issues,\nread_file,,list_issues", Stage::Select, "list_issues readFile"),
        ("select:create_issue", Stage::Select, "create_issue"),
        ("select:CreateIssue", Stage::Select, "create_issue linear__create_issue"),
        ("select:linear:create_issue", Stage::Select, "linear__create_issue"),
        ("select:Linear.createIssue,github/list-issues", Stage::Select, "linear__create_issue list_issues"),
        ("select:nope,translate", Stage::Select, "translate"),
        ("/^create_/", Stage::Pattern, "create_issue"),
        ("/CREATE_ISSUE$/i", Stage::Pattern, "create_issue linear__create_issue"),
        (" /bug|text/ ", Stage::Pattern, "create_issue list_issues readFile"),
        ("/翻訳/", Stage::Pattern, "translate"),
        ("server:github", Stage::Select, "create_issue list_issues"),
        ("Server:LINEAR", Stage::Select, "linear__create_issue"),
        ("server:googlechat", Stage::Select, "send_message"),
        ("server:Google-Chat", Stage::Select, "send_message"),
        ("server:linear server:google-chat", Stage::Select, "linear__create_issue send_message"),
        ("server:github -list", Stage::Select, "create_issue"),
        ("server:github +list", Stage::Sift, "list_issues"),
        ("server:linear issue", Stage::Sift, "linear__create_issue"),
        ("issue server:linear", Stage::Sift, "linear__create_issue"),
        ("create issue -server:linear", Stage::Sift, "create_issue list_issues"),
        ("-server:nowhere translate", Stage::Sift, "translate"),
        ("open +ticket", Stage::Sift, "linear__create_issue"),
        ("open +TICKET", Stage::Sift, "linear__create_issue"),
        ("open +createissue +bug", Stage::Sift, "create_issue"),
        ("open -ticket", Stage::Sift, "create_issue"),
        ("issue -bug", Stage::Sift, "linear__create_issue"),
        ("message -urgent", Stage::None, ""),
        ("post +urgent", Stage::Sift, "send_message"),
        ("read +slurp", Stage::Sift, "readFile"),
        ("+翻訳", Stage::Sift, "translate"),
    ] {
        let result = search(&sift, query);
        assert_eq!(found(&sift, query), names, "{query:?}");
        assert_eq!(result.stage, stage, "{query:?}");
    }
}

#[test]
fn demands_are_made_of_words() {
    let tools = json!([
        { "name": "query", "server": "git", "description": "Runs a long-term statement for issues." },
        { "name": "commit", "server": "github", "description": "Runs a statement that changes data." },
        { "name": "widget", "server": "digital", "description": "Runs an issue for long." },
    ]);
    let sift = ToolSift::new(Default::default());
    sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    for (query, names) in [
        ("run +issue", "query widget"),
        ("run +issues", "query widget"),
        ("run -issue", "commit"),
        ("run -issues", "commit"),
        ("run +long-term", "query"),
        ("run +LONG_TERM", "query"),
        ("run -long-term", "commit widget"),
        ("run server:git", "query"),
        ("run server:github", "commit"),
        ("run server:gi", "query commit"),
        ("run server:ital", "widget"),
    ] {
        let found = found(&sift, query);
        let mut found: Vec<&str> = found.split(' ').collect();
        found.sort_by_key(|name| ["query", "commit", "widget"].iter().position(|other| other == name));
        assert_eq!(found.join(" "), names, "{query}");
        let why = sift.search(query).explain("commit").unwrap();
        assert_eq!(why.reason.contains("rules it out"), !names.contains("commit"), "{query}: {why:?}");
    }
}

#[test]
fn a_server_means_all_servers_that_fit() {
    let tool = |at: usize| json!({ "name": "ping", "server": format!("team-{at}"), "description": "Pings a host." });
    let others = json!([{ "name": "ping_other", "server": "other", "description": "Pings a host." }]);
    let sift = ToolSift::new(Default::default());
    sift.register(&json!((0..40).map(tool).collect::<Vec<_>>()).to_string(), &RegisterOptions::default()).unwrap();
    sift.register(&others.to_string(), &RegisterOptions::default()).unwrap();
    for query in ["server:team", "ping server:team"] {
        let found = sift.search(query).limit(100).run().unwrap();
        assert_eq!(found.hits.len(), 40, "{query}");
    }
    // What the query itself writes is bounded: the seventeenth demand is a word, and demands nothing.
    let many: String = (0..17).map(|at| format!("server:team-{at:02} server:team-{at} ")).collect();
    assert!(sift.search(&format!("{many} ping")).limit(100).run().unwrap().hits.len() < 40);
}

#[test]
fn how_many_asks_to_count() {
    let tools = json!([
        { "name": "count", "server": "mongo", "description": "Counts the documents of a collection." },
        { "name": "insert-many", "server": "mongo", "description": "Adds several documents to a collection." },
        { "name": "delete-many", "server": "mongo", "description": "Removes documents from a collection." },
        { "name": "connect", "server": "mongo", "description": "Connects to a cluster." },
    ]);
    let sift = ToolSift::new(Default::default());
    sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    let best = |sift: &ToolSift, query: &str| found(sift, query).split(' ').next().unwrap().to_owned();
    assert_eq!(best(&sift, "how many orders do we have in mongo"), "count");
    assert_eq!(best(&sift, "How many, roughly?"), "count");
    assert_eq!(best(&sift, "insert many orders"), "insert-many");
    assert_eq!(best(&sift, "delete-many"), "delete-many");
    assert_eq!(found(&sift, "how much"), "", "an amount is nothing to count");
}

#[test]
fn what_is_no_form_is_words() {
    let sift = sift();
    for (query, names) in [
        ("select:", ""),
        ("select: , ,", ""),
        ("select:nope,no", ""),
        ("select readFile", "readFile list_issues"),
        ("please select:translate", "translate"),
        ("/(translate/", "translate"),
        ("/[translate/", "translate"),
        ("/translate", "translate"),
        ("translate/", "translate"),
        ("/usr/translate", "translate"),
        ("/nothing|matches/ ", ""),
        ("server:", ""),
        ("server:nowhere translate", "translate"),
        ("server: translate", "translate"),
        ("+ translate", "translate"),
        ("- translate", "translate"),
        ("++translate", "translate"),
        ("--translate", "translate"),
        ("-5 translate", "translate"),
        ("+1 translate", "translate"),
        ("translate -", "translate"),
        ("translate -x +", "translate"),
        ("+", ""),
        ("-", ""),
        ("+ -", ""),
        (",", ""),
        ("//", ""),
        ("/", ""),
        ("???", ""),
        ("😀", ""),
        ("\u{0}\n\t\u{202e}", ""),
        ("", ""),
        (" \n ", ""),
        ("the", ""),
    ] {
        let result = search(&sift, query);
        assert_eq!(found(&sift, query), names, "{query:?}");
        let is_none = result.stage == Stage::None && result.verdict.unwrap().confidence == Confidence::None;
        assert_eq!(is_none, names.is_empty(), "{query:?}");
    }
}

#[test]
fn demands_that_leave_nothing_are_dropped_and_said_to_be() {
    let sift = sift();
    for query in
        ["ticket +nowhere", "ticket +ticket -linear", "ticket server:github +urgent", "ticket +ticket server:github"]
    {
        let result = search(&sift, query);
        assert_eq!(result.hits.first().map(|hit| &*hit.name), Some("linear__create_issue"), "{query}");
        assert_eq!(result.verdict.unwrap().confidence, Confidence::None, "{query}");
    }
    for query in ["-translate", "-server:linear", "-translate -server:github"] {
        assert_eq!(found(&sift, query), "", "{query}: it says what to leave out, and nothing to look for");
    }
}

#[test]
fn what_is_named_is_certain() {
    let sift = sift();
    for query in
        ["select:translate", "/^translate$/", "server:linear", "translate", "read file", "list_issues, ReadFile"]
    {
        let verdict = search(&sift, query).verdict.unwrap();
        assert_eq!((verdict.confidence, verdict.unknown_words), (Confidence::High, Vec::new()), "{query}");
    }
}

#[test]
fn any_mixture_is_answered() {
    let pieces = [
        "select:",
        "/",
        "/issue/",
        "+",
        "-",
        "server:",
        "github",
        "(",
        "[a-",
        "\\",
        "issue",
        ",",
        "\n",
        " ",
        " and ",
        "翻訳",
        "é",
        "\u{301}",
        "İ",
        "ẞ",
        "😀",
        "\u{0}",
        "createIssue",
        "*",
        "{9}",
    ];
    let sift = sift();
    let mut state = 7u64;
    let mut stages = Vec::new();
    for _ in 0..3_000 {
        let mut query = String::new();
        loop {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match (state >> 33) as usize % 32 {
                at if at < pieces.len() => query += pieces[at],
                _ => break,
            }
        }
        let result = search(&sift, &query);
        assert!(result.hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)), "{query:?}");
        assert!(result.hits.is_empty() || query.contains(char::is_alphanumeric) || query.contains('/'), "{query:?}");
        if !stages.contains(&result.stage) {
            stages.push(result.stage);
        }
    }
    assert_eq!(stages.len(), 4, "each way of answering came up: {stages:?}");
}

#[test]
fn an_unknown_name_is_searched_by_its_words() {
    let tools = json!([
        { "name": "select_page", "server": "browser", "description": "Selects a page." },
        { "name": "search_text", "server": "browser", "description": "Selects the text of a page." },
        { "name": "server_list", "server": "cloud", "description": "Lists the machines." },
    ]);
    let sift = ToolSift::new(Default::default());
    sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    for query in ["select:nope", "server:nope"] {
        assert_eq!(found(&sift, query), "", "{query}: the operator is no word");
    }
    assert_eq!(search(&sift, "server:nope page").verdict.unwrap().unknown_words, ["nope"]);
}

#[test]
fn slips_in_short_words_and_in_endings_are_repaired() {
    for (meant, slips) in [
        ("issue", &["isue", "isseu"][..]),
        ("slack", &["slak"]),
        ("page", &["pgae"]),
        ("customer", &["custmer", "cusotmer"]),
        ("deployment", &["deploymnt"]),
        ("attachments", &["attachmnts", "attachmetns"]),
        ("transitions", &["transtions", "transitoins"]),
        ("components", &["componnets"]),
        ("permissions", &["permissiions", "permisssions"]),
    ] {
        let tools = json!([
            { "name": "wanted", "description": format!("About {meant}.") },
            { "name": "other", "description": "Paints a wall; mails a letter." },
        ]);
        let sift = ToolSift::new(Default::default());
        sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
        for slip in slips {
            assert_eq!(found(&sift, slip), "wanted", "{slip} for {meant}");
        }
        assert_eq!(found(&sift, "mall"), "", "another letter is another word");
    }
}

#[test]
fn words_that_mean_different_things_are_not_found_for_each_other() {
    for (query, other) in [
        ("bill a customer", "Edits a custom field."),
        ("a custom shape", "Adds a customer."),
        ("which direction", "Sends a direct message."),
        ("authorize me", "Lists the author."),
    ] {
        let sift = ToolSift::new(Default::default());
        let tools =
            json!([{ "name": "paint", "description": "Paints a wall." }, { "name": "other", "description": other }]);
        sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
        assert_eq!(found(&sift, query), "", "{query}");
    }
}
