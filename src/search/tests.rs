//! A change of a few tools reads only these tools, and data about tools that left is dropped in time.

use serde_json::{Value, json};

use super::*;
use crate::catalog::{Catalog, RegisterOptions};

fn sync(catalog: &mut Catalog, server: &str, tools: Vec<Value>) {
    catalog.sync(server, &Value::from(tools).to_string(), &RegisterOptions::default()).unwrap();
}

#[test]
fn a_change_reads_new_tools_only() {
    let mut catalog = Catalog::new(10_000, []);
    let tool = |name: &str, text: &str| json!({ "name": name, "description": text });
    let others = (0..500).map(|at| tool(&format!("other{at}"), "Says nothing new."));
    sync(&mut catalog, "others", others.collect());
    sync(&mut catalog, "own", vec![tool("kept", "Stays."), tool("changed", "Says one thing.")]);
    let mut index = Index::new(&[], Without::NONE, true);
    index.follow(&catalog);
    assert_eq!((index.versions.len(), index.columns.servers.len()), (502, 502));
    sync(&mut catalog, "own", vec![tool("kept", "Stays."), tool("changed", "Says another thing.")]);
    index.follow(&catalog);
    assert_eq!((index.versions.len(), index.columns.servers.len(), index.epoch), (503, 503, 0));
}

#[test]
fn what_left_is_forgotten() {
    let mut catalog = Catalog::new(10_000, []);
    let mut index = Index::new(&[], Without::NONE, true);
    let mut most = 0;
    for round in 0..3_000 {
        let tool = json!({ "name": "one", "description": format!("Lists the issues of week w{round}.") });
        sync(&mut catalog, "own", vec![tool, json!({ "name": "two" })]);
        index.follow(&catalog);
        most = most.max(index.vocabulary.len());
    }
    assert!((1_000..1_100).contains(&most), "{most}");
}
