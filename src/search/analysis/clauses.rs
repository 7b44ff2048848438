//! Cuts a request into clauses, each of which may ask for something else: at *or*, *and*, commas, new lines and the ends
//! of sentences.

/// The clauses of a text; the text itself where it has one only.
pub(crate) fn clauses(text: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut from = 0;
    let mut cut = |from: &mut usize, at: usize, to: usize| {
        clauses.extend(text.get(*from..at).map(str::trim).filter(|clause| clause.contains(char::is_alphanumeric)));
        *from = to;
    };
    let mut word_from = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let ends = match c {
            ',' | ';' | '|' | '\n' | '、' | '，' | '；' | '。' => true,
            '.' | '?' | '!' => text[next..].chars().next().is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends || c.is_whitespace() {
            if is_joint(&text[word_from..at]) {
                cut(&mut from, word_from, at);
            }
            word_from = next;
        }
        if ends {
            cut(&mut from, at, next);
        }
    }
    if is_joint(&text[word_from..]) {
        cut(&mut from, word_from, text.len());
    }
    cut(&mut from, text.len(), text.len());
    clauses
}

/// Whether a word joins what stands on both sides of it.
fn is_joint(word: &str) -> bool {
    ["and", "or", "then", "&", "+"].iter().any(|joint| word.eq_ignore_ascii_case(joint))
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[test]
    fn joints_and_ends_cut() {
        assert_eq!(clauses("read files or search for papers"), ["read files", "search for papers"]);
        assert_eq!(clauses("weather, calendar;notes\nmail"), ["weather", "calendar", "notes", "mail"]);
        assert_eq!(clauses("Find v1.2 of it. Then AND then send?"), ["Find v1.2 of it", "send"]);
        assert_eq!(clauses("android and origins"), ["android", "origins"]);
        assert_eq!(clauses("天气、日历。"), ["天气", "日历"]);
        assert_eq!(clauses("one thing"), ["one thing"]);
        assert!(clauses(" and, or ").is_empty());
    }
}
