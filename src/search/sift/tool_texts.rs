//! Reads the texts of a tool that are searched, each with its field.

use crate::case::lower_letters;
use crate::catalog::Tool;
use crate::text::first_sentence;

use super::fields::Field;
use super::schema_texts;

/// The name of a tool without the name of its server in front, where it has that.
pub(super) fn own_name(tool: &Tool) -> &str {
    let name = &*tool.key.name;
    let Some(server) = tool.server() else { return name };
    // Some clients write where servers come from in front of them.
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    let mut rest = name.char_indices().filter(|(_, c)| c.is_alphanumeric());
    for wanted in server.chars().filter(|c| c.is_alphanumeric()) {
        match rest.next() {
            Some((_, c)) if lower_letters(c).eq(lower_letters(wanted)) => {}
            _ => return name,
        }
    }
    match rest.next() {
        // `weatherbit` of the server `weather` is a name of its own, `weather_get` is not.
        Some((at, _)) if name[..at].ends_with(|c: char| !c.is_alphanumeric()) => &name[at..],
        _ => name,
    }
}

/// Calls back with every text of a tool.
pub(super) fn each_text(tool: &Tool, take: &mut dyn FnMut(Field, &str)) {
    take(Field::Name, own_name(tool));
    take(Field::Server, tool.server().unwrap_or(""));
    let description = tool.description.trim_start();
    let lead = first_sentence(description);
    take(Field::Lead, lead);
    take(Field::Lead, tool.title().unwrap_or(""));
    take(Field::Rest, description.get(lead.len()..).unwrap_or(""));
    for text in tool.tags().chain(tool.category()).chain(tool.search_hint()) {
        take(Field::Hint, text);
    }
    schema_texts::each(tool.parameters.as_str(), take);
}
