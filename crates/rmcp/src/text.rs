//! What a tool of a server answered, as text for the model.

use serde_json::Value;

use ::rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// Characters of an answer. About 25,000 tokens: they fit into every current context window beside a conversation.
const ANSWER_CHARS: usize = 100_000;

/// The answer as text: texts on lines of their own, images and files by type and size, and structured data that no text
/// repeats behind them.
pub(super) fn text_of(result: &CallToolResult) -> String {
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    match &result.structured_content {
        Some(data) if !data.is_null() && !is_repeated(data, &parts) => parts.push(data.to_string()),
        _ => {}
    }
    parts.join("\n")
}

/// Whether texts hold the data, or each value of them: SDKs of servers wrap what is no object as `result`, and write the items
/// of a list as texts of their own; servers of files wrap the content.
fn is_repeated(data: &Value, texts: &[String]) -> bool {
    let stands = |value: &Value| {
        let items = value.as_array().filter(|items| items.len() == texts.len());
        texts.iter().any(|text| holds(text, value))
            || items.is_some_and(|items| texts.iter().zip(items).all(|(text, item)| holds(text, item)))
    };
    stands(data) || data.as_object().is_some_and(|fields| !texts.is_empty() && fields.values().all(stands))
}

fn holds(text: &str, value: &Value) -> bool {
    value.as_str() == Some(text) || serde_json::from_str::<Value>(text).is_ok_and(|read| read == *value)
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => placeholder(&image.mime_type, &image.data),
        ContentBlock::Audio(audio) => placeholder(&audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                placeholder(&format!("{uri}, {}", mime_type.as_deref().unwrap_or("a file")), blob)
            }
            _ => as_json(block),
        },
        _ => as_json(block),
    }
}

fn as_json(block: &ContentBlock) -> String {
    serde_json::to_string(block).unwrap_or_default()
}

fn placeholder(what: &str, base64: &str) -> String {
    format!("({what}, {} bytes, not shown)", base64.trim_end_matches('=').len() * 3 / 4)
}

/// The text, or its beginning and how to read the rest.
pub(super) fn bounded(text: String) -> String {
    let chars = text.chars().count();
    if chars <= ANSWER_CHARS {
        return text;
    }
    let again =
        "To read the rest, call the tool again for less at once: with a filter, a page, a range, or fewer fields.";
    let end = |kept: usize| format!("\n\n[Cut: these are the first {kept} of {chars} characters. {again}]");
    let kept = ANSWER_CHARS - end(ANSWER_CHARS).len();
    text.chars().take(kept).chain(end(kept).chars()).collect()
}
