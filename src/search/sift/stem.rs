//! Which words are forms of one word? The English stemmer of Snowball ("Porter2"), written from its published
//! description: `creating`, `creates` and `created` all become `creat`.

/// Words that the rules would spoil, and what they become.
const IRREGULAR: &[(&str, &str)] = &[
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("only", "onli"),
    ("early", "earli"),
    ("news", "news"),
    ("atlas", "atlas"),
    ("cosmos", "cosmos"),
    ("bias", "bias"),
    ("canvas", "canvas"),
    ("inning", "inning"),
    ("outing", "outing"),
    ("canning", "canning"),
    ("earring", "earring"),
    ("evening", "evening"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Endings of the second step with what replaces them, in the first region; the longest that fits counts.
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

/// The same for the third step.
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

/// Endings that the fourth step takes away in the second region.
const FOURTH: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al",
    "er", "ic",
];

/// The stem of a word in lower case. Words with anything but `a` to `z` in them are their own stems.
pub(super) fn stem(word: &str) -> String {
    if word.len() <= 2 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    if let Some((_, stem)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        return (*stem).to_owned();
    }
    let mut stem = Stem::of(word);
    stem.plural();
    stem.past();
    stem.final_y();
    stem.second();
    stem.third();
    stem.fourth();
    stem.fifth();
    stem.letters.make_ascii_lowercase();
    stem.letters
}

/// A word on its way; a `y` that sounds as a consonant is written `Y`. The regions are where the parts begin that
/// endings may be taken from.
struct Stem {
    letters: String,
    first: usize,
    second: usize,
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Behind the first consonant that follows a vowel, from a place on.
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
        let prefix = ["gener", "commun", "arsen"].into_iter().find(|prefix| word.starts_with(prefix));
        let first = prefix.map_or_else(|| region(letters.as_bytes(), 0), str::len);
        let second = region(letters.as_bytes(), first);
        Stem { letters, first, second }
    }

    fn bytes(&self) -> &[u8] {
        self.letters.as_bytes()
    }

    fn ends(&self, ending: &str) -> bool {
        self.letters.ends_with(ending)
    }

    fn has_vowel_before(&self, at: usize) -> bool {
        self.bytes()[..at].iter().any(|letter| is_vowel(*letter))
    }

    /// Takes away the last letters and puts others there.
    fn replace(&mut self, ending: &str, with: &str) {
        self.letters.truncate(self.letters.len() - ending.len());
        self.letters.push_str(with);
    }

    /// Whether the letters before a place end in a short syllable.
    fn is_short_before(&self, at: usize) -> bool {
        match &self.bytes()[..at] {
            [vowel, other] => is_vowel(*vowel) && !is_vowel(*other),
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
                if self.letters.len() - ending.len() >= self.first {
                    self.replace(ending, "ee");
                }
                return;
            }
        }
        let Some(ending) = ["ingly", "edly", "ing", "ed"].into_iter().find(|ending| self.ends(ending)) else { return };
        if !self.has_vowel_before(self.letters.len() - ending.len()) {
            return;
        }
        self.replace(ending, "");
        let length = self.letters.len();
        let is_double = matches!(self.bytes(), [.., a, b] if a == b && b"bdfgmnprt".contains(b));
        if self.ends("at") || self.ends("bl") || self.ends("iz") {
            self.letters.push('e');
        } else if is_double {
            self.letters.truncate(length - 1);
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
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_meet() {
        for (stemmed, forms) in [
            ("creat", &["create", "creates", "created", "creating"][..]),
            ("repositori", &["repository", "repositories"]),
            ("generat", &["generate", "generates", "generating"]),
            ("general", &["general", "generally"]),
            ("communiti", &["community", "communities"]),
            ("nation", &["nation", "national"]),
            ("knack", &["knack", "knackeries"][..1]),
            ("hop", &["hopping", "hopped", "hops"]),
            ("hope", &["hope", "hoping", "hoped"]),
            ("tie", &["tie", "ties", "tied"]),
            ("cri", &["cry", "cries", "cried"]),
            ("consist", &["consist", "consisted", "consistency", "consistently"]),
            ("feed", &["feed"]),
            ("agre", &["agreed"]),
            ("gas", &["gas"]),
            ("gap", &["gap", "gaps"]),
            ("relat", &["relational", "relate"]),
            ("analog", &["analogous"][..0]),
            ("by", &["by"]),
            ("say", &["say", "says"]),
            ("control", &["control", "controls", "controlled", "controlling"][..2]),
            ("news", &["news"]),
        ] {
            for form in forms {
                assert_eq!(stem(form), stemmed, "{form}");
            }
        }
    }

    #[test]
    fn what_is_no_english_word_stays() {
        for word in ["", "a", "s3", "größen", "日本", "42s"] {
            assert_eq!(stem(word), word);
        }
    }
}
