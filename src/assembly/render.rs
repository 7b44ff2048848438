//! Renders tools in a format, in full or as stubs. Each text is made and counted once, and every request that sends it
//! shares it.

use std::sync::{Arc, RwLock};

use crate::catalog::{Catalog, Tool, ToolId};
use crate::error::Result;
use crate::json::quoted;
use crate::lock::{read, write};
use crate::map::{Map, Set};
use crate::text::short_sentence;

use super::cost::{Tally, TokenCounter};
use super::wire::Format;

/// A definition in a format, and its cost.
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

/// The parts of a tool that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All of it.
    Full,
    /// Name and description, without parameters.
    Stub,
    /// Name and first sentence.
    ShortStub,
}

/// Returns the parameters of a stub. Their description is `advice` on how to get the real parameters, with `{name}`
/// replaced.
pub(super) fn stub_parameters(tool: &Tool, advice: &str) -> String {
    let advice = quoted(&advice.replace("{name}", &tool.model_name));
    format!("{{\"type\":\"object\",\"additionalProperties\":true,\"description\":{advice}}}")
}

/// A cache of rendered definitions. Many threads read it; the lock is never held during rendering.
#[derive(Debug, Default)]
pub struct Renders {
    kept: RwLock<Map<ToolId, Kept>>,
}

/// The cached texts and sizes of one version of a tool.
#[derive(Debug, Default)]
struct Kept {
    texts: Vec<((Format, Form), Rendered)>,
    /// Sizes of full definitions, even of those whose texts are not kept.
    tallies: Vec<(Format, Tally)>,
}

impl Renders {
    /// Returns the definition of a tool in a form. `advice` is the text of a stub.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter fails.
    pub(super) fn of(
        &self,
        tool: &Tool,
        (format, form): (Format, Form),
        advice: &str,
        counter: &TokenCounter,
    ) -> Result<Rendered> {
        let known =
            |kept: &Kept| kept.texts.iter().find(|(known, _)| *known == (format, form)).map(|(_, text)| text.clone());
        if let Some(rendered) = read(&self.kept).get(&tool.id).and_then(known) {
            return Ok(rendered);
        }
        let stub = |description: &str| format.write(&format.name_of(tool), description, &stub_parameters(tool, advice));
        let text = match form {
            Form::Full => in_full(tool, format),
            Form::Stub => stub(&tool.description),
            Form::ShortStub => stub(&short_sentence(&tool.description)),
        };
        let rendered = Rendered::new(text, counter)?;
        write(&self.kept).entry(tool.id).or_default().texts.push(((format, form), rendered.clone()));
        Ok(rendered)
    }

    /// Returns the size of a full definition. Its text is not kept, because most tools are never sent.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter fails.
    pub fn tally(&self, tool: &Tool, format: Format, counter: &TokenCounter) -> Result<Tally> {
        let known = |kept: &Kept| kept.tallies.iter().find(|(known, _)| *known == format).map(|(_, tally)| *tally);
        if let Some(tally) = read(&self.kept).get(&tool.id).and_then(known) {
            return Ok(tally);
        }
        let tally = Tally::of_tool(&in_full(tool, format), counter)?;
        write(&self.kept).entry(tool.id).or_default().tallies.push((format, tally));
        Ok(tally)
    }

    /// Returns the number of cached texts.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> usize {
        read(&self.kept).values().map(|kept| kept.texts.len()).sum()
    }

    /// Removes versions of tools that have left the catalog. A reader of an older catalog may render such a version
    /// again: if there are more entries than tools in the catalog, all entries of other tools are removed too.
    pub fn forget(&self, departed: &[ToolId], catalog: &Catalog) {
        let mut kept = write(&self.kept);
        departed.iter().for_each(|id| drop(kept.remove(id)));
        if kept.len() > catalog.tools().len() {
            let there: Set<ToolId> = catalog.tools().iter().map(|tool| tool.id).collect();
            kept.retain(|id, _| there.contains(id));
        }
    }
}

/// Writes the definition of a tool in full.
pub(crate) fn in_full(tool: &Tool, format: Format) -> String {
    format.write(&format.name_of(tool), &tool.description, format.parameters_of(tool))
}
