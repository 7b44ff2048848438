//! Times toolsift beside tantivy, in memory, and the crate `bm25`, on the same tools: building an index, and queries.
//!
//! `cargo bench --manifest-path lab/benches/peers/Cargo.toml` takes minutes, most of them to compile. Times are those of the
//! processor, of all threads, so that a busy machine changes them little. lab/REPORT.md has figures, and says what differs.

#![allow(clippy::unwrap_used)]

#[path = "../core/catalog.rs"]
mod catalog;
mod cpu;
mod libraries;
mod texts;

use std::hint::black_box;
use std::time::Duration;

use bm25::SearchEngine;
use criterion::{Criterion, criterion_group, criterion_main};
use toolsift::ToolSift;

use catalog::{Server, catalog};
use cpu::Cpu;
use libraries::{Library, Tantivy};
use texts::{queries, texts};

const SIZES: [usize; 2] = [1_000, 10_000];

/// Times one library, as a row of each group.
fn library<L: Library>(criterion: &mut Criterion<Cpu>, name: &str, servers: &[Server], texts: &[String]) {
    let tools = texts.len();
    let kinds = queries(texts);
    let mut group = criterion.benchmark_group(format!("{tools} tools, build and first search"));
    group.sample_size(10);
    group.bench_function(name, |bencher| bencher.iter(|| L::build(servers, texts).search(&kinds[0].1[0])));
    group.finish();
    let library = L::build(servers, texts);
    for (kind, queries) in kinds {
        // Only toolsift takes a slip for the word that was meant.
        assert!(kind == "typo" || queries.iter().all(|query| library.search(query) > 0), "{name} finds nothing");
        let mut group = criterion.benchmark_group(format!("{tools} tools, {} queries: {kind}", queries.len()));
        group.bench_function(name, |bencher| {
            bencher.iter(|| queries.iter().map(|query| library.search(black_box(query))).sum::<usize>());
        });
        group.finish();
    }
}

fn libraries(criterion: &mut Criterion<Cpu>) {
    for tools in SIZES {
        let servers = catalog(tools);
        let texts = texts(&servers);
        assert_eq!(texts.len(), tools);
        library::<ToolSift>(criterion, "toolsift", &servers, &texts);
        library::<Tantivy>(criterion, "tantivy", &servers, &texts);
        library::<SearchEngine<usize>>(criterion, "bm25", &servers, &texts);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Cpu).warm_up_time(Duration::from_millis(500));
    targets = libraries
}
criterion_main!(benches);
