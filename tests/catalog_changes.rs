//! Tests changes of a catalog while sessions use it.

use crate::common::{empty as sift, server};
use std::sync::Arc;

use serde_json::{Value, json};
use toolsift::{NamePolicy, RegisterOptions};

fn plain(names: &[Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

fn list(names: &[&str]) -> String {
    Value::from(names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>()).to_string()
}

#[test]
fn sync_takes_over_the_name_of_a_tool_that_goes() {
    let sift = sift(json!({}));
    let alias = RegisterOptions::default().names(NamePolicy::Alias);
    sift.sync("s", &list(&["send.mail"]), &alias).unwrap();
    let report = sift.sync("s", &list(&["send mail"]), &alias).unwrap();
    assert_eq!((plain(&report.removed), plain(&report.added)), (vec!["send_mail"], vec!["send_mail"]));
}

#[test]
fn twenty_thousand_tools_change_quickly() {
    const TOOLS: usize = 20_000;
    let sift = sift(json!({}));
    // Every name gives the same alias.
    let names: Vec<String> =
        (0..TOOLS).map(|at| format!("a{}b", ".".repeat(at % 200 + 1) + &" ".repeat(at / 200))).collect();
    let all = list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let alias = server("s").names(NamePolicy::Alias);
    let report = sift.register(&all, &alias).unwrap();
    assert_eq!((report.registered.len(), &*report.registered[2]), (TOOLS, "s__a_b_2"));
    let last = report.registered[TOOLS - 1].to_string();
    assert_eq!(last, format!("s__a_b_{}", TOOLS - 1));

    let gone = sift.unregister(None, Some(&["s__a_b_7".into()])).unwrap();
    assert_eq!(gone.len(), 1);
    let back = sift.register(&list(&["a#b"]), &alias).unwrap();
    assert_eq!(plain(&back.registered), ["s__a_b_7"], "a name that is free is given out again");

    let every: Vec<String> = sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect();
    assert_eq!(sift.unregister(None, Some(&every)).unwrap().len(), TOOLS);
    assert!(sift.registered().is_empty());
}
