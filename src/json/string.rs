//! Strings: their text without quotes and escapes, and back.

use std::borrow::Cow;

use super::fault::Fault;

/// A text as a string.
pub(crate) fn quoted(text: &str) -> String {
    // Writing a text cannot fail; its `Display` would be a second writer in the wasm.
    serde_json::to_string(text).unwrap_or_default()
}

/// The text of a string that was scanned before and stands at byte `at`. Without escapes it is borrowed.
pub(super) fn unquoted(quoted: &str, at: usize) -> Result<Cow<'_, str>, Fault> {
    let plain = &quoted[1..quoted.len() - 1];
    if plain.contains('\\') { decoded(quoted, at).map(Cow::Owned) } else { Ok(Cow::Borrowed(plain)) }
}

/// The text of a value that was scanned before; none where the value is no string.
pub(crate) fn text_of(value: &str) -> Option<Result<Cow<'_, str>, Fault>> {
    value.starts_with('"').then(|| unquoted(value, 0))
}

/// The text of a string that is checked already, which stands at some byte.
pub(super) fn decoded(quoted: &str, at: usize) -> Result<String, Fault> {
    let mut rest = &quoted[1..quoted.len() - 1];
    let mut text = String::with_capacity(rest.len());
    while let Some(escape) = rest.find('\\') {
        text.push_str(&rest[..escape]);
        let (letter, width) = escaped(&rest[escape..]).ok_or(Fault { what: "half a surrogate pair", at })?;
        text.push(letter);
        rest = &rest[escape + width..];
    }
    text.push_str(rest);
    Ok(text)
}

/// What an escape stands for, and how long it is.
fn escaped(text: &str) -> Option<(char, usize)> {
    let letter = match text.as_bytes()[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = unit(text, 0)?;
            if let Some(letter) = char::from_u32(first) {
                return Some((letter, 6));
            }
            let second = unit(text, 6)?;
            let is_pair = (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second);
            let letter = char::from_u32(0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF));
            return letter.filter(|_| is_pair).map(|letter| (letter, 12));
        }
        itself => char::from(itself),
    };
    Some((letter, 2))
}

/// The value of a `\uXXXX` escape at a position, if there is one.
pub(crate) fn unit(json: &str, at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}
