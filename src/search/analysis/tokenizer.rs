//! Splits a text into words: at every character that is not a letter or digit, in camelCase and after acronyms. Words
//! are in lower case, without accents; scripts without blanks between words become pairs of characters. Invisible
//! characters are left out, and letters of other scripts in a Latin word become the Latin letters that they look like.

use crate::search::analysis::look_alikes::{folded, is_invisible, is_mixed};

/// Letters without their marks: each plain letter, with every marked form of it.
const MARKED: &[(&str, &str)] = &[
    ("a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęěẹẻẽếềểễệ"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįıỉị"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŉ"),
    ("o", "òóôõöøōŏőọỏốồổỗộớờởỡợơ"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧțþ"),
    ("u", "ùúûüũūŭůűųụủứừửữựư"),
    ("w", "ŵ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("z", "źżž"),
    ("е", "ё"),
];

/// The maximum bytes of a word. Longer runs of letters are cut, so that no text makes a term of any length.
const WORD_BYTES: usize = 40;

/// The origin of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is a whole run in the text.
    Whole,
    /// It is a run whose parts follow as separate words.
    Joined,
    /// It is a part of the run before it.
    Part,
}

/// Calls back with every word of a text in order. If camelCase or an acronym splits a run, the whole run comes first,
/// marked as [`Cut::Joined`], and then its parts: `GitHub` gives `github`, `git` and `hub`.
pub(crate) fn each_word(text: &str, mut take: impl FnMut(&str, Cut)) {
    let bytes = text.as_bytes();
    let mut word = String::with_capacity(WORD_BYTES);
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        match bytes.get(at) {
            // Nearly all runs of letters are completely ASCII.
            None | Some(0..0x80) => {
                if at > from {
                    ascii_run(&text[from..at], &mut word, &mut take);
                }
                at += 1;
            }
            Some(_) => at = from + unicode_run(&text[from..], &mut take),
        }
    }
}

/// Splits the run of any script at the beginning of a text. Returns the bytes of the run and of the character after it.
fn unicode_run(text: &str, take: &mut dyn FnMut(&str, Cut)) -> usize {
    let is_outside = |c: char| !(c.is_alphanumeric() || is_mark(c) || is_invisible(c));
    let end = text.find(is_outside).unwrap_or(text.len());
    let mut letters: Vec<char> = text[..end].chars().filter(|c| !is_invisible(*c)).collect();
    if is_mixed(&letters) {
        letters.iter_mut().for_each(|letter| *letter = folded(*letter));
    }
    if !letters.is_empty() {
        run(&letters, take);
    }
    end + text[end..].chars().next().map_or(0, char::len_utf8)
}

/// Splits a run of ASCII letters and digits; `word` is a buffer.
fn ascii_run(run: &str, word: &mut String, take: &mut impl FnMut(&str, Cut)) {
    let bytes = run.as_bytes();
    // Most runs are in lower case.
    if bytes.len() <= WORD_BYTES && !bytes.iter().any(u8::is_ascii_uppercase) {
        return take(run, Cut::Whole);
    }
    let mut lower = |text: &str, cut: Cut| {
        word.clear();
        word.push_str(&text[..text.len().min(WORD_BYTES)]);
        word.make_ascii_lowercase();
        take(word, cut);
    };
    let starts = |at: &usize| {
        let (before, here) = (bytes[at - 1], bytes[*at]);
        let ends_acronym = before.is_ascii_uppercase() && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        here.is_ascii_uppercase() && (!before.is_ascii_uppercase() || ends_acronym)
    };
    let mut starts = (1..bytes.len()).filter(starts).peekable();
    if starts.peek().is_none() {
        return lower(run, Cut::Whole);
    }
    lower(run, Cut::Joined);
    let mut from = 0;
    for at in starts.chain([bytes.len()]) {
        lower(&run[from..at], Cut::Part);
        from = at;
    }
}

/// Splits a run of letters of any script.
fn run(letters: &[char], take: &mut dyn FnMut(&str, Cut)) {
    let mut from = 0;
    for at in 1..=letters.len() {
        let is_end = at == letters.len();
        if is_end || is_unspaced(letters[at]) != is_unspaced(letters[at - 1]) {
            if is_unspaced(letters[from]) {
                pairs(&letters[from..at], take)
            } else {
                humps(&letters[from..at], take)
            }
            from = at;
        }
    }
}

fn pairs(letters: &[char], take: &mut dyn FnMut(&str, Cut)) {
    if let [only] = letters {
        return take(only.encode_utf8(&mut [0; 4]), Cut::Whole);
    }
    for pair in letters.windows(2) {
        take(&pair.iter().collect::<String>(), Cut::Whole);
    }
}

