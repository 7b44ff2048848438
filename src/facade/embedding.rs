//! Serves rankers of the host's: the texts from which it makes vectors, and its scores.

use serde::Serialize;

use crate::catalog::{Catalog, SHARED, ToolId};
use crate::error::{Error, ErrorCode, Result};
use crate::map::Set;
use crate::prebuilt::{digest, hex};
use crate::search::{Ranker, SearchSettings, embedding_text};
use crate::session::Scope;
use std::rc::Rc;

use super::ToolSift;
use super::views::Shared;

/// What a host embeds of one tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbeddingText {
    /// The number of this version of the tool.
    pub id: u64,
    /// The name that the model sees.
    pub name: Rc<str>,
    /// A hash of the text, the same on every machine.
    pub hash: String,
    /// The text.
    pub text: String,
}

impl ToolSift {
    /// The numbers of the tools that a session searches, or with the opening [`SHARED`] the host, in catalog order. A tool
    /// that changes gets another number.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn searched(&mut self, id: &str, opening: u32) -> Result<Vec<u64>> {
        let shared = self.shared(id, opening)?;
        let mut ids = Vec::with_capacity(shared.corpus.len());
        for position in shared.corpus.positions() {
            ids.push(self.catalog.tools()[*position as usize].id.0);
        }
        Ok(ids)
    }

    /// What is embedded of those of these tools that have one of some numbers.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn embedding_texts(&mut self, id: &str, opening: u32, ids: &[f64]) -> Result<Vec<EmbeddingText>> {
        let wanted: Set<ToolId> = ids.iter().map(|id| ToolId(*id as u64)).collect();
        let shared = self.shared(id, opening)?;
        let mut texts = Vec::new();
        for position in shared.corpus.positions() {
            let tool = &self.catalog.tools()[*position as usize];
            if wanted.contains(&tool.id) {
                let text = embedding_text(tool);
                let hash = hex(digest(text.as_bytes()));
                texts.push(EmbeddingText { id: tool.id.0, name: tool.model_name.clone(), hash, text });
            }
        }
        Ok(texts)
    }

    fn shared(&mut self, id: &str, opening: u32) -> Result<Rc<Shared>> {
        let ToolSift { settings, catalog, sessions, views, .. } = self;
        let scope = if opening == SHARED { &Scope::All } else { sessions.get_opening(id, opening)?.scope() };
        Ok(views.of(catalog, settings, (scope, opening)))
    }
}

/// Scores of the host's by positions in the catalog. Names that a session's model does not know are passed over.
///
/// # Errors
/// `option_conflict` where the ranker takes no scores.
pub(super) fn placed(
    scores: &[(String, f64)],
    catalog: &Catalog,
    settings: &SearchSettings,
    opening: u32,
) -> Result<Vec<(u32, f64)>> {
    if !scores.is_empty() && settings.ranker != Ranker::Sift {
        let message = "options.scores needs the ranker sift: no other ranker adds scores of the host's to its own";
        return Err(Error::new(ErrorCode::OptionConflict, message));
    }
    let mut placed = Vec::with_capacity(scores.len());
    for (name, score) in scores {
        if let Some(position) = catalog.by_name_for(opening, name).and_then(|tool| catalog.position(tool)) {
            placed.push((position as u32, *score));
        }
    }
    Ok(placed)
}
