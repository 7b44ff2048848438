//! Recorded vectors of published systems, run natively and in wasm.
//!
//! 1. Every vector holds, the engine-specific ones included.
//! 2. A vector with anything changed in what it expects fails, and so does one that expects more than is checked.

use crate::vectors_of::{SYSTEMS, changes};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Keys that say how a value came about, or leave the wording free; every other one binds.
const INFORMATIVE: [&str; 3] = ["error", "reference_order_nonbinding", "source_stub_bytes_without_name"];

#[test]
fn every_vector_holds() {
    let mut problems = Vec::new();
    for system in SYSTEMS {
        let vectors = system.vectors();
        assert!(vectors.len() > 30, "{} has {} vectors", system.name, vectors.len());
        let failing =
            vectors.iter().filter_map(|vector| Some(format!("{}: {}", vector["id"], system.run(vector).err()?)));
        problems.extend(failing);
    }
    assert!(problems.is_empty(), "{} fail:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_changed_expectation_fails() {
    for system in SYSTEMS {
        let (mut changed, mut unnoticed) = (0, Vec::new());
        for (index, mut vector) in system.vectors().into_iter().enumerate() {
            // Neighbours expect the same kind of thing: each has a third of its changes tried, by turns.
            for expected in changes(&vector["expected"], &INFORMATIVE).into_iter().skip(index % 3).step_by(3) {
                vector["expected"] = expected;
                changed += 1;
                if system.run(&vector).is_ok() {
                    unnoticed.push(format!("{} holds with {}", vector["id"], vector["expected"]));
                }
            }
        }
        assert!(changed > 50, "{changed} changes of {}", system.name);
        assert!(unnoticed.is_empty(), "{} of {changed}:\n{}", unnoticed.len(), unnoticed.join("\n"));
    }
}
