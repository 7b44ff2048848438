//! The text of a tool that an embedding model turns into a vector.

use crate::catalog::Tool;
use crate::limits;
use crate::text::{beginning, joined, name_parts};

use super::fields::Field;
use super::tool_texts::each_text;

/// What stands for a tool before an embedding model: the words of its server and name, its description, what people say who need it,
/// and the names of its parameters, as far as [`limits::EMBEDDING_BYTES`]. Most models read some 250 words: what says the
/// most comes first.
pub fn embedding_text(tool: &Tool) -> String {
    let (mut texts, mut parameters): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut server = String::new();
    each_text(tool, &mut |field, text| match field {
        Field::Name => texts.push(joined(&name_parts(text), " ")),
        Field::Server if !text.is_empty() => server = joined(&name_parts(text), " ") + " ",
        Field::Lead | Field::Rest | Field::Hint | Field::Keyword | Field::Query if !text.trim().is_empty() => {
            texts.push(text.trim().to_owned());
        }
        Field::Parameter if !parameters.iter().any(|known| known == text) => parameters.push(text.to_owned()),
        _ => {}
    });
    texts.push(joined(&parameters, ", "));
    beginning((server + &joined(&texts, "\n")).trim(), limits::EMBEDDING_BYTES).to_owned()
}
