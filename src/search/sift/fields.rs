//! What of a tool is searched? Its texts by field, the schema's at every depth.

use crate::case::lower_letters;
use crate::catalog::Tool;
use crate::json::{Object, Value};
use crate::limits;
use crate::text::first_sentence;

/// Where a word stands in a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    if let Ok(root) = Value::read(tool.parameters.as_str()) {
        let mut walk = Walk { root: &root, take, followed: Vec::new(), left: limits::SCHEMA_NODES, depth: 0 };
        walk.schema(&root);
    }
}

/// A walk over a schema.
struct Walk<'a, 't> {
    root: &'a Value,
    take: &'t mut dyn FnMut(Field, &str),
    followed: Vec<&'a str>,
    left: usize,
    depth: usize,
}

impl<'a> Walk<'a, '_> {
    fn schema(&mut self, schema: &'a Value) {
        let Some(schema) = schema.as_object() else { return };
        // A chain of references nests as deep as it is long, whatever the text does.
        if self.left == 0 || self.depth == limits::SCHEMA_DEPTH {
            return;
        }
        self.left -= 1;
        self.depth += 1;
        for text in ["title", "description"].into_iter().filter_map(|key| schema.text(key)) {
            (self.take)(Field::ParameterText, text);
        }
        let values = schema.get("enum").map_or(&[][..], Value::items).iter().chain(schema.get("const"));
        values.filter_map(Value::as_text).for_each(|value| (self.take)(Field::Value, value));
        for key in ["properties", "patternProperties"] {
            let Some(Value::Object(named)) = schema.get(key) else { continue };
            for (name, inner) in named.entries() {
                (self.take)(Field::Parameter, name);
                self.schema(inner);
            }
        }
        self.nested(schema);
        self.depth -= 1;
    }

    fn nested(&mut self, schema: &'a Object) {
        for key in ["items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties"] {
            match schema.get(key) {
                Some(Value::List(list)) => list.iter().for_each(|inner| self.schema(inner)),
                Some(inner) => self.schema(inner),
                None => {}
            }
        }
        let Some(reference) = schema.text("$ref") else { return };
        let Some(pointer) = reference.strip_prefix('#') else { return };
        if !self.followed.contains(&pointer) {
            self.followed.push(pointer);
            if let Some(target) = self.root.pointer(pointer) {
                self.schema(target);
            }
        }
    }
}
