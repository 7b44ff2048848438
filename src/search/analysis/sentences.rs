//! Splits texts into sentences and clauses. In a long message, most sentences give background, and one or two say what
//! is wanted. Each clause of a request may ask for something else; it ends at *or*, *and*, commas, new lines and the
//! ends of sentences.

/// A text of more bytes is a story.
const STORY_BYTES: usize = 400;
/// The weight of a sentence, relative to its neighbour that is nearer to the wish.
const NEIGHBOUR: f64 = 0.7;
/// A sentence of a lower weight is not read.
const READ_FROM: f64 = 0.1;

/// Returns the sentences of a text, each with its weight (stress). In a story, questions have the full weight; if there
/// are no questions, the first and the last sentence have it, since people begin or end with what they want. The
/// farther a sentence is from these, the lower its weight. This works in any language.
pub(crate) fn sentences(text: &str) -> Vec<(&str, f64)> {
    if text.len() <= STORY_BYTES {
        return vec![(text, 1.0)];
    }
    let mut sentences: Vec<(&str, f64)> = Vec::new();
    let (mut from, mut asks) = (0, false);
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let (sentence, rest) = (&text[from..next], &text[next..]);
        let ends = match c {
            '\n' | '。' | '？' | '！' => true,
            '.' | '?' | '!' => rest.starts_with(char::is_whitespace),
            _ => false,
        };
        if (ends || rest.is_empty()) && sentence.contains(char::is_alphanumeric) {
            let is_question = matches!(c, '?' | '？');
            asks |= is_question;
            sentences.push((sentence, if is_question { 1.0 } else { 0.0 }));
            from = next;
        }
    }
    // First from the end, then from the beginning.
    for _ in 0..2 {
        sentences.reverse();
        let mut near = if asks { 0.0 } else { 1.0 };
        for (_, stress) in &mut sentences {
            *stress = stress.max(near);
            near = NEIGHBOUR * *stress;
        }
    }
    sentences.retain(|(_, stress)| *stress >= READ_FROM);
    sentences
}

/// Returns the clauses of a text, or the text itself if it has only one.
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

/// Returns true if a word joins clauses.
fn is_joint(word: &str) -> bool {
    ["and", "or", "then", "&", "+"].iter().any(|joint| word.eq_ignore_ascii_case(joint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stresses(text: &str) -> Vec<f64> {
        sentences(text).into_iter().map(|(_, stress)| stress).collect()
    }

    fn told(sentences: usize) -> String {
        "Somebody told somebody else at some length of something that was so in v1.2 or was not, who knows. "
            .repeat(sentences)
    }

    #[test]
    fn a_short_text_is_one_wish() {
        assert_eq!(stresses("We moved. Where is it? Please look."), [1.0]);
        assert_eq!(stresses(""), [1.0]);
    }

    #[test]
    fn a_story_asks_where_its_questions_stand() {
        assert_eq!(
            stresses(&format!("{}Where is it? {}", told(2), told(2))),
            [NEIGHBOUR * NEIGHBOUR, NEIGHBOUR, 1.0, NEIGHBOUR, NEIGHBOUR * NEIGHBOUR]
        );
        assert_eq!(stresses(&format!("{}それはどこですか？", told(3))).last(), Some(&1.0));
    }

    #[test]
    fn a_story_without_questions_asks_at_its_ends() {
        assert_eq!(stresses(&told(5)), [1.0, NEIGHBOUR, NEIGHBOUR * NEIGHBOUR, NEIGHBOUR, 1.0]);
        assert_eq!(stresses(&"a\n".repeat(201))[..2], [1.0, NEIGHBOUR]);
        assert_eq!(stresses(&"word ".repeat(100)), [1.0]);
        assert!(stresses(&". ".repeat(201)).is_empty());
    }

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
