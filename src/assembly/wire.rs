//! How does a vendor want a tool written? Only what the model needs: name, description, parameters.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::catalog::{Catalog, Tool, ToolId};
use crate::error::Result;

use super::cost::{Tally, TokenCounter};

/// A vendor's format of tool definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// `{name, description, inputSchema}`.
    #[default]
    Mcp,
    /// Chat Completions: `{type: "function", function: {name, description, parameters}}`.
    OpenAi,
    /// Responses: `{type: "function", name, description, parameters, strict: false}`.
    OpenAiResponses,
    /// `{name, description, input_schema}`.
    Anthropic,
    /// One entry with all `{functionDeclarations: [{name, description, parametersJsonSchema}]}`.
    Google,
}

impl Format {
    /// Every value with its text form.
    pub const ALL: &[(&str, Format)] = &[
        ("mcp", Format::Mcp),
        ("openai", Format::OpenAi),
        ("openai-responses", Format::OpenAiResponses),
        ("anthropic", Format::Anthropic),
        ("google", Format::Google),
    ];

    /// What stands before and after the definitions of a request.
    pub(super) fn brackets(self, is_empty: bool) -> (&'static str, &'static str) {
        match self {
            Format::Google if !is_empty => (r#"[{"functionDeclarations":["#, "]}]"),
            _ => ("[", "]"),
        }
    }

    /// A definition as JSON text. An empty description is left out.
    pub(super) fn write(self, name: &str, description: &str, parameters: &str) -> String {
        let name = quoted(name);
        let description = match description {
            "" => String::new(),
            text => format!(",\"description\":{}", quoted(text)),
        };
        match self {
            Format::Mcp => format!("{{\"name\":{name}{description},\"inputSchema\":{parameters}}}"),
            Format::OpenAi => format!(
                "{{\"type\":\"function\",\"function\":{{\"name\":{name}{description},\"parameters\":{parameters}}}}}"
            ),
            // Responses checks schemas strictly unless told otherwise, and refuses most that servers send.
            Format::OpenAiResponses => format!(
                "{{\"type\":\"function\",\"name\":{name}{description},\"parameters\":{parameters},\"strict\":false}}"
            ),
            Format::Anthropic => format!("{{\"name\":{name}{description},\"input_schema\":{parameters}}}"),
            Format::Google => format!("{{\"name\":{name}{description},\"parametersJsonSchema\":{parameters}}}"),
        }
    }
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A definition that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name that the model sees.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Compact JSON text of the schema of its parameters.
    pub parameters: &'static str,
}

/// A definition in a format, and what it costs.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The JSON text.
    pub text: Rc<str>,
    /// Its size.
    pub tally: Tally,
}

impl Rendered {
    pub(super) fn new(text: String, counter: &TokenCounter) -> Result<Self> {
        let tally = Tally::of_tool(&text, counter)?;
        Ok(Rendered { text: text.into(), tally })
    }
}

/// Definitions that were written before: a tool's text is made once per format, counted once, and shared by every
/// request that sends it.
#[derive(Debug, Default)]
pub struct Renders {
    kept: HashMap<(ToolId, Format), Rendered>,
    revision: u64,
}

impl Renders {
    /// The definition of a tool.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub fn of(&mut self, tool: &Tool, format: Format, counter: &TokenCounter) -> Result<Rendered> {
        if let Some(rendered) = self.kept.get(&(tool.id, format)) {
            return Ok(rendered.clone());
        }
        let text = format.write(&tool.model_name, &tool.description, tool.parameters.as_str());
        let rendered = Rendered::new(text, counter)?;
        self.kept.insert((tool.id, format), rendered.clone());
        Ok(rendered)
    }

    /// Forgets tools that have left the catalog.
    pub fn follow(&mut self, catalog: &Catalog) {
        if self.revision != catalog.revision() {
            self.revision = catalog.revision();
            let ids: HashSet<ToolId> = catalog.tools().iter().map(|tool| tool.id).collect();
            self.kept.retain(|(id, _), _| ids.contains(id));
        }
    }
}
