//! Writes tool definitions in the formats of vendors. A definition holds only what the model needs: name, description
//! and parameters.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::json::quoted;
use crate::macros::choices;

choices! {
    /// A vendor's format of tool definitions.
    #[derive(Default, Hash)]
    pub enum Format {
        /// `{name, description, inputSchema}`.
        #[default]
        Mcp = "mcp",
        /// Chat Completions: `{type: "function", function: {name, description, parameters}}`.
        OpenAi = "openai",
        /// Responses: `{type: "function", name, description, parameters, strict: false}`.
        OpenAiResponses = "openai-responses",
        /// `{name, description, input_schema}`.
        Anthropic = "anthropic",
        /// One entry holds all tools: `{functionDeclarations: [{name, description, parametersJsonSchema}]}`.
        Google = "google",
        /// Bedrock's Converse: `{toolSpec: {name, description, inputSchema: {json}}}`.
        Bedrock = "bedrock",
    }
}

impl Format {
    /// Returns the text before and after the definitions of a request.
    pub(super) fn brackets(self, is_empty: bool) -> (&'static str, &'static str) {
        match self {
            Format::Google if !is_empty => (r#"[{"functionDeclarations":["#, "]}]"),
            _ => ("[", "]"),
        }
    }

    /// Returns the number of bytes between and around this number of definitions.
    pub(super) fn punctuation(self, tools: usize) -> usize {
        let (open, close) = self.brackets(tools == 0);
        open.len() + close.len() + tools.saturating_sub(1)
    }

    /// Returns the name under which a tool is declared. The catalog finds the tool by this name.
    pub(super) fn name_of(self, tool: &Tool) -> Arc<str> {
        match self {
            Format::Google => tool.google_name(),
            _ => tool.model_name.clone(),
        }
    }

    /// Returns the schema of a tool's parameters. Some vendors refuse some parameter names: formats that may go to them
    /// have safe names. The arguments that a call hands to the host have the server's names again.
    pub(super) fn parameters_of(self, tool: &Tool) -> &str {
        match self {
            Format::Anthropic | Format::Bedrock | Format::Mcp => tool.parameters.with_safe_names(),
            Format::OpenAi | Format::OpenAiResponses | Format::Google => tool.parameters.as_str(),
        }
    }

    /// Writes a definition as JSON text.
    pub(crate) fn write(self, name: &str, description: &str, parameters: &str) -> String {
        // Bedrock refuses an empty description.
        let description = match self {
            Format::Bedrock if description.is_empty() => String::new(),
            _ => format!("\"description\":{},", quoted(description)),
        };
        let (open, key, close) = match self {
            Format::Mcp => ("{", "inputSchema", "}"),
            Format::OpenAi => (r#"{"type":"function","function":{"#, "parameters", "}}"),
            // Responses checks schemas strictly unless told otherwise, and strict mode refuses most schemas that
            // servers send.
            Format::OpenAiResponses => (r#"{"type":"function","#, "parameters", r#","strict":false}"#),
            Format::Anthropic => ("{", "input_schema", "}"),
            Format::Google => ("{", "parametersJsonSchema", "}"),
            Format::Bedrock => (r#"{"toolSpec":{"#, r#"inputSchema":{"json"#, "}}}"),
        };
        format!("{open}\"name\":{},{description}\"{key}\":{parameters}{close}", quoted(name))
    }
}

/// A definition that is built into toolsift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name that the model sees.
    pub name: &'static str,
    /// Its description.
    pub description: &'static str,
    /// Compact JSON text of the schema of its parameters.
    pub parameters: &'static str,
}
