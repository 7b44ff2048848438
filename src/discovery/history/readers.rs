//! Reads the calls of one message in each format.

use std::borrow::Cow;

use crate::json::{Fields, quoted};

use super::{Calls, MessageFormat};

type Reader = for<'a> fn(&Fields<'a>, &mut Calls<'a>);

pub fn of(format: MessageFormat) -> Reader {
    match format {
        MessageFormat::OpenAi => openai,
        MessageFormat::OpenAiResponses => responses,
        MessageFormat::Anthropic => anthropic,
        MessageFormat::Google => google,
        MessageFormat::Mcp => mcp,
        MessageFormat::AiSdk => ai_sdk,
        MessageFormat::LangChain => langchain,
        MessageFormat::Bedrock => bedrock,
        MessageFormat::PydanticAi => pydantic_ai,
    }
}

fn openai<'a>(message: &Fields<'a>, calls: &mut Calls<'a>) {
    match message.text("role").as_deref() {
        Some("assistant") => {
            for call in message.objects("tool_calls") {
                let function = call.object("function").unwrap_or_default();
                calls.call(function.text("name"), function.get("arguments"), call.text("id"));
            }
            // The older form, before a message could have several calls.
            let old = message.object("function_call").unwrap_or_default();
            calls.call(old.text("name"), old.get("arguments"), None);
        }
        Some("tool" | "function") => {
            calls.answer(message.get("content"), message.text("tool_call_id"), message.text("name"), false);
        }
        _ => calls.forget(),
    }
}

fn responses<'a>(item: &Fields<'a>, calls: &mut Calls<'a>) {
    let id = item.text("call_id");
    match item.text("type").as_deref() {
        Some("function_call") => calls.call(item.text("name"), item.get("arguments"), id),
        Some("function_call_output") => calls.answer(item.get("output"), id, None, false),
        Some("tool_search_call") => calls.asked(None, None, id),
        Some("tool_search_output") => calls.say(given(item), id, None, false),
        Some("additional_tools") => calls.given(given(item)),
        _ => {}
    }
}

/// Returns references to the tools in an item, including tools in namespaces.
fn given<'a>(item: &Fields<'a>) -> Cow<'a, str> {
    let inner = |tool: Fields<'a>| match tool.text("type").as_deref() {
        Some("namespace") if tool.get("tools").is_some() => tool.objects("tools"),
        _ => vec![tool],
    };
    let names = item.objects("tools").into_iter().flat_map(inner).filter_map(|tool| tool.text("name"));
    let reference = |name: Cow<'_, str>| format!(r#"{{"type":"tool_reference","tool_name":{}}}"#, quoted(&name));
    Cow::Owned(format!("[{}]", names.map(reference).collect::<Vec<_>>().join(",")))
}

fn anthropic<'a>(message: &Fields<'a>, calls: &mut Calls<'a>) {
    let is_model = message.text("role").as_deref() == Some("assistant");
    for block in message.objects("content") {
        let asks = |name: &str| name.starts_with("tool_search_tool_");
        match block.text("type").as_deref() {
            Some("tool_result") if !is_model => {
                calls.answer(block.get("content"), block.text("tool_use_id"), None, block.is_true("is_error"));
            }
            Some("tool_use") if is_model => calls.call(block.text("name"), block.get("input"), block.text("id")),
            Some("server_tool_use") if is_model && block.text("name").as_deref().is_some_and(asks) => {
                calls.asked(None, None, block.text("id"));
            }
            Some("tool_search_tool_result") if is_model => {
                calls.say(block.get("content").unwrap_or_default().into(), block.text("tool_use_id"), None, false);
            }
            _ => {}
        }
    }
}

fn google<'a>(content: &Fields<'a>, calls: &mut Calls<'a>) {
    let role = content.text("role");
    let is_model = role.as_deref() == Some("model");
    let mut has_answers = false;
    for part in content.objects("parts") {
        if let Some(call) = part.object("functionCall").filter(|_| is_model) {
            calls.call(call.text("name"), call.get("args"), call.text("id"));
        }
        has_answers |= part.get("functionResponse").is_some();
        if let Some(said) = part.object("functionResponse").filter(|_| !is_model) {
            let failed = said.object("response").is_some_and(|response| response.get("error").is_some());
            calls.answer(said.get("response"), said.text("id"), said.text("name"), failed);
        }
    }
    if role.as_deref() == Some("user") && !has_answers {
        calls.forget();
    }
}

fn mcp<'a>(call: &Fields<'a>, calls: &mut Calls<'a>) {
    calls.call(call.text("name"), call.get("arguments"), None);
    if call.get("result").is_some() {
        let failed = call.object("result").is_some_and(|result| result.is_true("isError"));
        calls.answer(call.get("result"), None, call.text("name"), failed);
    }
    calls.forget();
}

