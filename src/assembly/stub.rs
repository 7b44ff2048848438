//! Writes stubs: a tool's name and description with a schema that says how to get the real one.

use crate::catalog::Tool;

use crate::text::short_sentence;

use super::prompt::{PromptText, StubWhen};
use crate::json::quoted;

use super::wire::{Form, Format};

/// The definition of a tool as a stub, or none where the stub would not be worth it.
pub(super) fn write(tool: &Tool, format: Format, form: Form, text: &PromptText, when: StubWhen) -> Option<String> {
    let advice = quoted(&text.stub.replace("{name}", &tool.model_name));
    let parameters = format!("{{\"type\":\"object\",\"additionalProperties\":true,\"description\":{advice}}}");
    if when == StubWhen::Smaller && parameters.len() >= tool.parameters.as_str().len() {
        return None;
    }
    let description = match form {
        Form::ShortStub => short_sentence(&tool.description),
        Form::Full | Form::Stub => tool.description.to_string(),
    };
    Some(format.write(format.name_of(tool), &description, &parameters))
}
