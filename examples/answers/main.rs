//! Carries out the steps on standard input with the native library, as every JavaScript runtime does, and writes one line of
//! JSON for each. `npm run runtimes` compares the lines; scripts/runtimes/script/steps.mjs says what a step is.

#![allow(clippy::unwrap_used, clippy::panic)]

mod step;

use std::io::{self, Read, Write};

use step::{Step, answer, refusal};
use toolsift::{Settings, ToolSift};

fn main() {
    let mut script = String::new();
    io::stdin().read_to_string(&mut script).unwrap();
    let steps: Vec<Step> = serde_json::from_str(&script).unwrap();
    let mut sift = ToolSift::new(Settings::default());
    let mut out = io::stdout().lock();
    for step in &steps {
        writeln!(out, "{}", answer(&mut sift, step).unwrap_or_else(|error| refusal(&error))).unwrap();
    }
}
