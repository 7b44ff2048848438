//! What the value of each keyword may be, by the meta-schema of JSON Schema 2020-12 and by what vendors refuse besides.
//! Whoever reads or repairs a schema asks this table.

/// What the value of a keyword may be.
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
    /// A text that leads to another schema.
    Reference,
    /// A text that others refer to.
    Id,
    /// A text that others refer to within one schema: letters, digits, `_`, `.` and `-`.
    Anchor,
    Flag,
    /// Anything: values, and keywords that JSON Schema does not know.
    Any,
}

impl Kind {
    /// What the value of a keyword may be.
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

    /// What stands under each name of an object of this kind; none where the names are keywords, or there is no such object.
    pub(super) fn by_name(self) -> Option<Kind> {
        match self {
            Kind::Map | Kind::Dependencies => Some(Kind::Schema),
            Kind::TextsByName => Some(Kind::Texts),
            _ => None,
        }
    }

    /// Whether its values hold schemas.
    pub(super) fn has_schemas(self) -> bool {
        matches!(self, Kind::Schema | Kind::Schemas | Kind::Map | Kind::Dependencies)
    }

    /// Whether its value must be a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Kind::Schemas | Kind::Texts | Kind::Values | Kind::Examples)
    }

    /// What the items of a list of this kind are; none where it may be no list.
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

/// What Python calls these types.
#[rustfmt::skip]
const OF_PYTHON: [(&str, &str); 7] = [
    ("str", "string"), ("int", "integer"), ("float", "number"), ("bool", "boolean"), ("list", "array"), ("dict", "object"),
    ("none", "null"),
];

/// The type of a name in any case: Google writes capitals.
pub(super) fn type_named(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let of_python = OF_PYTHON.iter().find(|(name, _)| *name == lower).map(|(_, name)| *name);
    of_python.or_else(|| TYPES.iter().find(|name| **name == lower).copied())
}

/// Keywords that vendors refuse at the top, those first whose schemas can be merged.
pub(super) const TOP: [&str; 6] = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

/// Whether Anthropic and Bedrock take a name of a parameter. They look at the top of a schema only.
pub(super) fn is_safe_name(name: &str) -> bool {
    matches!(name.len(), 1..=SAFE_NAME_BYTES)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// The longest name of a parameter that they take.
pub(super) const SAFE_NAME_BYTES: usize = 64;
