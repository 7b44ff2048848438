//! Reduces English words to their stems: the stemmer of Snowball ("Porter2") as of its version 3.1, written from its
//! published description. `creating`, `creates` and `created` all become `creat`.
//!
//! No crate implements this version: `rust-stemmers` has the rules of 2017, under which `added` and `add` have
//! different stems. Both agree on Snowball's whole published vocabulary except for the words named in a test.

use std::sync::OnceLock;

use crate::map::Map;
use crate::search::analysis::lexicon::lines;

const STEMS: &str = include_str!("tables/stems.txt");

/// Words whose stems do not follow the rules, each with its stem.
#[derive(Default)]
struct Table {
    words: Map<&'static str, &'static str>,
    /// Words in the form after the first step that keep an ending.
    kept: Map<&'static str, &'static str>,
}

/// Returns the table of stems, read once per process.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        for mut line in lines(STEMS) {
            let stems = if line.next() == Some("word") { &mut table.words } else { &mut table.kept };
            let stem = line.next().unwrap_or_default();
            stems.extend(line.map(|form| (form, stem)));
        }
        table
    })
}

/// Prefixes after which the first region starts, so that `organ` and `organization` have different stems.
const PREFIXES: &[&str] = &["arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers"];

/// The letters before `eed` in verbs that keep it: `exceed`.
const BEFORE_EED: &[&str] = &["exc", "proc", "succ"];

/// The letters before `ing` in nouns that keep it: `evening`. Accounting and marketing are our additions: they do not
/// mean accounts and markets.
const BEFORE_ING: &[&str] = &["account", "cann", "earr", "even", "herr", "inn", "market", "out"];

/// Endings of the second step with their replacements, in the first region; the longest that fits counts.
const SECOND: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("ogist", "og"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
];

/// Endings that the third step replaces.
const THIRD: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Endings that the fourth step removes in the second region.
const FOURTH: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al",
    "er", "ic",
];

/// Returns the stem of a word in lower case. A word with other characters than `a` to `z` is its own stem.
pub(crate) fn stem(word: &str) -> String {
    if word.len() <= 2 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    if let Some(stem) = table().words.get(word) {
        return (*stem).to_owned();
    }
    let mut stem = Stem::of(word);
    stem.plural();
    stem.past();
    stem.final_y();
    if let Some(kept) = table().kept.get(&*stem.letters) {
        return (*kept).to_owned();
    }
    stem.without_endings()
}

/// Returns true if two stems are of words that the rules would give one stem, but that the table keeps apart.
pub(crate) fn are_kept_apart(one: &str, other: &str) -> bool {
    static SPOILT: OnceLock<Map<&str, Vec<String>>> = OnceLock::new();
    let spoilt = SPOILT.get_or_init(|| {
        let mut spoilt: Map<&str, Vec<String>> = Map::default();
        for (form, stem) in &table().kept {
            spoilt.entry(stem).or_default().push(Stem::of(form).without_endings());
        }
        for noun in ["accounting", "marketing"] {
            spoilt.entry(noun).or_default().push(noun.trim_end_matches("ing").to_owned());
        }
        spoilt
    });
    let is_spoilt = |kept: &str, by: &str| spoilt.get(kept).is_some_and(|stems| stems.iter().any(|stem| stem == by));
    is_spoilt(one, other) || is_spoilt(other, one)
}

/// A word being stemmed; a `y` that sounds as a consonant is written `Y`. `first` and `second` are the starts of the
/// regions from which endings may be removed.
struct Stem {
    letters: String,
    first: usize,
    second: usize,
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Returns the place after the first consonant that follows a vowel, from a place on.
fn region(letters: &[u8], from: usize) -> usize {
    let pair = |at: &usize| is_vowel(letters[*at]) && !is_vowel(letters[at + 1]);
    (from..letters.len().saturating_sub(1)).find(pair).map_or(letters.len(), |at| at + 2)
}

impl Stem {
    fn of(word: &str) -> Self {
        let mut after_vowel = true;
        let letters: String = word
            .chars()
            .map(|letter| {
                let letter = if letter == 'y' && after_vowel { 'Y' } else { letter };
                after_vowel = is_vowel(letter as u8);
                letter
            })
            .collect();
        let prefix = PREFIXES.iter().find(|prefix| word.starts_with(**prefix));
        let first = prefix.map_or_else(|| region(letters.as_bytes(), 0), |prefix| prefix.len());
        let second = region(letters.as_bytes(), first);
        Stem { letters, first, second }
    }

    fn bytes(&self) -> &[u8] {
        self.letters.as_bytes()
    }

    fn ends(&self, ending: &str) -> bool {
        // Most endings differ in their last letter.
        self.bytes().last() == ending.as_bytes().last() && self.letters.ends_with(ending)
    }

