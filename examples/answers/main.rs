//! Carries out the steps on standard input with the native library, as every JavaScript runtime does, and writes one line of
//! JSON for each. `npm run runtimes` compares the lines; tests/runtimes/lib/script/steps.mjs says what a step is.
//!
//! With `--threads` it answers on several threads, and its input also has tools (see threads.rs). With files as arguments it
//! writes the steps that their bytes stand for instead: inputs of the fuzzer, for the package to carry out.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../tests/fuzz_of/input.rs"]
#[allow(dead_code)]
mod input;
#[path = "../../tests/fuzz_of/script.rs"]
mod script;
mod step;
mod threads;

use std::io::{self, Read, Write};

use step::{Step, outcome, refusal};
use toolsift::{Settings, ToolSift};

fn main() {
    let mut out = io::stdout().lock();
    let mut files = std::env::args_os().skip(1).peekable();
    let is_threaded = files.next_if(|argument| argument == "--threads").is_some();
    if files.peek().is_some() {
        let steps: Vec<_> = files.flat_map(|file| script::script(&std::fs::read(file).unwrap())).collect();
        writeln!(out, "{}", serde_json::Value::from(steps)).unwrap();
        return;
    }
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    if is_threaded {
        writeln!(out, "{}", threads::start(&input)).unwrap();
        return;
    }
    let steps: Vec<Step> = serde_json::from_str(&input).unwrap();
    let mut sift = ToolSift::new(Settings::default());
    for step in &steps {
        writeln!(out, "{}", answer(&mut sift, step)).unwrap();
    }
}

/// Carries out a step, and writes what JavaScript would write.
fn answer(sift: &mut ToolSift, step: &Step) -> String {
    outcome(sift, step).unwrap_or_else(|error| refusal(&error))
}
