//! Reads tool definitions in the shapes of MCP, OpenAI (Chat Completions and Responses), Anthropic, Google, and our
//! own. Each one is read separately, so that a broken definition does not affect the others.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::json::{self, Fields, Item};
use crate::limits;

use super::effect::{HINTS, Hints};
use super::enrichment::{Enrichment, texts};
use super::schema::{self, Changes, Schema};
use super::skill::Skill;
use super::tool::{Content, Deferral, Labels};

/// The keys of the schema in the shapes of MCP, Anthropic, Google, and (the last one) OpenAI and ourselves.
const SCHEMA_KEYS: [&str; 4] = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"];

/// A definition that was read, but is not in the catalog yet.
#[derive(Debug)]
pub(super) struct Draft {
    /// The name as written.
    pub name: String,
    /// The server, if the definition itself names one.
    pub server: Option<String>,
    pub content: Content,
    /// The changes that made the parameters usable.
    pub changes: Changes,
}

/// Returns the definitions in a list, each with the position of its entry. Most entries have one definition; in
/// Google's shape an entry may declare several.
///
/// # Errors
/// `list_too_large` for more than [`limits::REGISTER_BYTES`]; `not_json` if the text is not a list.
pub(super) fn read_list(list: &str) -> Result<Vec<(usize, Item<'_>)>> {
    if list.len() > limits::REGISTER_BYTES {
        let message = format!("a list of tools takes {} bytes; at most {}", list.len(), limits::REGISTER_BYTES);
        return Err(Error::new(ErrorCode::ListTooLarge, message));
    }
    let result = Fields::read(list).ok();
    let list = result.as_ref().and_then(|result| result.get("tools")).unwrap_or(list);
    let items = json::items_with_fields(list).map_err(|e| {
        let what = "tools must be a JSON list, or an object that has one under tools";
        Error::new(ErrorCode::NotJson, format!("{what}: {e} in {}", excerpt_json(list.trim_start())))
    })?;
    let mut definitions = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        definitions.extend(declared(item).into_iter().map(|item| (index, item)));
    }
    Ok(definitions)
}

/// Makes a list of one entry.
///
/// # Errors
/// `tool_shape_unknown` if the text is not a JSON value.
pub(super) fn as_list(entry: &str) -> Result<String> {
    let entry = json::checked(entry)
        .map_err(|e| Error::new(ErrorCode::ToolShapeUnknown, format!("a tool could not be read: {e}")))?;
    Ok(format!("[{entry}]"))
}

