//! Turns the answer of a tool into text for the model: texts unchanged, anything else as JSON. Images, audio and files
//! become notes of their type and size: as base64 text they would cost tokens and tell the model nothing.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};
use crate::json::{Fields, Value, checked, items, text_of};

use super::read_on::cut;

/// The answer of a tool, for the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnswerText {
    /// The texts of the parts on separate lines, or the answer as text or JSON.
    pub text: String,
    /// The content of an MCP result in its order, and last the structured data that no text repeats. Empty for other
    /// answers.
    pub parts: Vec<AnswerPart>,
    /// True if the answer says that the tool failed.
    pub is_error: bool,
}

/// A part of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnswerPart {
    /// The text, or a note of an image or file.
    pub text: String,
    /// The image, for a model that sees images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<AnswerImage>,
}

/// An image of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnswerImage {
    /// The media type.
    pub mime_type: String,
    /// The data in base64.
    pub data: String,
}

impl AnswerText {
    /// Reads an answer as JSON: the result of MCP's `tools/call`, a text, or anything else.
    ///
    /// # Errors
    /// `not_json`.
    pub fn read(answer: &str) -> Result<AnswerText> {
        let not_json = |fault| Error::new(ErrorCode::NotJson, format!("the answer is no JSON: {fault}"));
        let json = checked(answer).map_err(not_json)?;
        if let Some(text) = text_of(json) {
            return Ok(AnswerText::of(named(&text.map_err(not_json)?).into_owned()));
        }
        let result = Fields::read(json).unwrap_or_default();
        let content = result.get("content").filter(|content| content.starts_with('[')).map(|_| result.items("content"));
        let parts: Option<Vec<Part<'_>>> = content.and_then(|parts| parts.into_iter().map(Part::read).collect());
        let Some(parts) = parts else {
            return Ok(AnswerText::of(if json == "null" { String::new() } else { all_named(json) }));
        };
        let data = result.some("structuredContent").filter(|data| !matches!(*data, "{}" | "[]") || parts.is_empty());
        let data = data.filter(|data| !is_repeated(data, &parts)).map(all_named);
        let content = parts.iter().map(|part| AnswerPart { text: part.text(), image: part.image() });
        let data = data.map(|text| AnswerPart { text, image: None });
        let parts: Vec<AnswerPart> = content.chain(data).collect();
        let text = parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join("\n");
        Ok(AnswerText { text, parts, is_error: result.is_true("isError") })
    }

    fn of(text: String) -> AnswerText {
        AnswerText { text, ..AnswerText::default() }
    }

    /// Returns a text of at most `most` characters, or its beginning and advice about the rest. No session keeps the
    /// rest; for that see [`SessionHandle::cut_answer`](crate::SessionHandle::cut_answer).
    pub fn cut(text: &str, most: usize) -> String {
        cut(text, 0, most, None)
    }
}

/// A part of the content of an MCP answer.
struct Part<'a> {
    json: &'a str,
    kind: Cow<'a, str>,
    fields: Fields<'a>,
}

impl<'a> Part<'a> {
    fn read(json: &'a str) -> Option<Part<'a>> {
        let fields = Fields::read(json).ok()?;
        Some(Part { json, kind: fields.text("type")?, fields })
    }

    /// Returns the image of the part. Vendors refuse the whole request if an image has another type, or is not base64.
    fn image(&self) -> Option<AnswerImage> {
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=".contains(&byte);
        let data = self.fields.text("data").filter(|_| self.kind == "image")?;
        let mime_type = self.fields.text("mimeType")?.into_owned();
        data.bytes().all(is_base64).then(|| AnswerImage { mime_type, data: data.into_owned() })
    }

    /// Returns the text of the part, or of a resource in it.
    fn said(&self) -> Option<Cow<'a, str>> {
        let of_resource = || self.fields.object("resource")?.text("text");
        self.fields.text("text").or_else(of_resource)
    }

    fn text(&self) -> String {
        let resource = self.fields.object("resource").unwrap_or_default();
        if let Some(text) = self.said() {
            let text = named(&text);
            // The model refers to a resource by its URI.
            return resource.text("uri").map_or_else(|| text.to_string(), |uri| format!("{uri}:\n{text}"));
        }
        if let Some(data) = self.fields.text("data") {
            return sized(&self.fields.text("mimeType").unwrap_or(self.kind.clone()), &data);
        }
        match resource.text("blob") {
            Some(blob) => {
                let kind = resource.text("mimeType").unwrap_or("a file".into());
                sized(&format!("{}, {kind}", resource.text("uri").unwrap_or_default()), &blob)
            }
            None => all_named(self.json),
        }
    }
}

