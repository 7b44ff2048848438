//! What a tool of a server answered, as text for the model.

use ::rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// Characters of an answer. About 25,000 tokens: they fit into every current context window beside a conversation.
const ANSWER_CHARS: usize = 100_000;

/// The answer as text: texts on lines of their own, images and files by type and size, structured content where there is no other.
pub(super) fn text_of(result: &CallToolResult) -> String {
    match &result.structured_content {
        Some(structured) if result.content.is_empty() => structured.to_string(),
        _ => result.content.iter().map(part).collect::<Vec<_>>().join("\n"),
    }
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