fn declared(item: Item<'_>) -> Vec<Item<'_>> {
    let declarations = match &item.fields {
        Some(Ok(fields)) => fields.get("functionDeclarations"),
        _ => None,
    };
    declarations.and_then(|list| json::items_with_fields(list).ok()).unwrap_or_else(|| vec![item])
}

/// Returns the name in a definition for reports, or an empty text if there is none.
pub(super) fn name_of(definition: &Item<'_>) -> String {
    let Some(Ok(outer)) = &definition.fields else { return String::new() };
    let inner = || Fields::read(outer.get("function")?).ok()?.get("name");
    let name = outer.get("name").or_else(inner).and_then(|name| json::text_of(name)?.ok());
    name.unwrap_or_default().into_owned()
}

/// Reads one definition.
///
/// # Errors
/// `tool_shape_unknown` if it is not an object or has no name, `option_invalid` if a field has the wrong type,
/// `description_too_long`, and the errors of [`Schema::of_checked`] for the parameters.
pub(super) fn read(definition: &Item<'_>) -> Result<Draft> {
    let unknown = |message: String| Error::new(ErrorCode::ToolShapeUnknown, message);
    let must_be = |what: &str, got: &str| unknown(format!("{what} must be an object, got {}", excerpt_json(got)));
    let outer = match &definition.fields {
        None => return Err(must_be("a tool", definition.text)),
        Some(Err(fault)) => return Err(unknown(format!("a tool could not be read: {fault}"))),
        Some(Ok(fields)) => fields,
    };
    // Chat Completions puts name, description and parameters one level down.
    let inner = match (outer.get("name"), outer.get("function")) {
        (None, Some(function)) if !function.starts_with('{') => return Err(must_be("function", function)),
        (None, Some(function)) => {
            Some(Fields::read(function).map_err(|e| unknown(format!("function could not be read: {e}")))?)
        }
        _ => None,
    };
    let said = inner.as_ref().unwrap_or(outer);
    let Some(name) = string("name", said.get("name"), limits::DESCRIPTION_BYTES)? else {
        return Err(unknown(format!("a tool needs a name: {}", excerpt_json(definition.text))));
    };
    let skill = Skill::read(outer)?;
    let schema = SCHEMA_KEYS.iter().filter_map(|key| said.get(key)).find(|schema| *schema != "null" && skill.is_none());
    let (parameters, changes) = Schema::of_checked(schema.unwrap_or(schema::EMPTY))?;
    let deferral = match &skill {
        Some(_) => Some(Deferral::Always),
        None => deferral(outer.get("deferral"), outer.get("defer_loading"))?,
    };
    let boxed = |text: Option<String>| text.map(String::into_boxed_str);
    let labels = Labels {
        title: boxed(label("title", outer.get("title"))?),
        category: label("category", outer.get("category"))?.map(Arc::from),
        search_hint: boxed(label("searchHint", outer.get("searchHint").or_else(|| outer.get("search_hint")))?),
        tags: tags(outer.get("tags"))?,
        enrichment: enrichment(outer)?,
        skill,
    };
    let content = Content {
        description: description(said.get("description"))?,
        parameters,
        deferral,
        hints: hints(outer.get("annotations")),
        labels,
    };
    Ok(Draft { name, server: label("server", outer.get("server"))?, content, changes })
}

/// Returns the hints in MCP's annotations. Other annotations are ignored.
fn hints(annotations: Option<&str>) -> Hints {
    let fields = annotations.filter(|raw| raw.starts_with('{')).and_then(|raw| Fields::read(raw).ok());
    let digit = |key: &str| match fields.as_ref().and_then(|fields| fields.get(key)) {
        Some("false") => 1,
        Some("true") => 2,
        _ => 0,
    };
    HINTS.iter().rev().fold(0, |hints, key| hints * 3 + digit(key))
}

fn description(raw: Option<&str>) -> Result<Arc<str>> {
    // Six bytes of JSON (\uXXXX) make at least one byte of text, so that a longer value is too long even before it is
    // decoded.
    if let Some(raw) = raw.filter(|raw| raw.len() > 6 * limits::DESCRIPTION_BYTES + 2) {
        return Err(description_too_long(raw.len()));
    }
    let text = string("description", raw, usize::MAX)?.unwrap_or_default();
    if text.len() > limits::DESCRIPTION_BYTES {
        return Err(description_too_long(text.len()));
    }
    Ok(text.into())
}

fn description_too_long(bytes: usize) -> Error {
    let message = format!("a description takes {bytes} bytes; at most {}", limits::DESCRIPTION_BYTES);
    Error::new(ErrorCode::DescriptionTooLong, message)
}

fn label(field: &str, raw: Option<&str>) -> Result<Option<String>> {
    let text = string(field, raw, 12 * limits::LABEL_CHARS)?;
    if let Some(text) = text.as_deref().filter(|t| t.chars().count() > limits::LABEL_CHARS) {
        let message = format!("{field} {} is longer than {} characters", excerpt(text), limits::LABEL_CHARS);
        return Err(Error::new(ErrorCode::OptionInvalid, message));
    }
    Ok(text.filter(|t| !t.trim().is_empty()))
}

fn tags(raw: Option<&str>) -> Result<Box<[Box<str>]>> {
    let tags = list("tags", raw, limits::TAGS)?;
    tags.into_iter().filter_map(|tag| Some(label("tags", Some(tag)).transpose()?.map(Box::from))).collect()
}

/// Returns the items of a list of at most `most` texts; none for a missing value or null.
pub(super) fn list<'a>(field: &str, raw: Option<&'a str>, most: usize) -> Result<Vec<&'a str>> {
    let raw = raw.filter(|raw| *raw != "null").unwrap_or("[]");
    let items = json::items(raw).map_err(|_| wrong_type(field, "a list of strings", raw))?;
    if items.len() > most {
        let message = format!("{field} has {} entries; at most {most}", items.len());
        return Err(Error::new(ErrorCode::OptionInvalid, message));
    }
    Ok(items)
}

