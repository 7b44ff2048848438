//! The text of a tool that an embedding model turns into a vector.

use crate::catalog::Tool;
use crate::limits;
use crate::search::sift::index::fields::Field;
use crate::search::sift::index::tool_texts::each_text;
use crate::text::{beginning, joined, name_parts};

/// What stands for a tool before an embedding model: the words of its server and name, its description, what people say who need it,
/// and the names of its parameters, as far as [`limits::EMBEDDING_BYTES`]. Most models read some 250 words: what says the
/// most comes first.
pub fn embedding_text(tool: &Tool) -> String {
    let words = |name: &str| joined(&name_parts(name), " ");
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
    text.push_str(&joined(&parameters, ", "));
    beginning(text.trim(), limits::EMBEDDING_BYTES).to_owned()
}
