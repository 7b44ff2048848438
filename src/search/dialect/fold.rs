//! Which letters are the same in upper and lower case? Unicode's simple case folding, from the standard library.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The Turkish i's have upper and lower forms in ASCII, but fold to nothing in simple folding.
const UNFOLDED: [char; 2] = ['\u{0130}', '\u{0131}'];

/// No letter beyond this code point has case (Adlam ends there).
const LAST_CASED: u32 = 0x1E943;

/// Every letter that folds to others, with all of them (itself included), by rising code point.
pub(super) fn cased_letters() -> &'static [(char, Vec<char>)] {
    static TABLE: OnceLock<Vec<(char, Vec<char>)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut groups: Vec<Vec<char>> = Vec::new();
        let mut group_of: HashMap<char, usize> = HashMap::new();
        for c in (0..=LAST_CASED).filter_map(char::from_u32).filter(|c| !UNFOLDED.contains(c)) {
            for other in [single(c.to_lowercase()), single(c.to_uppercase())].into_iter().flatten() {
                if other != c {
                    join(c, other, &mut groups, &mut group_of);
                }
            }
        }
        let mut table: Vec<(char, Vec<char>)> = group_of.iter().map(|(c, at)| (*c, groups[*at].clone())).collect();
        table.sort_unstable();
        table
    })
}

/// A letter and all that it folds to.
pub(super) fn orbit(c: char) -> Vec<char> {
    let letters = cased_letters();
    letters.binary_search_by_key(&c, |(letter, _)| *letter).map_or_else(|_| vec![c], |at| letters[at].1.clone())
}

/// Puts two letters, and all that they were together with, into one group.
fn join(a: char, b: char, groups: &mut Vec<Vec<char>>, group_of: &mut HashMap<char, usize>) {
    let mut home = |c: char| {
        *group_of.entry(c).or_insert_with(|| {
            groups.push(vec![c]);
            groups.len() - 1
        })
    };
    let (kept, moved) = (home(a), home(b));
    if kept != moved {
        for c in std::mem::take(&mut groups[moved]) {
            group_of.insert(c, kept);
            groups[kept].push(c);
        }
    }
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}
