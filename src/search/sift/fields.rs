//! The texts of a tool that are searched, by field.

use crate::case::lower_letters;
use crate::catalog::Tool;
use crate::text::first_sentence;

use super::schema_texts;

/// Where a word stands in a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum Field {
    /// The name without the server.
    Name,
    /// The server.
    Server,
    /// The first sentence of the description, and the name for people.
    Lead,
    /// The rest of the description.
    Rest,
    /// Names of parameters.
    Parameter,
    /// Descriptions of parameters.
    ParameterText,
    /// Values that a parameter may have.
    Value,
    /// What the host adds: hint, tags, category.
    Hint,
}

/// How many fields there are.
pub(super) const FIELDS: usize = 8;

impl Field {
    pub(super) const ALL: [Field; FIELDS] = [
        Field::Name,
        Field::Server,
        Field::Lead,
        Field::Rest,
        Field::Parameter,
        Field::ParameterText,
        Field::Value,
        Field::Hint,
    ];

    /// Whether terms that stand side by side are kept of this field.
    #[inline(always)]
    pub(super) fn has_pairs(self) -> bool {
        matches!(self, Field::Name | Field::Lead | Field::Parameter)
    }
}

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
