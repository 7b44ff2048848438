//! JSON texts of answers: on one line, indented, or as they already are.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::json;

/// A JSON text as it is, as a part of an answer.
pub(super) fn raw(json: &str) -> Box<RawValue> {
    json::raw(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// JSON on several lines with two blanks for every level. It indents the text of [`compact`], since serde_json would leave a
/// schema that is text already on one line.
pub(super) fn pretty(value: &impl Serialize) -> String {
    indent(&compact(value))
}

fn indent(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut level, mut in_string, mut escaped) = (0usize, false, false);
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            out.push(c);
            continue;
        }
        let closes = chars.peek().is_some_and(|next| matches!(next, '}' | ']'));
        match c {
            '{' | '[' => {
                out.push(c);
                level += usize::from(!closes);
                if !closes {
                    line(&mut out, level);
                } else if let Some(close) = chars.next() {
                    out.push(close);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, level);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, level);
            }
            ':' => out.push_str(": "),
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

/// JSON on one line.
pub(super) fn compact(value: &impl Serialize) -> String {
    // Answers consist of texts, numbers and lists, which can all be written.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn indented_json_is_what_serde_writes() {
        let value =
            serde_json::json!({ "a": [], "b": {}, "c": [1, "x\"]}, {: \\"], "d": { "e": [{ "f": null }, []] } });
        assert_eq!(Ok(super::pretty(&value)), serde_json::to_string_pretty(&value).map_err(|_| ()));
    }
}
