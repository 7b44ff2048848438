//! Defines which values each keyword may have, by the meta-schema of JSON Schema 2020-12 and by the stricter rules of
//! vendors. All code that reads or repairs a schema uses this table.

use crate::limits;

/// The kind of value that a keyword may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A schema.
    Schema,
    /// A list of schemas, at least one.
    Schemas,
    /// Schemas by name.
    Map,
    /// A schema or a list of texts, by name.
    Dependencies,
    /// Lists of texts by name.
    TextsByName,
    /// A list of texts, each once.
    Texts,
    /// The name of a type, or a list of such names.
    Types,
    /// A list of values, at least one.
    Values,
    /// A list of values.
    Examples,
    Number,
    /// A number above zero.
    Positive,
    /// A whole number that is not negative.
    Count,
    Text,
    /// A text that refers to another schema.
    Reference,
    /// A text that references may use.
    Id,
    /// A text that references within one schema may use: letters, digits, `_`, `.` and `-`.
    Anchor,
    Flag,
    /// Any value. Keywords that JSON Schema does not know have this kind too.
    Any,
}

impl Kind {
    /// Returns the kind of value that a keyword may have.
    pub(super) fn of(keyword: &str) -> Kind {
        match keyword {
            "items"
            | "contains"
            | "additionalProperties"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "if"
            | "then"
            | "else"
            | "not"
            | "contentSchema"
            | "additionalItems" => Kind::Schema,
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => Kind::Schemas,
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => Kind::Map,
            "dependencies" => Kind::Dependencies,
            "dependentRequired" => Kind::TextsByName,
            "required" => Kind::Texts,
            "type" => Kind::Types,
            "enum" => Kind::Values,
            "examples" => Kind::Examples,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Kind::Number,
            "multipleOf" => Kind::Positive,
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" => Kind::Count,
            "title" | "description" | "$comment" | "format" | "pattern" | "contentEncoding" | "contentMediaType"
            | "$schema" => Kind::Text,
            "$ref" | "$dynamicRef" | "$recursiveRef" => Kind::Reference,
            "$id" => Kind::Id,
            "$anchor" | "$dynamicAnchor" => Kind::Anchor,
            "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => Kind::Flag,
            _ => Kind::Any,
        }
    }

    /// Returns the kind of the values in an object of this kind. `None` if the keys are keywords, or the value cannot
    /// be an object.
    pub(super) fn by_name(self) -> Option<Kind> {
        match self {
            Kind::Map | Kind::Dependencies => Some(Kind::Schema),
            Kind::TextsByName => Some(Kind::Texts),
            _ => None,
        }
    }

    /// Returns true if the values contain schemas.
    pub(super) fn has_schemas(self) -> bool {
        matches!(self, Kind::Schema | Kind::Schemas | Kind::Map | Kind::Dependencies)
    }

    /// Returns true if the value must be a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Kind::Schemas | Kind::Texts | Kind::Values | Kind::Examples)
    }

    /// Returns the kind of the items of a list of this kind. `None` if the value cannot be a list.
    pub(super) fn item(self) -> Option<Kind> {
        match self {
            Kind::Schemas => Some(Kind::Schema),
            Kind::Texts => Some(Kind::Text),
            Kind::Types => Some(Kind::Types),
            Kind::Values | Kind::Examples | Kind::Any => Some(Kind::Any),
            _ => None,
        }
    }
}

/// The types of JSON Schema.
pub(super) const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/// Python's names of these types.
#[rustfmt::skip]
const OF_PYTHON: [(&str, &str); 7] = [
    ("str", "string"), ("int", "integer"), ("float", "number"), ("bool", "boolean"), ("list", "array"), ("dict", "object"),
    ("none", "null"),
];

/// Returns the type with this name, in any case: Google writes capitals.
pub(super) fn type_named(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let of_python = OF_PYTHON.iter().find(|(name, _)| *name == lower).map(|(_, name)| *name);
    of_python.or_else(|| TYPES.iter().find(|name| **name == lower).copied())
}

/// Keywords that vendors refuse at the top. The first three have schemas that can be merged.
pub(super) const TOP: [&str; 6] = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

/// Returns true if Anthropic and Bedrock accept a name of a parameter. They check only the top of a schema.
pub(super) fn is_safe_name(name: &str) -> bool {
    matches!(name.len(), 1..=limits::NAME_CHARS)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}
