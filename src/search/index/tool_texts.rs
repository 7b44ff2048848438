//! Returns the texts of a tool that are searched, each with its field.

use crate::catalog::{Skill, Tool, own_name};
use crate::search::fields::Field;
use crate::search::index::schema_texts;
use crate::text::first_sentence;

/// Calls back with the description of a tool and its title.
pub(crate) fn each_description(tool: &Tool, take: &mut dyn FnMut(Field, &str)) {
    let description = tool.description.trim_start();
    let lead = first_sentence(description);
    take(Field::Lead, lead);
    take(Field::Lead, tool.title().unwrap_or(""));
    take(Field::Rest, description.get(lead.len()..).unwrap_or(""));
}

/// Calls back with every text of a tool.
pub(crate) fn each_text(tool: &Tool, take: &mut dyn FnMut(Field, &str)) {
    take(Field::Name, own_name(&tool.key));
    take(Field::Server, tool.server().unwrap_or(""));
    each_description(tool, take);
    for text in tool.tags().chain(tool.category()).chain(tool.search_hint()) {
        take(Field::Hint, text);
    }
    tool.keywords().iter().for_each(|text| take(Field::Keyword, text));
    tool.queries().iter().for_each(|text| take(Field::Query, text));
    tool.words_of_server().iter().for_each(|text| take(Field::Rest, text));
    tool.skill().into_iter().flat_map(Skill::headings).for_each(|text| take(Field::Rest, text));
    schema_texts::each(tool.parameters.as_str(), take);
}