/// Reads the search words of a definition, and those of its server in `_meta`. Errors in `_meta` are ignored: few
/// clients know this field, and a server's mistake in it must not cost the tool.
fn enrichment(outer: &Fields<'_>) -> Result<Enrichment> {
    let meta = outer.get("_meta").and_then(|raw| Fields::read(raw).ok());
    Ok(Enrichment {
        queries: texts("searchQueries", outer.get("searchQueries"))?,
        keywords: texts("searchKeywords", outer.get("searchKeywords"))?,
        of_server: meta.and_then(|meta| words_of_server(meta.get("toolsift/search")?)).unwrap_or_default(),
    })
}

/// Returns a server's search words for one of its tools, as many as are kept. Words that are too long are left out.
fn words_of_server(raw: &str) -> Option<Box<[Box<str>]>> {
    let said = Fields::read(raw).ok()?;
    let mut left = limits::SERVER_WORDS_CHARS;
    let lists = ["queries", "keywords"].into_iter().filter_map(|key| json::items(said.get(key)?).ok());
    let texts = lists.flatten().filter_map(|item| json::text_of(item)?.ok());
    let words = texts.filter_map(|text| {
        let word = text.trim();
        let chars = word.chars().count();
        if word.is_empty() || chars > left.min(limits::ENRICHMENT_CHARS) {
            return None;
        }
        left -= chars;
        Some(word.into())
    });
    Some(words.take(limits::SERVER_WORDS).collect())
}

fn deferral(policy: Option<&str>, loading: Option<&str>) -> Result<Option<Deferral>> {
    if let Some(text) = string("deferral", policy, limits::LABEL_CHARS)? {
        let known = Deferral::ALL.iter().find(|(name, _)| *name == text);
        return known.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let allowed = Deferral::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            wrong_type("deferral", &format!("one of {allowed}"), &text)
        });
    }
    match loading {
        Some("true") => Ok(Some(Deferral::Always)),
        Some("false") => Ok(Some(Deferral::Never)),
        Some("null") | None => Ok(None),
        Some(other) => Err(wrong_type("defer_loading", "true or false", other)),
    }
}

/// Returns the string in a raw value, or `None` for a missing value or null.
pub(super) fn string(field: &str, raw: Option<&str>, most_bytes: usize) -> Result<Option<String>> {
    let Some(text) = raw.filter(|text| *text != "null") else { return Ok(None) };
    if !text.starts_with('"') {
        return Err(wrong_type(field, "a string", text));
    }
    if text.len() > most_bytes {
        let message = format!("{field} takes {} bytes; at most {most_bytes}", text.len());
        let code = if field == "name" { ErrorCode::NameTooLong } else { ErrorCode::OptionInvalid };
        return Err(Error::new(code, message));
    }
    // The list was checked as JSON before, so that only half a surrogate pair can be wrong here.
    json::text_of(text).transpose().map(|text| text.map(Cow::into_owned)).map_err(|_| {
        let message = format!("{field} holds half a surrogate pair: {}", excerpt_json(text));
        Error::new(ErrorCode::TextInvalid, message)
    })
}

pub(super) fn wrong_type(field: &str, wanted: &str, got: &str) -> Error {
    Error::new(ErrorCode::OptionInvalid, format!("{field} must be {wanted}, got {}", excerpt_json(got)))
}
