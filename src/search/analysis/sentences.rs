//! Finds what a long message asks for: most of it tells how things came to be so, and one sentence or two say what is wanted.

/// A text of more bytes tells a story.
const STORY_BYTES: usize = 400;
/// What a sentence counts beside its neighbour that is nearer to the wish.
const NEIGHBOUR: f64 = 0.7;
/// A sentence that counts less is not read.
const READ_FROM: f64 = 0.1;

/// The sentences of a text, each with the stress that lies on its words. In a story, all of it lies on the questions; where
/// nothing is asked, on the first and the last sentence, since people begin or end with what they want. The farther from
/// these a sentence stands, the less it counts. No word of any language is needed for it.
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
    // From the end, then from the beginning.
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
}
