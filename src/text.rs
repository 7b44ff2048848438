//! Splits text into words, parts of names, sentences and lines, for every stage.

pub(crate) use crate::spelling::{EditDistance, nearest};

/// Returns the runs of letters and digits of a text, unchanged.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty())
}

/// Returns the parts of a tool's name in lower case. It is split at every character that is not a letter or digit, and
/// before a capital that follows a small letter or a digit.
pub(crate) fn name_parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for run in words(name) {
        let mut part = String::with_capacity(run.len());
        let mut previous: Option<char> = None;
        for c in run.chars() {
            let starts = c.is_uppercase() && previous.is_some_and(|p| p.is_lowercase() || p.is_numeric());
            if starts && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
            match c.is_ascii() {
                true => part.push(c.to_ascii_lowercase()),
                false => part.extend(c.to_lowercase()),
            }
            previous = Some(c);
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// Returns a word without its plural ending.
pub(crate) fn singular(word: &str) -> String {
    const SHORT: usize = 3;
    match (word.strip_suffix("ies"), word.strip_suffix('s')) {
        _ if word.len() <= SHORT || word.ends_with("ss") => word.to_owned(),
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(stem)) => stem.to_owned(),
        (None, None) => word.to_owned(),
    }
}

/// Returns the first sentence of a description: up to a full stop, question mark or exclamation mark before white
/// space, or up to the end of the first line.
pub(crate) fn first_sentence(text: &str) -> &str {
    let line = text.trim().split(breaks_line).next().unwrap_or("").trim_end();
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = matches!(c, '.' | '!' | '?') && chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if ends || c == '。' {
            return &line[..at + c.len_utf8()];
        }
    }
    line
}

/// Returns the letters and digits of a text in lower case: the same for every spelling of a name.
pub(crate) fn normalized(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        // Most are ASCII, and a catalog has thousands of names.
        if c.is_ascii() {
            plain.push(c.to_ascii_lowercase());
        } else {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

/// Returns the text after a beginning, ignoring the case of ASCII letters, or `None` if it does not begin so.
pub(crate) fn behind<'t>(beginning: &str, text: &'t str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(beginning.len())?;
    start.eq_ignore_ascii_case(beginning).then_some(rest)
}

/// Returns the text after the last two underscores of a name, or the whole name if it has none.
pub(crate) fn behind_underscores(name: &str) -> &str {
    name.rsplit_once("__").map_or(name, |(_, own)| own)
}

/// Returns the beginning of a text, at most `bytes` bytes, cut between characters.
pub(crate) fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

/// Returns true if a character ends a line, according to Unicode.
fn breaks_line(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns a text without line breaks, so that it cannot look like several entries of a list.
pub(crate) fn one_line(text: &str) -> String {
    if text.contains(|c: char| c.is_control() || breaks_line(c)) {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    }
}

/// Returns the first sentence of a description, cut for use in a list.
pub(crate) fn short_sentence(description: &str) -> String {
    const CHARS: usize = 160;
    let sentence = first_sentence(description);
    let mut shown: String = sentence.chars().take(CHARS).collect();
    if shown.len() < sentence.len() {
        shown.push('…');
    }
    shown
}

/// Returns a list on one line, cut after 400 bytes.
pub(crate) fn short_list(list: &str) -> String {
    const BYTES: usize = 400;
    let shown = beginning(list, BYTES);
    one_line(shown) + if shown.len() < list.len() { "…" } else { "" }
}

/// `SendEmail` → `send_email`: adds an underscore before every ASCII capital except the first character, and lowers the
/// case.
pub(crate) fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (i, c) in name.chars().enumerate() {
        if i > 0 && c.is_ascii_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_parts() {
        assert_eq!(name_parts("mcp__slack__send_message"), ["mcp", "slack", "send", "message"]);
        assert_eq!(name_parts("HTTPServerStatus"), ["httpserver", "status"]);
        assert_eq!(name_parts("convertMp3ToMp4"), ["convert", "mp3", "to", "mp4"]);
        assert_eq!(name_parts("日本語翻訳"), ["日本語翻訳"]);
        assert!(name_parts("__").is_empty());
    }

    #[test]
    fn servers_in_names_end_with_two_underscores() {
        let names = ["mcp__git__create_issue", "create_issue", "a___b", "a__", ""];
        assert_eq!(names.map(behind_underscores), ["create_issue", "create_issue", "b", "", ""]);
    }

    #[test]
    fn first_sentences_end_before_white_space() {
        assert_eq!(first_sentence("Reads a file. Slowly."), "Reads a file.");
        assert_eq!(first_sentence("Reads v1.2 files\nand more"), "Reads v1.2 files");
        assert_eq!(first_sentence("  ファイルを読む。遅い。"), "ファイルを読む。");
        assert_eq!(first_sentence(""), "");
        for end in ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
            assert_eq!(first_sentence(&format!("Reads files{end}and more")), "Reads files");
        }
    }

    #[test]
    fn one_line_has_no_break() {
        for end in ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{b}", "\u{c}"] {
            assert_eq!(one_line(&format!("a{end}b")), "a b", "{end:?}");
        }
        assert_eq!(one_line("a  b"), "a  b", "a text without breaks stays");
    }
}
