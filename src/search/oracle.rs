//! Patterns, stems and the best of many scores against other ways to find them.

use super::top_k::top_k as best;
use crate::limits;
use crate::search::pattern::automaton::Automaton;
use crate::search::pattern::dialect::read;

pub(crate) use super::sift::oracle::stem;
pub(crate) use crate::search::pattern::automaton::oracle::backtrack;

/// The first line is a pattern, the rest a text: the automaton finds what backtracking finds, in the steps that it counts.
pub(crate) fn pattern(data: &[u8]) {
    let data = String::from_utf8_lossy(data);
    let (pattern, text) = data.split_once('\n').unwrap_or((&data, "get_issue of\nCAFÉS"));
    let Ok(program) = read(pattern) else { return };
    let states = program.fragment.count();
    if states > limits::PATTERN_STATES as u64 || pattern.chars().count() > limits::PATTERN_CHARS {
        return;
    }
    let mut automaton = Automaton::new(program);
    let found = automaton.find(text).map(str::to_owned);
    let visited = automaton.visited();
    assert!(
        visited <= (states as usize + 2) * (text.chars().count() + 2) * 4,
        "{pattern:?} visits {visited}: {states}"
    );
    assert_eq!(automaton.find(text), found.as_deref(), "{pattern:?} on {text:?}: what was learnt changes the answer");
    if states * (text.len() as u64) < 40_000 {
        assert_eq!(found, backtrack(pattern, text), "{pattern:?} on {text:?}");
    }
}

/// Pieces of patterns that mean the same in both dialects. `regex` takes a repetition of a repetition and an empty class,
/// and its classes are Unicode's, so none of these is among them.
pub(super) const PIECES: &str = r"a b é ß K x{2} . [ab] [^a] [à-ü] [^\x00-\x7f] (?-u:\b) (?-u:\B) ^ $ (?m) (?s) (?-i) (?U) (?i) (a (?:
    (?P<n> ) ) | * + ? *? {0,2} {2,} \. \p{Lu} \p{Han} \x41 [[:alpha:]] +? {1,3}? (?i:k)";
/// Pieces of texts for them.
pub(super) const LETTERS: [&str; 16] =
    ["a", "b", "A", "É", "é", "ſ", "k", "\u{212a}", "xX", "_", " ", "\n", "ẞ", ".", "日", "ss"];

/// Every byte is a piece of a pattern, until one that begins the text. The crate `regex` finds the same.
pub(crate) fn regex(data: &[u8]) {
    let split = data.iter().position(|byte| *byte == 255).unwrap_or(data.len().min(8));
    let (pattern, text) = data.split_at(split);
    if pattern.len() > 24 {
        return;
    }
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let theirs: String = pattern.iter().map(|byte| pieces[usize::from(*byte) % pieces.len()]).collect();
    let pattern = theirs.replace("(?-u:", "").replace(r"\b)", r"\b").replace(r"\B)", r"\B");
    let Ok(program) = read(&pattern) else { return };
    if program.fragment.count() > limits::PATTERN_STATES as u64 {
        return;
    }
    // It refuses flags between an atom and its repetition.
    let Ok(regex) = regex::Regex::new(&format!("(?i){theirs}")) else { return };
    let text: String = text.iter().take(100).map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]).collect();
    let found = Automaton::new(program).find(&text).map(str::to_owned);
    assert_eq!(found.as_deref(), regex.find(&text).map(|found| found.as_str()), "{pattern:?} on {text:?}");
}

/// The first byte says how many are wanted; each other one is a score, or eight of them a number.
pub(crate) fn top_k(data: &[u8]) {
    let Some((most, rest)) = data.split_first() else { return };
    let scores: Vec<f64> = rest.iter().map(|byte| f64::from(byte % 32) / 4.0).collect();
    let ties = |a: usize, b: usize| (a % 7).cmp(&(b % 7)).then(a.cmp(&b));
    let mut theirs: Vec<usize> = (0..scores.len()).collect();
    theirs.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then_with(|| ties(*a, *b)));
    for most in [usize::from(*most), usize::from(*most) * 7, usize::MAX] {
        assert_eq!(best(&scores, most, &ties), theirs[..most.min(theirs.len())], "the best {most} of {scores:?}");
    }
}
