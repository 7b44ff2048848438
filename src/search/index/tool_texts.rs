//! The texts of a tool that are searched, each with its field, and the text that an embedding model gets of it.

use crate::catalog::{Tool, own_name};
use crate::limits;
use crate::search::index::fields::Field;
use crate::search::index::schema_texts;
use crate::text::{beginning, first_sentence, name_parts};

/// Calls back with the description of a tool, and its name for people.
pub(in crate::search) fn each_description(tool: &Tool, take: &mut dyn FnMut(Field, &str)) {
    let description = tool.description.trim_start();
    let lead = first_sentence(description);
    take(Field::Lead, lead);
    take(Field::Lead, tool.title().unwrap_or(""));
    take(Field::Rest, description.get(lead.len()..).unwrap_or(""));
}

/// Calls back with every text of a tool.
pub(in crate::search) fn each_text(tool: &Tool, take: &mut dyn FnMut(Field, &str)) {
    take(Field::Name, own_name(&tool.key));
    take(Field::Server, tool.server().unwrap_or(""));
    each_description(tool, take);
    for text in tool.tags().chain(tool.category()).chain(tool.search_hint()) {
        take(Field::Hint, text);
    }
    tool.keywords().iter().for_each(|text| take(Field::Keyword, text));
    tool.queries().iter().for_each(|text| take(Field::Query, text));
    tool.words_of_server().iter().for_each(|text| take(Field::Rest, text));
    schema_texts::each(tool.parameters.as_str(), take);
}

/// What an embedding model gets of a tool: the words of its server and name, its description, what people say who need it,
/// and the names of its parameters, as far as [`limits::EMBEDDING_BYTES`]. Most models read some 250 words: what says the
/// most comes first.
pub fn embedding_text(tool: &Tool) -> String {
    let words = |name: &str| name_parts(name).join(" ");
    let mut text = words(tool.server().unwrap_or(""));
    let mut parameters: Vec<String> = Vec::new();
    each_text(tool, &mut |field, part| {
        let (separator, part) = match field {
            Field::Name => (' ', &*words(part)),
            Field::Lead | Field::Rest | Field::Hint | Field::Keyword | Field::Query => ('\n', part.trim()),
            Field::Parameter if !parameters.iter().any(|known| known == part) => {
                return parameters.push(part.to_owned());
            }
            _ => return,
        };
        if !part.is_empty() {
            text.push(separator);
            text.push_str(part);
        }
    });
    text.push('\n');
    text.push_str(&parameters.join(", "));
    beginning(text.trim(), limits::EMBEDDING_BYTES).to_owned()
}
