//! 1. A stage uses earlier stages only.
//! 2. Only `wasm/` knows JavaScript.
//! 3. Only the table of profiles names a profile.
//! 4. The TypeScript list of error codes is the one of the core and of the package, without what only Rust programs meet.
//! 5. No files use each other in a circle.
//! 6. Limits that TypeScript checks before it copies a list are those of the core.
//! 7. Every file of tests/ is part of the one program that runs them, and as wasm too where it says so.

// It reads the files of the repository.
#![cfg(not(target_family = "wasm"))]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::architecture_of::{Sources, circles};
use toolsift::{ErrorCode, PROFILES, limits};

/// Each stage with those that it may use.
const STAGES: &[(&str, &[&str])] = &[
    ("catalog", &[]),
    ("search", &["catalog"]),
    ("session", &["catalog"]),
    ("assembly", &["catalog", "session"]),
    ("discovery", &["catalog", "search", "session", "assembly"]),
    ("options", &["catalog", "search", "session", "assembly", "discovery", "profile"]),
];
const LATER: &[&str] = &["profile", "options", "facade", "rig", "rmcp", "wasm"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The source files below a folder, without those that hold tests.
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| !path.ends_with("tests.rs")).collect()
}

/// The code of a file: without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or("");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn stages_use_earlier_stages_only() {
    let all: BTreeSet<&str> = STAGES.iter().map(|(stage, _)| *stage).chain(LATER.iter().copied()).collect();
    let mut seen = 0;
    for (stage, allowed) in STAGES {
        for path in rust_files(&root().join("src").join(stage)) {
            let code = code(&path);
            for other in all.iter().filter(|other| *other != stage && !allowed.contains(other)) {
                assert!(!code.contains(&format!("crate::{other}")), "{} uses {other}", path.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} files");
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let src = root().join("src");
    let name = |path: &Path| path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
    let files = rust_files(&src).into_iter().map(|path| (name(&path), code(&path)));
    let uses = Sources::new(files).uses();
    assert!(uses["search/sift/score/mod.rs"].contains("search/index/mod.rs"), "{:?}", uses["search/sift/score/mod.rs"]);
    assert!(
        uses["search/pattern/mod.rs"].contains("catalog/tool.rs"),
        "an item is its own file's, whoever passes it on"
    );
    let circles = circles(&uses);
    let around = |group: &Vec<String>| {
        let inside = |file: &String| uses[file].iter().filter(|used| group.contains(used)).cloned().collect::<Vec<_>>();
        group.iter().map(|file| format!("\n  {file} uses {}", inside(file).join(", "))).collect::<String>()
    };
    let found: Vec<String> = circles.iter().map(around).collect();
    assert!(found.is_empty(), "files that use each other in a circle:{}", found.join("\n"));
}

#[test]
fn circles_are_found() {
    let of = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(name, code)| ((*name).to_owned(), (*code).to_owned()));
        circles(&Sources::new(files).uses())
    };
    let root = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\npub use c::C;");
    let straight = [root, ("a.rs", "use crate::b::B; struct A;"), ("b.rs", "struct B;"), ("c.rs", "struct C;")];
    assert_eq!(of(&straight), Vec::<Vec<String>>::new());
    let around = [
        root,
        ("a.rs", "use crate::{b::{self, B}, C}; struct A;"),
        ("b.rs", "fn f() { crate::c::C } struct B;"),
        ("c.rs", "use super::A; struct C;"),
    ];
    assert_eq!(of(&around), [["a.rs", "b.rs", "c.rs"]]);
    let parent = [("lib.rs", "mod a; fn f() { a::g() } struct L;"), ("a.rs", "use super::L; fn g() {}")];
    assert_eq!(of(&parent), [["a.rs", "lib.rs"]]);
}

#[test]
fn only_wasm_knows_javascript() {
    for path in rust_files(&root().join("src")) {
        let knows = ["wasm_bindgen", "js_sys", "JsValue"].iter().any(|word| code(&path).contains(word));
        assert_eq!(knows, path.starts_with(root().join("src/wasm")), "{}", path.display());
    }
}

#[test]
fn only_the_table_names_a_profile() {
    for path in rust_files(&root().join("src")) {
        let is_table = path.ends_with("profile/table.rs");
        for profile in PROFILES {
            // Our own ranker bears the name of the profile that it was made for.
            let text = code(&path).replace("(\"sift\", Ranker::Sift)", "");
            let names = text.contains(&format!("\"{}\"", profile.name));
            assert_eq!(names, is_table, "{} and {}", path.display(), profile.name);
        }
    }
}

#[test]
fn typescript_knows_every_code() {
    /// What the package itself finds wrong, before or around the core.
    const OF_THE_PACKAGE: [&str; 11] = [
        "disposed",
        "embedding_failed",
        "format_mismatch",
        "internal",
        "messages_invalid",
        "peer_missing",
        "reentrant",
        "reply_invalid",
        "store_failed",
        "store_garbled",
        "wasm_unavailable",
    ];
    /// What only a Rust program can meet: the package asks rankers itself.
    const OF_THE_CRATE: [ErrorCode; 1] = [ErrorCode::RankerFailed];
    let types = fs::read_to_string(root().join("pkg/src/types/errors.ts")).unwrap();
    let union = types.split("export type ErrorCode =").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
    let listed: Vec<&str> =
        union.split('|').map(|code| code.trim().trim_matches('"')).filter(|c| !c.is_empty()).collect();
    let core = ErrorCode::ALL.iter().filter(|code| !OF_THE_CRATE.contains(code));
    let mut expected: Vec<&str> = core.map(|code| code.as_str()).chain(OF_THE_PACKAGE).collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);
}

#[test]
fn typescript_knows_the_limits() {
    for (file, name, limit) in
        [("texts.ts", "QUERIES", limits::LIST_ENTRIES), ("written-list.ts", "TOOLS", limits::TOOLS_CEILING)]
    {
        let text = fs::read_to_string(root().join("pkg/src").join(file)).unwrap().replace('_', "");
        assert!(text.contains(&format!("const {name} = {limit};")), "{name} of {file} is not {limit}");
    }
}

#[test]
fn every_file_of_tests_runs() {
    let all = fs::read_to_string(root().join("tests/all.rs")).unwrap();
    let names =
        fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut seen = 0;
    for name in names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).filter(|name| name != "all") {
        let path = root().join("tests").join(format!("{name}.rs"));
        let natively = format!("#[cfg(not(target_family = \"wasm\"))]\nmod {name};\n");
        let as_wasm = fs::read_to_string(&path).unwrap().contains("use wasm_bindgen_test::wasm_bindgen_test as test;");
        assert!(all.contains(&format!("\nmod {name};\n")), "tests/all.rs leaves {name} out");
        assert_eq!(all.contains(&natively), !as_wasm || name == "architecture", "whether {name} runs as wasm");
        seen += 1;
    }
    assert!(seen > 20, "{seen} files");
}
