//! Finds which file of `src` uses which, and the circles among them.
//!
//! A file uses the file that defines what it names: an import through a module that only passes the item on counts as a
//! use of the item's own file. An item that a macro defines, or a glob, counts as the module's. Passing an item on is no
//! use of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

/// A file: the path of its module, its code, and what its `use` lines bring in.
struct File {
    name: String,
    code: String,
    defines: BTreeSet<String>,
    imports: Vec<Import>,
}

struct Import {
    /// The name under which the file knows it.
    name: String,
    /// Where it comes from: the names of modules, then of the item, from the root.
    from: Vec<String>,
    /// Whether it is passed on.
    is_public: bool,
}

/// The files by the paths of their modules.
pub struct Sources(BTreeMap<Vec<String>, File>);

impl Sources {
    /// Reads files, given as paths below `src` with their code.
    pub fn new(files: impl Iterator<Item = (String, String)>) -> Self {
        let mut sources = Sources(BTreeMap::new());
        let definition =
            Regex::new(r"\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(\w+)").unwrap();
        for (name, code) in files {
            let defines = definition.captures_iter(&code).map(|item| item[1].to_owned()).collect();
            sources.0.insert(module_of(&name), File { name, code, defines, imports: Vec::new() });
        }
        let use_line = Regex::new(r"(?m)^\s*(pub\s+)?use\s+([\w:{},\s*]+);").unwrap();
        let visibility = Regex::new(r"pub\([^)]*\)").unwrap();
        for file in sources.0.values_mut() {
            file.code = visibility.replace_all(&file.code, "pub").into_owned();
        }
        let modules: Vec<Vec<String>> = sources.0.keys().cloned().collect();
        for module in &modules {
            let code = sources.0[module].code.clone();
            let mut imports = Vec::new();
            for line in use_line.captures_iter(&code) {
                for (path, name) in leaves(&line[2]) {
                    let from = sources.absolute(module, &path);
                    imports.extend(from.map(|from| Import { name, from, is_public: line.get(1).is_some() }));
                }
            }
            let file = sources.0.get_mut(module).unwrap();
            file.code = use_line.replace_all(&code, "").into_owned();
            file.imports = imports;
        }
        sources
    }

    /// For each file the files that it uses.
    pub fn uses(&self) -> BTreeMap<String, BTreeSet<String>> {
        let path = Regex::new(r"\b[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+").unwrap();
        let mut uses = BTreeMap::new();
        for (module, file) in &self.0 {
            let imported = file.imports.iter().filter(|import| !import.is_public).map(|import| import.from.clone());
            let named = path.find_iter(&file.code).filter_map(|path| {
                self.absolute(module, &path.as_str().split("::").map(str::to_owned).collect::<Vec<_>>())
            });
            let used = imported.chain(named).filter_map(|path| self.defining(&path, 0));
            let used: BTreeSet<String> = used.filter(|used| *used != file.name).collect();
            uses.insert(file.name.clone(), used);
        }
        uses
    }

    /// A path from the root; none for one that leads out of the crate or begins with a type.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut base = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while rest.first().is_some_and(|first| first == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
                return Some([&base, rest].concat());
            }
            child => {
                let is_module = self.0.contains_key(&[module, &[child.to_owned()]].concat());
                return is_module.then(|| [module, path].concat());
            }
        }
        rest = &rest[1..];
        Some([&base, rest].concat())
    }

    /// The file that defines what stands at a path.
    fn defining(&self, path: &[String], depth: usize) -> Option<String> {
        let modules = (0..=path.len()).rev().find(|end| self.0.contains_key(&path[..*end]))?;
        let file = &self.0[&path[..modules]];
        let Some(item) = path.get(modules) else { return Some(file.name.clone()) };
        let import = file.imports.iter().find(|import| import.name == *item);
        match import {
            Some(import) if depth < 8 && !file.defines.contains(item) => self.defining(&import.from, depth + 1),
            _ => Some(file.name.clone()),
        }
    }
}

/// `search/sift/mod.rs` → `search`, `sift`.
fn module_of(name: &str) -> Vec<String> {
    let path = Path::new(name).with_extension("");
    let mut module: Vec<String> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// The paths of a `use` tree, each with the name that it gets.
fn leaves(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree));
        let mut path: Vec<String> = path.trim().split("::").map(|part| part.trim().to_owned()).collect();
        path.retain(|part| part != "*");
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.trim().rsplit("::").next().unwrap_or("").to_owned();
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        return vec![(path, name)];
    };
    let inner = inner.trim_end().strip_suffix('}').unwrap();
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[from..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| leaves(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// The circles: groups of files each of which uses, over others, every other one of its group.
pub fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let (mut reached, mut ahead) = (BTreeSet::new(), vec![from]);
        while let Some(file) = ahead.pop() {
            ahead.extend(uses[file].iter().filter(|used| reached.insert((*used).clone())));
        }
        reached
    };
    let reaches: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|file| (file, reached(file))).collect();
    let group = |file: &String| -> Vec<String> {
        reaches[file].iter().filter(|other| reaches[other].contains(file)).cloned().collect()
    };
    let groups: BTreeSet<Vec<String>> = uses.keys().map(group).filter(|group| group.len() > 1).collect();
    groups.into_iter().collect()
}
