//! What a pattern matches, found by trying.

use std::collections::BTreeSet;

use crate::dialect::read;

use super::*;

/// The obvious way: one try after the other, each state and place once for each start.
pub(crate) fn backtrack(pattern: &str, text: &str) -> Option<String> {
    let Program { fragment, sets } = read(pattern).ok()?;
    let (states, text) = (fragment.finish(), text.chars().collect::<Vec<char>>());
    (0..=text.len()).find_map(|start| {
        let (mut ahead, mut seen) = (vec![(0, start)], BTreeSet::new());
        while let Some((state, at)) = ahead.pop() {
            if !seen.insert((state, at)) {
                continue;
            }
            let to = |by: i16| state + by;
            let before = at.checked_sub(1).map(|at| text[at]);
            let after = text.get(at).copied();
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let is_line_end = |c: Option<char>| c.is_none_or(|c| c == '\n');
            let goes_on = match states[state as usize] {
                State::Accept => return Some(text[start..at].iter().collect()),
                State::Fork(first, second) => {
                    ahead.extend([(to(second), at), (to(first), at)]);
                    continue;
                }
                State::Jump(by) => {
                    ahead.push((to(by), at));
                    continue;
                }
                State::Read(set) => {
                    if after.is_some_and(|c| sets[usize::from(set)].holds(c as u32)) {
                        ahead.push((to(1), at + 1));
                    }
                    continue;
                }
                State::Look(Look::TextStart) => before.is_none(),
                State::Look(Look::TextEnd) => after.is_none(),
                State::Look(Look::LineStart) => is_line_end(before),
                State::Look(Look::LineEnd) => is_line_end(after),
                State::Look(Look::WordEdge) => is_word(before) != is_word(after),
                State::Look(Look::NoWordEdge) => is_word(before) == is_word(after),
            };
            if goes_on {
                ahead.push((to(1), at));
            }
        }
        None
    })
}
