//! Chooses representative names of a server's tools: for each word that many of the names have, the shortest name with
//! it.

use crate::catalog::Tool;
use crate::map::{Map, Set};
use crate::text::{name_parts, singular};

/// A word that occurs in names of tools.
#[derive(Clone, Copy)]
struct Word<'w> {
    word: &'w str,
    /// The number of names that have it.
    tools: usize,
    /// The position of the tool with the shortest of these names.
    shortest: usize,
}

/// Returns the end of a line: the names of all tools if they take at most `room` bytes, or else the most representative
/// names, or nothing if no name fits.
pub(super) fn telling(tools: &[&Tool], room: usize) -> String {
    let tools: Vec<&Tool> = in_order(tools).collect();
    let takes = |tool: &Tool| tool.model_name.len() + ", ".len();
    if tools.iter().map(|tool| takes(tool)).sum::<usize>() <= room {
        return written(&tools, "");
    }
    let words: Vec<Vec<String>> =
        tools.iter().map(|tool| name_parts(&tool.model_name).iter().map(|part| singular(part)).collect()).collect();
    let mut left = room.saturating_sub("…".len());
    let mut covered = Set::default();
    let mut chosen = Vec::new();
    for Word { word, shortest: at, .. } in by_use(&tools, &words) {
        if covered.contains(word) {
            continue;
        }
        let Some(rest) = left.checked_sub(takes(tools[at])) else { break };
        left = rest;
        covered.extend(words[at].iter().map(|word| &**word));
        chosen.push(tools[at]);
    }
    written(&chosen, ", …")
}

/// Sorts tools by name.
pub(super) fn in_order<'t>(tools: &[&'t Tool]) -> impl Iterator<Item = &'t Tool> {
    let mut order: Vec<(&str, usize)> = tools.iter().enumerate().map(|(at, tool)| (&*tool.model_name, at)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| tools[at])
}

fn written(tools: &[&Tool], end: &str) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.model_name).collect();
    if names.is_empty() { String::new() } else { format!(": {}{end}", names.join(", ")) }
}

/// Returns the words of the names, the most frequent first, without the words that all names have.
fn by_use<'w>(tools: &[&Tool], words: &'w [Vec<String>]) -> Vec<Word<'w>> {
    let mut used: Map<&str, Word<'_>> = Map::default();
    for (at, words) in words.iter().enumerate() {
        for word in words.iter().map(|word| &**word).collect::<Set<&str>>() {
            let found = used.entry(word).or_insert(Word { word, tools: 0, shortest: at });
            found.tools += 1;
            if tools[at].model_name.len() < tools[found.shortest].model_name.len() {
                found.shortest = at;
            }
        }
    }
    let mut used: Vec<Word<'_>> = used.into_values().filter(|word| word.tools < tools.len()).collect();
    used.sort_unstable_by(|a, b| b.tools.cmp(&a.tools).then(a.word.cmp(b.word)));
    used
}