fn humps(letters: &[char], take: &mut dyn FnMut(&str, Cut)) {
    let starts = |at: &usize| {
        let (before, here) = (letters[at - 1], letters[*at]);
        let ends_acronym = before.is_uppercase() && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        here.is_uppercase() && (before.is_lowercase() || before.is_numeric() || ends_acronym)
    };
    let starts: Vec<usize> = (1..letters.len()).filter(starts).collect();
    if starts.is_empty() {
        return take(&plain(letters), Cut::Whole);
    }
    take(&plain(letters), Cut::Joined);
    let mut from = 0;
    for at in starts.into_iter().chain([letters.len()]) {
        take(&plain(&letters[from..at]), Cut::Part);
        from = at;
    }
}

/// Returns letters in lower case without marks.
fn plain(letters: &[char]) -> String {
    let mut word = String::with_capacity(letters.len());
    for letter in letters.iter().flat_map(|letter| letter.to_lowercase()) {
        if word.len() >= WORD_BYTES {
            break;
        }
        match letter {
            letter if is_mark(letter) => {}
            'a'..='z' | '0'..='9' => word.push(letter),
            // Full-width letters and digits of East Asian keyboards.
            '\u{ff01}'..='\u{ff5e}' => word.extend(char::from_u32(letter as u32 - 0xfee0)),
            _ => match MARKED.iter().find(|(_, marked)| marked.contains(letter)) {
                Some((letters, _)) => word.push_str(letters),
                None => word.push(letter),
            },
        }
    }
    word
}

/// Returns true for a combining mark.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Returns true if a character belongs to a script without blanks between words: Thai to Khmer, kana, Han and Hangul.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let take = |word: &str, cut| words.push(if cut == Cut::Joined { format!("{word}:") } else { word.into() });
        each_word(text, take);
        words
    }

    #[test]
    fn humps_and_acronyms_end_words() {
        assert_eq!(words("create_issue, list-PRs"), ["create", "issue", "list", "prs:", "p", "rs"]);
        assert_eq!(words("HTTPServerStatus"), ["httpserverstatus:", "http", "server", "status"]);
        assert_eq!(words("convertMp3To4"), ["convertmp3to4:", "convert", "mp3", "to4"]);
        assert_eq!(words("S3 BUCKET"), ["s3", "bucket"]);
    }

    #[test]
    fn accents_and_widths_do_not_matter() {
        assert_eq!(words("Größe Ménü Ａ１ cafe\u{301}"), ["grosse", "menu", "a1", "cafe"]);
        assert_eq!(words("Ёлка"), ["елка"]);
    }

    #[test]
    fn what_nobody_sees_divides_no_word_and_look_alikes_are_latin() {
        assert_eq!(words("cre\u{200b}ate\u{202e} \u{feff}issue\u{e0041}"), ["create", "issue"]);
        assert_eq!(words("сrеаtе_issuе ЅEND 𝐬𝐞𝐧𝐝"), ["create", "issue", "send", "send"]);
        assert_eq!(words("рост όνομα"), ["рост", "όνομα"], "words of one script stay");
    }

    #[test]
    fn scripts_without_blanks_come_in_pairs() {
        assert_eq!(words("画像検索 API"), ["画像", "像検", "検索", "api"]);
        assert_eq!(words("猫x"), ["猫", "x"]);
    }

    #[test]
    fn no_word_is_longer_than_the_bound() {
        assert!(words(&"ß".repeat(1000))[0].len() <= WORD_BYTES + 1);
        assert_eq!(words(&"x".repeat(1000))[0].len(), WORD_BYTES);
    }

    #[test]
    fn the_way_for_ascii_agrees_with_the_way_for_all_letters() {
        const PIECES: [&str; 15] =
            ["a", "B", "7", "xY", "HTTP", " ", "_", "é", "Ñ", "—", "日", "\u{301}", "ß", "-a", "\u{200b}"];
        let mut dice = 7u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..6 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(PIECES[(dice >> 16) as usize % PIECES.len()]);
            }
            let mut slow = Vec::new();
            let visible = text.replace('\u{200b}', "");
            for letters in visible.split(|c: char| !(c.is_alphanumeric() || is_mark(c))).filter(|run| !run.is_empty()) {
                run(&letters.chars().collect::<Vec<_>>(), &mut |word, cut| slow.push((word.to_owned(), cut)));
            }
            let mut fast = Vec::new();
            each_word(&text, |word, cut| fast.push((word.to_owned(), cut)));
            assert_eq!(fast, slow, "{text:?}");
        }
    }
}
