//! 1. The leftmost match is found, and of several matches there the preferred one, as by the crate `regex`.
//! 2. The number of steps is at most states × characters.
//! 3. What was learnt from earlier texts changes no answer.
//! 4. States are counted exactly, even if there are too many to build.

use crate::MAX_STATES;
use crate::dialect::read;

use super::*;

fn program(pattern: &str) -> Program {
    read(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}"))
}

fn automaton(pattern: &str) -> Automaton {
    Automaton::new(program(pattern))
}

struct Dice(u32);

impl Dice {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        of[(self.0 >> 16) as usize % of.len()]
    }

    fn join(&mut self, of: &[&str], count: usize) -> String {
        (0..count).map(|_| self.pick(of)).collect()
    }
}

#[test]
fn matches_are_the_leftmost_and_preferred_ones() {
    for (pattern, text, expected) in [
        ("a|ab", "xab", "a"),
        ("ab|a", "xab", "ab"),
        ("a+?", "aaa", "a"),
        ("(?U)a+", "aaa", "a"),
        ("(?U)a+?", "aaa", "aaa"),
        ("a{2,3}", "aaaa", "aaa"),
        ("a{2,}", "xaaaa", "aaaa"),
        ("(|a)+", "aaa", ""),
        ("(a|b|)*c", "xabc", "abc"),
        ("(a*)*", "aa", "aa"),
        (r"\b\w+$", "get_all issues", "issues"),
        ("(?m)^b.*$", "a\nbc\nd", "bc"),
        ("é.", "CAFÉS", "ÉS"),
    ] {
        assert_eq!(automaton(pattern).find(text), Some(expected), "{pattern} on {text}");
    }
}

#[test]
fn the_crate_regex_finds_the_same() {
    // Pieces with the same meaning in both dialects. `regex` accepts repeated repetitions and empty classes, and its
    // classes are Unicode's, so these are left out.
    const PIECES: &str = r"a b é ß K x{2} . [ab] [^a] [à-ü] [^\x00-\x7f] (?-u:\b) (?-u:\B) ^ $ (?m) (?s) (?-i) (?U) (?i) (a (?:
        (?P<n> ) ) | * + ? *? {0,2} {2,} \. \p{Lu} \p{Han} \x41 [[:alpha:]] +? {1,3}? (?i:k)";
    const LETTERS: [&str; 16] =
        ["a", "b", "A", "É", "é", "ſ", "k", "\u{212a}", "xX", "_", " ", "\n", "ẞ", ".", "日", "ss"];
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let mut dice = Dice(23);
    let (mut compared, mut matched) = (0, 0);
    for _ in 0..3_000 {
        let theirs = dice.join(&pieces, 6);
        let pattern = theirs.replace("(?-u:", "").replace(r"\b)", r"\b").replace(r"\B)", r"\B");
        let Ok(program) = read(&pattern) else { continue };
        // `regex` refuses flags between an atom and its repetition.
        let Ok(regex) = regex::Regex::new(&format!("(?i){theirs}")) else { continue };
        let mut automaton = Automaton::new(program);
        for length in [0, 3, 9] {
            let text = dice.join(&LETTERS, length);
            let found = automaton.find(&text);
            assert_eq!(found, regex.find(&text).map(|found| found.as_str()), "{pattern} on {text:?}");
            matched += usize::from(found.is_some());
            let steps = std::mem::take(&mut automaton.visited);
            assert!(steps <= (automaton.states.len() + 2) * (text.chars().count() + 2) * 4, "{pattern} visits {steps}");
        }
        compared += 1;
    }
    assert!(compared > 500 && matched > 250, "{compared} patterns, {matched} matches");
}

#[test]
fn what_was_learnt_changes_no_answer() {
    let mut dice = Dice(5);
    for (pattern, is_full) in [(r"\ba.*x", false), ("(?s)a.{9}[^ab]yyx", true)] {
        let mut learning = automaton(pattern);
        for _ in 0..60 {
            let text = dice.join(&["a", "b", "c ", "x", "y\n"], 200);
            assert_eq!(learning.find(&text), automaton(pattern).locate(&text), "{pattern} on {text:?}");
        }
        assert_eq!(learning.situations.len() == MOST_SITUATIONS, is_full, "{pattern}");
    }
}

#[test]
fn states_are_counted_exactly() {
    for (pattern, count) in [
        ("", 0),
        ("abc", 3),
        ("a|b|c", 7),
        ("a*b+", 5),
        ("(a?)*", 4),
        (".{0,90}", 180),
        ("a{3,}", 4),
        ("(ab){3}", 6),
        ("(a{1000}){0}b", 1),
        ("(((a{1000}){1000}){1000}){1000}", 1_000_000_000_000),
        ("((((((((a{1000}){1000}){1000}){1000}){1000}){1000}){1000}){1000}|b){0,1000}?", u64::MAX / 2),
    ] {
        let fragment = program(pattern).fragment;
        assert_eq!(fragment.count(), count, "{pattern}");
        let held = if count > MAX_STATES as u64 { 0 } else { count as usize };
        assert_eq!(fragment.finish().len(), held + 1, "{pattern}");
    }
}
