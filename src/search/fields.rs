//! Defines the fields of a tool that are searched.

/// The field of a tool in which a word occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Field {
    /// The name without the server.
    Name,
    /// The server.
    Server,
    /// The first sentence of the description, and the title.
    Lead,
    /// The rest of the description.
    Rest,
    /// Names of parameters.
    Parameter,
    /// Descriptions of parameters.
    ParameterText,
    /// Values that a parameter may have.
    Value,
    /// The host's additions: hint, tags, category.
    Hint,
    /// Keywords of the enrichment.
    Keyword,
    /// Requests of the enrichment.
    Query,
}

/// The number of fields.
pub(crate) const FIELDS: usize = 10;

impl Field {
    /// Returns true if the field belongs to the parameters.
    pub(crate) fn is_of_parameters(self) -> bool {
        matches!(self, Field::Parameter | Field::ParameterText | Field::Value)
    }

    /// Returns true if the field belongs to the enrichment.
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
