//! The query language beside words: `select:`, `/pattern/`, `+must`, `-not`, `server:` and lines, over a small catalog.

use serde_json::json;
use toolsift::{RegisterOptions, SearchResult, ToolSift};

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
