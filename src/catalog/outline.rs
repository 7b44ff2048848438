//! What a list shows of a tool behind its name: its parameters and the first sentence of its description. It is read from the
//! schema once, when the tool is first listed.

use std::sync::OnceLock;

use crate::text::{joined, one_line, short_list, short_sentence};

use super::schema::Schema;

/// Parameters that are named.
const PARAMETERS: usize = 8;

/// The outline of a tool, once it was needed. It follows from the tool's other fields, so that any two are equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline(OnceLock<Box<str>>);

impl PartialEq for Outline {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Outline {
    /// Such as `(path, limit?): Reads a file.`, where `?` marks an optional parameter.
    pub(super) fn of(&self, parameters: &Schema, description: &str) -> &str {
        self.0.get_or_init(|| {
            let (names, required) = (parameters.property_names(), parameters.required_names());
            let parameter = |name: &String| format!("{name}{}", if required.contains(name) { "" } else { "?" });
            let mut parameters: Vec<String> = names.iter().take(PARAMETERS).map(parameter).collect();
            if names.len() > PARAMETERS {
                parameters.push("…".to_owned());
            }
            let sentence = one_line(&short_sentence(description));
            let sentence = if sentence.is_empty() { sentence } else { format!(": {sentence}") };
            format!("({}){sentence}", short_list(&joined(&parameters, ", "))).into()
        })
    }
}
