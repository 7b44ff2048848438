//! The fields of a tool that are searched.

/// Where a word stands in a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Field {
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
    /// Keywords of the enrichment.
    Keyword,
    /// Requests of the enrichment.
    Query,
}

/// How many fields there are.
pub(crate) const FIELDS: usize = 10;

impl Field {
    /// Whether it says how a call is filled in.
    pub(crate) fn is_of_parameters(self) -> bool {
        matches!(self, Field::Parameter | Field::ParameterText | Field::Value)
    }

    /// Whether it is of the enrichment.
    pub(crate) fn is_colloquial(self) -> bool {
        matches!(self, Field::Keyword | Field::Query)
    }

    pub(crate) const ALL: [Field; FIELDS] = [
        Field::Name,
        Field::Server,
        Field::Lead,
        Field::Rest,
        Field::Parameter,
        Field::ParameterText,
        Field::Value,
        Field::Hint,
        Field::Keyword,
        Field::Query,
    ];
}
