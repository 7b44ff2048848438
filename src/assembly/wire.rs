//! Writes tool definitions in the formats of vendors. A definition holds only what the model needs: name, description
//! and parameters.

use std::sync::Arc;

use crate::catalog::{Tool, ToolId};
use crate::error::Result;
use crate::json::quoted;
use crate::map::Map;

use super::cost::{Tally, TokenCounter};

/// A vendor's format of tool definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// Bedrock's Converse: `{toolSpec: {name, description, inputSchema: {json}}}`.
    Bedrock,
}

impl Format {
    /// Every value with its text form.
    pub const ALL: &[(&str, Format)] = &[
        ("mcp", Format::Mcp),
        ("openai", Format::OpenAi),
        ("openai-responses", Format::OpenAiResponses),
        ("anthropic", Format::Anthropic),
        ("google", Format::Google),
        ("bedrock", Format::Bedrock),
    ];

    /// What stands before and after the definitions of a request.
    pub(super) fn brackets(self, is_empty: bool) -> (&'static str, &'static str) {
        match self {
            Format::Google if !is_empty => (r#"[{"functionDeclarations":["#, "]}]"),
            _ => ("[", "]"),
        }
    }

    /// The name under which a tool is declared. [`Catalog::by_name`] finds the tool by it.
    pub(super) fn name_of(self, tool: &Tool) -> &str {
        match self {
            Format::Google => tool.google_name(),
            _ => &tool.model_name,
        }
    }

    /// A definition as JSON text.
    pub(super) fn write(self, name: &str, description: &str, parameters: &str) -> String {
        // Bedrock refuses an empty description.
        let description = match self {
            Format::Bedrock if description.is_empty() => String::new(),
            _ => format!("\"description\":{},", quoted(description)),
        };
        let (open, key, close) = match self {
            Format::Mcp => ("{", "inputSchema", "}"),
            Format::OpenAi => (r#"{"type":"function","function":{"#, "parameters", "}}"),
            // Responses checks schemas strictly unless told otherwise, and refuses most that servers send.
            Format::OpenAiResponses => (r#"{"type":"function","#, "parameters", r#","strict":false}"#),
            Format::Anthropic => ("{", "input_schema", "}"),
            Format::Google => ("{", "parametersJsonSchema", "}"),
            Format::Bedrock => (r#"{"toolSpec":{"#, r#"inputSchema":{"json"#, "}}}"),
        };
        format!("{open}\"name\":{},{description}\"{key}\":{parameters}{close}", quoted(name))
    }
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
    pub text: Arc<str>,
    /// Its size.
    pub tally: Tally,
}

impl Rendered {
    pub(super) fn new(text: String, counter: &TokenCounter) -> Result<Self> {
        let tally = Tally::of_tool(&text, counter)?;
        Ok(Rendered { text: text.into(), tally })
    }
}

/// How much of a tool is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// All of it.
    Full,
    /// Name and description, without parameters.
    Stub,
    /// Name and first sentence.
    ShortStub,
}

/// Definitions that were written before: a tool's text is made once per format and form, counted once, and shared by
/// every request that sends it.
#[derive(Debug, Default)]
pub struct Renders {
    kept: Map<ToolId, Kept>,
}

/// What is kept of one version of a tool.
#[derive(Debug, Default)]
struct Kept {
    texts: Vec<(Format, Form, Rendered)>,
    /// Sizes of definitions in full, whether their texts are kept or not.
    tallies: Vec<(Format, Tally)>,
}

impl Renders {
    /// The definition of a tool in full.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub fn of(&mut self, tool: &Tool, format: Format, counter: &TokenCounter) -> Result<Rendered> {
        self.kept(tool, format, Form::Full, counter, || in_full(tool, format))
    }

    /// The size of the definition of a tool in full. Most tools are never sent, so that their texts are not kept.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub fn tally(&mut self, tool: &Tool, format: Format, counter: &TokenCounter) -> Result<Tally> {
        let tallies = self.kept.get(&tool.id).map(|kept| &kept.tallies);
        if let Some((_, tally)) = tallies.into_iter().flatten().find(|(known, _)| *known == format) {
            return Ok(*tally);
        }
        let tally = Tally::of_tool(&in_full(tool, format), counter)?;
        self.of_tool(tool).tallies.push((format, tally));
        Ok(tally)
    }

    /// The definition of a tool in some form, as `write` makes it the first time.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub(super) fn kept(
        &mut self,
        tool: &Tool,
        format: Format,
        form: Form,
        counter: &TokenCounter,
        write: impl FnOnce() -> String,
    ) -> Result<Rendered> {
        let texts = self.kept.get(&tool.id).map(|kept| &kept.texts);
        let is_wanted = |(of, as_form, _): &&(Format, Form, Rendered)| (*of, *as_form) == (format, form);
        if let Some((.., rendered)) = texts.into_iter().flatten().find(is_wanted) {
            return Ok(rendered.clone());
        }
        let rendered = Rendered::new(write(), counter)?;
        self.of_tool(tool).texts.push((format, form, rendered.clone()));
        Ok(rendered)
    }

    /// How many texts are kept.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> usize {
        self.kept.values().map(|kept| kept.texts.len()).sum()
    }

    fn of_tool(&mut self, tool: &Tool) -> &mut Kept {
        self.kept.entry(tool.id).or_default()
    }

    /// Forgets what is kept of versions of tools that have left the catalog.
    pub fn forget(&mut self, departed: &[ToolId]) {
        departed.iter().for_each(|id| drop(self.kept.remove(id)));
    }
}

fn in_full(tool: &Tool, format: Format) -> String {
    format.write(format.name_of(tool), &tool.description, tool.parameters.as_str())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, RegisterOptions};

    #[test]
    fn stale_definitions_are_forgotten_at_once() {
        let (mut catalog, mut renders) = (Catalog::new(100, []), Renders::default());
        for round in 0..50 {
            let tool = |name: &str, text: &str| format!(r#"{{"name":"{name}","description":"{text}"}}"#);
            let list = format!("[{},{}]", tool("a", "stays"), tool("b", &format!("round {round}")));
            catalog.sync("s", &list, &RegisterOptions::default()).unwrap();
            renders.forget(&catalog.take_departed());
            for tool in catalog.tools() {
                let text = renders.of(tool, Format::Mcp, &TokenCounter::Characters).unwrap().text;
                assert!(text.contains(&*tool.description), "{text}");
            }
            assert_eq!(renders.kept.len(), 2, "definitions of 2 tools");
        }
        catalog.unregister(None, None);
        renders.forget(&catalog.take_departed());
        assert_eq!(renders.kept.len(), 0);
    }
}