    fn has_vowel_before(&self, at: usize) -> bool {
        self.bytes()[..at].iter().any(|letter| is_vowel(*letter))
    }

    /// Replaces an ending.
    fn replace(&mut self, ending: &str, with: &str) {
        self.letters.truncate(self.letters.len() - ending.len());
        self.letters.push_str(with);
    }

    /// Returns true if the letters before a place end in a short syllable.
    fn is_short_before(&self, at: usize) -> bool {
        match &self.bytes()[..at] {
            [vowel, other] => is_vowel(*vowel) && !is_vowel(*other),
            [.., b'p', b'a', b's', b't'] => true,
            [.., before, vowel, last] => {
                !is_vowel(*before) && is_vowel(*vowel) && !is_vowel(*last) && !matches!(last, b'w' | b'x' | b'Y')
            }
            _ => false,
        }
    }

    fn plural(&mut self) {
        let length = self.letters.len();
        if self.ends("sses") {
            self.replace("es", "");
        } else if self.ends("ied") || self.ends("ies") {
            self.replace("xx", if length > 4 { "" } else { "e" });
        } else if self.ends("s") && !self.ends("us") && !self.ends("ss") && self.has_vowel_before(length - 2) {
            self.replace("s", "");
        }
    }

    fn past(&mut self) {
        for ending in ["eedly", "eed"] {
            if self.ends(ending) {
                let before = self.letters.len() - ending.len();
                if before >= self.first && !BEFORE_EED.contains(&&self.letters[..before]) {
                    self.replace(ending, "ee");
                }
                return;
            }
        }
        let Some(ending) = ["ingly", "edly", "ing", "ed"].into_iter().find(|ending| self.ends(ending)) else { return };
        let before = self.letters.len() - ending.len();
        if ending == "ing" {
            if BEFORE_ING.contains(&&self.letters[..before]) {
                return;
            }
            if matches!(self.bytes()[..before], [consonant, b'y'] if !is_vowel(consonant)) {
                return self.replace("ying", "ie");
            }
        }
        if !self.has_vowel_before(before) {
            return;
        }
        self.replace(ending, "");
        let length = self.letters.len();
        let is_double = matches!(self.bytes(), [.., a, b] if a == b && b"bdfgmnprt".contains(b));
        if self.ends("at") || self.ends("bl") || self.ends("iz") {
            self.letters.push('e');
        } else if is_double {
            // `add`, `ebb` and `off` keep both letters.
            if !matches!(self.bytes(), [b'a' | b'e' | b'o', _, _]) {
                self.letters.truncate(length - 1);
            }
        } else if length <= self.first && self.is_short_before(length) {
            self.letters.push('e');
        }
    }

    fn final_y(&mut self) {
        let follows = matches!(self.bytes(), [_, .., before, b'y' | b'Y'] if !is_vowel(*before));
        if follows {
            self.replace("y", "i");
        }
    }

    /// Returns the stem after the first step's result.
    fn without_endings(mut self) -> String {
        self.second();
        self.third();
        self.fourth();
        self.fifth();
        self.letters.make_ascii_lowercase();
        self.letters
    }

    fn second(&mut self) {
        let length = self.letters.len();
        if let Some((ending, with)) = SECOND.iter().find(|(ending, _)| self.ends(ending)) {
            if length - ending.len() >= self.first {
                self.replace(ending, with);
            }
        } else if self.ends("logi") && length - 3 >= self.first {
            self.replace("i", "");
        } else if self.ends("li") && length - 2 >= self.first {
            let before = self.bytes().get(length.wrapping_sub(3));
            if before.is_some_and(|before| b"cdeghkmnrt".contains(before)) {
                self.replace("li", "");
            }
        }
    }

    fn third(&mut self) {
        let length = self.letters.len();
        if let Some((ending, with)) = THIRD.iter().find(|(ending, _)| self.ends(ending)) {
            if length - ending.len() >= self.first {
                self.replace(ending, with);
            }
        } else if self.ends("ative") && length - 5 >= self.second {
            self.replace("ative", "");
        }
    }

    fn fourth(&mut self) {
        let length = self.letters.len();
        if let Some(ending) = FOURTH.iter().find(|ending| self.ends(ending)) {
            if length - ending.len() >= self.second {
                self.replace(ending, "");
            }
        } else if (self.ends("sion") || self.ends("tion")) && length - 3 >= self.second {
            self.replace("ion", "");
        }
    }

    fn fifth(&mut self) {
        let length = self.letters.len();
        if self.ends("e") {
            let at = length - 1;
            if at >= self.second || (at >= self.first && !self.is_short_before(at)) {
                self.replace("e", "");
            }
        } else if self.ends("ll") && length > self.second {
            self.replace("l", "");
        }
    }
}

#[cfg(test)]
mod tests;
