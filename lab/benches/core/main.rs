//! Times the core natively: building a catalog, queries of every kind, every ranker, calls, and assembling a request.
//!
//! `cargo bench -p toolsift-bench` runs all of them, and with `-- search` those whose names hold the word. `npm run bench`
//! measures the same through the npm package, beside other libraries.

#![allow(clippy::unwrap_used)]

mod catalog;

use catalog::{Server, catalog};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use toolsift::bindings::options;
use toolsift::{Format, Outcome, RegisterOptions, ToolSift};

const SIZES: [usize; 2] = [1_000, 10_000];
/// Hits of a search.
const LIMIT: usize = 10;
/// Tools that a request has revealed.
const REVEALED: usize = 10;

/// Queries by kind; the words of each stand in several of the tools.
const QUERIES: [(&str, &str); 6] = [
    ("3 words", "create calendar event"),
    ("12 words", "open a new issue in the repository and assign it to somebody"),
    ("story", STORY),
    ("typo", "craete calender event"),
    ("pattern", "/create.*(issue|event)/"),
    ("select", "select:github-0__create_issue,calendar-0__create_event"),
];
const STORY: &str = "yesterday a customer wrote that the page of their last invoice does not open any more, so please \
    look for the message in the channel of the team, find the file that was attached to it, then open an issue in the \
    repository with the text of the message, and tell the owner of the project when there is time for a meeting \
    in the calendar this week";

fn built(servers: &[Server]) -> ToolSift {
    built_with(servers, "sift")
}

fn built_with(servers: &[Server], ranker: &str) -> ToolSift {
    let wanted = serde_json::json!({ "limits": { "tools": SIZES[1] }, "search": { "ranker": ranker } });
    let sift = ToolSift::new(options::settings(&serde_json::from_value(wanted).unwrap()).unwrap());
    for Server { name, tools } in servers {
        let options = RegisterOptions::default().server(name.as_str());
        let report = sift.register(tools, &options).unwrap();
        assert!(report.rejected.is_empty(), "{:?}", report.rejected);
    }
    sift
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build and search");
    group.sample_size(10);
    for tools in SIZES {
        let servers = catalog(tools);
        group.bench_with_input(BenchmarkId::from_parameter(tools), &servers, |bencher, servers| {
            bencher.iter(|| built(servers).search(QUERIES[0].1).limit(LIMIT).run().unwrap().hits.len());
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    for tools in SIZES {
        let sift = built(&catalog(tools));
        let mut group = criterion.benchmark_group(format!("search {tools}"));
        for (kind, query) in QUERIES {
            assert!(!sift.search(query).limit(LIMIT).run().unwrap().hits.is_empty(), "{query}");
            group.bench_function(kind, |bencher| {
                bencher.iter(|| sift.search(black_box(query)).limit(LIMIT).run().unwrap().hits.len());
            });
        }
        group.finish();
    }
}

/// The rankers of the published systems; no tool matches the query as a pattern, so that the fuzzy step answers.
fn rankers(criterion: &mut Criterion) {
    for tools in SIZES {
        let servers = catalog(tools);
        let mut group = criterion.benchmark_group(format!("ranker {tools}"));
        for ranker in ["bm25", "overlap", "parts", "pattern"] {
            let sift = built_with(&servers, ranker);
            assert!(!sift.search(QUERIES[0].1).limit(LIMIT).run().unwrap().hits.is_empty(), "{ranker}");
            group.bench_function(ranker, |bencher| {
                bencher.iter(|| sift.search(black_box(QUERIES[0].1)).limit(LIMIT).run().unwrap().hits.len());
            });
        }
        group.finish();
    }
}

fn sessions(criterion: &mut Criterion) {
    for tools in SIZES {
        let sift = built(&catalog(tools));
        let names: Vec<String> =
            sift.tools().unwrap().iter().step_by(tools / REVEALED).map(|tool| tool.name.to_string()).collect();
        sift.session("chat", None).unwrap().reveal(&names).unwrap();
        let mut group = criterion.benchmark_group(format!("session {tools}"));
        group.bench_function("call search_tools", |bencher| {
            let arguments = format!(r#"{{"query": "{}"}}"#, QUERIES[0].1);
            let mut number = 0_usize;
            bencher.iter(|| {
                number += 1;
                // A conversation that asks the same again is answered otherwise.
                sift.session(&number.to_string(), None).unwrap().call("search_tools", &arguments).unwrap()
            });
        });
        group.bench_function("call a tool", |bencher| {
            bencher.iter(|| {
                let outcome = sift.session("chat", None).unwrap().call(&names[0], "{}").unwrap();
                assert!(matches!(outcome, Outcome::Dispatch { .. }));
            });
        });
        group.bench_function("assemble", |bencher| {
            bencher.iter(|| sift.session("chat", None).unwrap().assemble(Format::OpenAi).unwrap());
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = build, search, rankers, sessions
}
criterion_main!(benches);