/// Returns true if the content repeats the structured data, alone or within other words. Server SDKs wrap data that is
/// not an object as `result`, and write the items of a list as separate texts; file servers wrap the content.
fn is_repeated(data: &str, parts: &[Part<'_>]) -> bool {
    let texts: Vec<Said<'_>> = parts.iter().filter_map(Part::said).map(Said::new).collect();
    let content: Vec<Value> = parts.iter().filter_map(|part| value_of(part.json)).collect();
    let stands = |json: &str| {
        let Some(wanted) = value_of(json) else { return false };
        let list = wanted.as_array();
        let each = |list: &Vec<Value>| {
            let items = items(json).unwrap_or_default();
            list.len() == texts.len()
                && texts.iter().zip(items.iter().zip(list)).all(|(text, (json, item))| text.holds(json, item))
        };
        texts.iter().any(|text| text.holds(json, &wanted))
            || content.contains(&wanted)
            || list.is_some_and(|list| *list == content || each(list))
    };
    let fields = || {
        Fields::read(data)
            .is_ok_and(|fields| !fields.entries().is_empty() && fields.entries().iter().all(|(_, value)| stands(value)))
    };
    stands(data) || fields()
}

/// A text of an answer.
struct Said<'a> {
    text: Cow<'a, str>,
    /// The text as JSON.
    value: Option<Value>,
    /// The text without spaces.
    packed: OnceCell<String>,
}

impl<'a> Said<'a> {
    fn new(text: Cow<'a, str>) -> Self {
        Said { value: value_of(&text), packed: OnceCell::new(), text }
    }

    /// Returns true if the text is a value, or has it between other words.
    fn holds(&self, json: &str, wanted: &Value) -> bool {
        let is_list = wanted.as_array().is_some_and(|list| !list.is_empty());
        // A number or a word may occur in any text by chance.
        let is_long = is_list || wanted.as_object().is_some_and(|object| !object.is_empty());
        let packed = || self.packed.get_or_init(|| without_spaces(&self.text));
        wanted.as_str() == Some(&self.text)
            || self.value.as_ref() == Some(wanted)
            || is_long && packed().contains(&without_spaces(json))
    }
}

/// Servers write the data in a text with other spaces.
fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Parses JSON. JavaScript knows one type of numbers: it writes 1.0 as 1, and rounds large integers.
fn value_of(json: &str) -> Option<Value> {
    fn with_floats(value: Value) -> Value {
        match value {
            Value::Number(number) => number.as_f64().into(),
            Value::Array(list) => list.into_iter().map(with_floats).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, with_floats(value))).collect(),
            other => other,
        }
    }
    serde_json::from_str(json).ok().map(with_floats)
}

/// Replaces the data URLs in a JSON text by notes.
fn all_named(json: &str) -> String {
    let mut written = String::new();
    let mut rest = json;
    while let Some(at) = rest.find("\"data:") {
        let (before, url) = rest.split_at(at + 1);
        written.push_str(before);
        let end = url.find('"').unwrap_or(url.len());
        // An escaped quotation mark is inside a text.
        written.push_str(&if before.ends_with("\\\"") { Cow::Borrowed(&url[..end]) } else { named(&url[..end]) });
        rest = &url[end..];
    }
    written + rest
}

/// Returns a note instead of a data URL that is larger than a small icon; another text is returned unchanged.
fn named(text: &str) -> Cow<'_, str> {
    const SMALL_ICON: usize = 400;
    let url = text.strip_prefix("data:").and_then(|url| url.split_once(','));
    let Some((head, data)) = url.and_then(|(head, data)| Some((head.strip_suffix(";base64")?, data))) else {
        return text.into();
    };
    if data.len() < SMALL_ICON || head.len() > SMALL_ICON {
        return text.into();
    }
    let kind = head.split(';').next().filter(|kind| kind.contains('/')).unwrap_or("data");
    sized(kind, data).into()
}

