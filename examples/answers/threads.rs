//! The same steps on several threads over one catalog. The steps of a session keep their order; sessions, searches and exports
//! run beside each other, and a step that changes the catalog for all of them waits for what was before.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use toolsift::bindings::options;
use toolsift::{RegisterOptions, Settings, ToolSift};

use crate::answer;
use crate::step::Step;

const THREADS: usize = 4;

/// What a runtime is given: see tests/runtimes/lib/app.mjs.
#[derive(Deserialize)]
struct Data {
    steps: Vec<Step>,
    tools: BTreeMap<String, Box<RawValue>>,
}

/// What tests/runtimes/lib/program/start.mts answers.
pub fn start(data: &str) -> String {
    let Data { steps, tools } = serde_json::from_str(data).unwrap();
    let begin = Instant::now();
    let found = first_search(&tools);
    let cold = begin.elapsed().as_secs_f64() * 1000.0;
    json!({ "cold": cold, "found": found, "answers": answers(&steps) }).to_string()
}

fn first_search(tools: &BTreeMap<String, Box<RawValue>>) -> usize {
    let sift = ToolSift::new(Settings::default());
    for (server, list) in tools {
        sift.register(list.get(), &RegisterOptions::default().server(server)).unwrap();
    }
    sift.search("read the contents of a file").run().unwrap().hits.len()
}

fn answers(steps: &[Step]) -> Vec<String> {
    let mut sift = ToolSift::new(Settings::default());
    let mut answers = Vec::new();
    for catalog in steps.chunk_by(|_, next| !is_new(next)) {
        // Which session finds no place depends on the order of all of them.
        let is_ordered = limits_sessions(&catalog[0]);
        for run in catalog.chunk_by(|step, next| !(is_ordered || is_for_all(step) || is_for_all(next))) {
            match run {
                [step] => answers.push(answer(&mut sift, step)),
                _ => answers.extend(beside(&sift, run)),
            }
        }
    }
    answers
}

/// Whether a step begins another catalog.
fn is_new(step: &Step) -> bool {
    step.r#do == "new"
}

/// Whether the catalog that a step begins has room for a few sessions only.
fn limits_sessions(step: &Step) -> bool {
    step.json(0).contains("\"sessions\"")
}

/// Whether a step changes what others find, or counts all changes.
fn is_for_all(step: &Step) -> bool {
    let these = ["new", "fromIndex", "register", "sync", "unregister", "restore", "closeSession", "revision"];
    step.session.is_none() && these.contains(&step.r#do.as_str())
}

/// The session that a step is about. The id of a child begins with its parent's, and the two know of each other.
fn about(step: &Step) -> Option<String> {
    let id = match step.r#do.as_str() {
        "search" => options::search(&step.value(1)).ok()?.session,
        _ => step.session.clone(),
    };
    id.map(|id| id.split('/').next().unwrap_or_default().to_owned())
}

/// The answers to steps of which only those of the same session know of each other.
fn beside(sift: &ToolSift, steps: &[Step]) -> Vec<String> {
    let mut sessions = BTreeMap::<String, Vec<usize>>::new();
    for (at, step) in steps.iter().enumerate() {
        sessions.entry(about(step).unwrap_or_else(|| format!("alone {at}"))).or_default().push(at);
    }
    let sessions: Vec<_> = sessions.into_values().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut sift = sift.clone();
        let mut answers = Vec::new();
        while let Some(session) = sessions.get(next.fetch_add(1, Ordering::Relaxed)) {
            answers.extend(session.iter().map(|at| (*at, answer(&mut sift, &steps[*at]))));
        }
        answers
    };
    let mut answers: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    answers.sort_unstable();
    answers.into_iter().map(|(_, answer)| answer).collect()
}