/// Reads a message of AI SDK. Model messages have calls as parts, and answers in separate messages. UI messages, which
/// hosts store, have call and answer in one part.
fn ai_sdk<'a>(message: &Fields<'a>, calls: &mut Calls<'a>) {
    let role = message.text("role");
    if !matches!(role.as_deref(), Some("assistant" | "tool")) {
        return;
    }
    let is_model = role.as_deref() == Some("assistant");
    for part in message.objects("content") {
        match part.text("type").as_deref() {
            Some("tool-call") if is_model => ai_sdk_call(&part, part.text("toolName"), calls),
            Some("tool-result") => {
                let output = part.some("output").or_else(|| part.get("result"));
                let kind = part.object("output").or_else(|| part.object("result"));
                let kind = kind.and_then(|output| output.text("type")).unwrap_or_default();
                let failed = kind.starts_with("error-") || kind == "execution-denied";
                calls.answer(output, part.text("toolCallId"), None, failed);
            }
            _ => {}
        }
    }
    for part in message.objects("parts") {
        let kind = part.text("type").unwrap_or_default();
        let name = match kind.strip_prefix("tool-") {
            Some(name) => Some(Cow::Owned(name.to_owned())),
            None if kind == "dynamic-tool" => part.text("toolName"),
            None => continue,
        };
        ai_sdk_call(&part, name, calls);
        match part.text("state").as_deref() {
            Some("output-available") => calls.answer(part.get("output"), part.text("toolCallId"), None, false),
            Some("output-error") => calls.answer(part.get("errorText"), part.text("toolCallId"), None, true),
            _ => {}
        }
    }
}

fn ai_sdk_call<'a>(part: &Fields<'a>, name: Option<Cow<'a, str>>, calls: &mut Calls<'a>) {
    let id = part.text("toolCallId");
    // Other tools that a provider runs are not in the catalog, and their answers have texts of strangers.
    if !part.is_true("providerExecuted") {
        calls.call(name, part.get("input"), id);
    } else if name.is_some_and(|name| name.to_lowercase().replace('_', "").contains("toolsearch")) {
        calls.asked(None, None, id);
    }
}

/// Reads a message of LangChain, in which each answer is a separate message.
fn langchain<'a>(given: &Fields<'a>, calls: &mut Calls<'a>) {
    let kind = given.text("type").or_else(|| given.text("role"));
    if matches!(kind.as_deref(), Some("human" | "user" | "system" | "developer")) {
        return;
    }
    // Stored messages are nested one level deeper, in one of two forms.
    let stored = given.object("kwargs").or_else(|| given.object("data"));
    let message = stored.as_ref().unwrap_or(given);
    if message.some("tool_call_id").is_some() {
        let failed = message.text("status").as_deref() == Some("error");
        calls.answer(message.get("content"), message.text("tool_call_id"), None, failed);
    }
    for call in message.objects("tool_calls") {
        let function = call.object("function");
        let said = function.as_ref().unwrap_or(&call);
        calls.call(said.text("name"), said.some("args").or_else(|| said.get("arguments")), call.text("id"));
    }
}

fn bedrock<'a>(message: &Fields<'a>, calls: &mut Calls<'a>) {
    let is_model = message.text("role").as_deref() == Some("assistant");
    for block in message.objects("content") {
        if let Some(call) = block.object("toolUse").filter(|_| is_model) {
            calls.call(call.text("name"), call.get("input"), call.text("toolUseId"));
        }
        if let Some(said) = block.object("toolResult").filter(|_| !is_model) {
            // A part may be JSON instead of text.
            let parts = said.items("content").into_iter().map(|part| {
                let json = Fields::read(part).ok().and_then(|part| part.some("json"));
                json.unwrap_or(part)
            });
            let content = format!("[{}]", parts.collect::<Vec<_>>().join(","));
            let failed = said.text("status").as_deref() == Some("error");
            calls.say(content.into(), said.text("toolUseId"), None, failed);
        }
    }
}

fn pydantic_ai<'a>(message: &Fields<'a>, calls: &mut Calls<'a>) {
    for part in message.objects("parts") {
        let id = part.text("tool_call_id");
        match part.text("part_kind").as_deref() {
            Some("tool-call") => calls.call(part.text("tool_name"), part.get("args"), id),
            Some("tool-return") => {
                let failed = part.text("outcome").is_some_and(|outcome| outcome != "success");
                calls.answer(part.get("content"), id, part.text("tool_name"), failed);
            }
            Some("retry-prompt") => calls.answer(part.get("content"), id, part.text("tool_name"), true),
            _ => {}
        }
    }
}