/// Returns the note for base64 data: its type and its size.
fn sized(what: &str, base64: &str) -> String {
    let size = base64.trim_end_matches('=').len() * 3 / 4;
    let (amount, unit) = match size {
        0..1_000 => return format!("({what}, {size} bytes, not shown)"),
        1_000..1_000_000 => (size as f64 / 1e3, "KB"),
        _ => (size as f64 / 1e6, "MB"),
    };
    let places = if amount < 10.0 { 2 } else { usize::from(amount < 100.0) };
    let amount = format!("{amount:.places$}");
    let amount = if places > 0 { amount.trim_end_matches('0').trim_end_matches('.') } else { &amount };
    format!("({what}, {amount} {unit}, not shown)")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_texts() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let url = format!("data:image/png;base64,{}", "A".repeat(4_000));
        let result = |content: Value, data: Value| json!({ "content": content, "structuredContent": data });
        for (answer, said) in [
            (json!("plain"), "plain"),
            (json!(null), ""),
            (json!({ "rows": [1, "two"] }), r#"{"rows":[1,"two"]}"#),
            (json!({ "content": "a page" }), r#"{"content":"a page"}"#),
            (json!({ "content": [{ "id": 1 }] }), r#"{"content":[{"id":1}]}"#),
            (json!(url), "(image/png, 3 KB, not shown)"),
            (json!({ "photo": url }), r#"{"photo":"(image/png, 3 KB, not shown)"}"#),
            (json!({ "photo": "data:,short" }), r#"{"photo":"data:,short"}"#),
            (json!([format!("\"{url}")]), &json!([format!("\"{url}")]).to_string()),
            (result(json!([text("a"), text("b")]), Value::Null), "a\nb"),
            (result(json!([text("a")]), json!({ "b": 1 })), "a\n{\"b\":1}"),
            (result(json!([text("{\"b\": 1}")]), json!({ "b": 1 })), "{\"b\": 1}"),
            (result(json!([text("a"), text("b")]), json!({ "result": ["a", "b"] })), "a\nb"),
            (result(json!([text("It is {\"b\":1}.")]), json!({ "result": { "b": 1 } })), "It is {\"b\":1}."),
            (result(json!([text("It is {\n  \"b\": 1\n}.")]), json!({ "b": 1 })), "It is {\n  \"b\": 1\n}."),
            (result(json!([text("a")]), json!({ "content": [text("a")] })), "a"),
            (result(json!([text("{\"b\": 1.0}")]), json!({ "b": 1 })), "{\"b\": 1.0}"),
            (
                result(json!([text("12345678901234567890")]), json!({ "id": 12345678901234567000_u64 })),
                "12345678901234567890",
            ),
            (result(json!([text("null")]), json!({ "result": null })), "null"),
            (result(json!([text("a")]), json!({})), "a"),
            (result(json!([text("a")]), json!([])), "a"),
            (result(json!([text("not null")]), json!({ "b": null })), "not null\n{\"b\":null}"),
            (result(json!([{ "type": "resource", "resource": { "uri": "f", "text": "t" } }]), Value::Null), "f:\nt"),
            (result(json!([{ "type": "resource", "resource": { "text": "t" } }]), Value::Null), "t"),
            (result(json!([{ "type": "image", "data": "QUJD" }]), Value::Null), "(image, 3 bytes, not shown)"),
            (
                result(json!([{ "type": "image", "data": "(3 bytes)", "mimeType": "image/png" }]), Value::Null),
                "(image/png, 6 bytes, not shown)",
            ),
            (
                result(json!([{ "type": "audio", "mimeType": "audio/wav", "data": "Q".repeat(5_373) }]), Value::Null),
                "(audio/wav, 4.03 KB, not shown)",
            ),
            (
                result(
                    json!([{ "type": "resource", "resource": { "uri": "f", "blob": "Q".repeat(1_200) } }]),
                    Value::Null,
                ),
                "(f, a file, 900 bytes, not shown)",
            ),
        ] {
            let read = AnswerText::read(&answer.to_string()).unwrap();
            assert_eq!((&*read.text, read.is_error), (said, false), "{answer}");
            assert!(read.parts.iter().all(|part| part.image.is_none()), "{answer}");
        }
        let image = json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" });
        let read = AnswerText::read(&json!({ "content": [text("See."), image], "isError": true }).to_string()).unwrap();
        assert_eq!((&*read.text, read.is_error), ("See.\n(image/png, 8 bytes, not shown)", true));
        let image = read.parts[1].image.as_ref().unwrap();
        assert_eq!((&*image.mime_type, &*image.data), ("image/png", "iVBORw0KGgo="));
        assert_eq!(AnswerText::read("{").unwrap_err().code(), ErrorCode::NotJson);
    }
}
