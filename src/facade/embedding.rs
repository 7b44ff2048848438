//! Serves the rankers of JavaScript hosts: the texts from which they make vectors. Rust programs are given the tools by
//! [`ToolSift::with_ranker`].

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::{Catalog, SHARED};
use crate::error::Result;
use crate::lock::{lock, read};
use crate::prebuilt::{digest, hex};
use crate::search::embedding_text;
use crate::session::Scope;

use super::views::Shared;
use super::{Inner, ToolSift};

/// What a host embeds of one tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbeddingText {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// A hash of the text, the same on every machine.
    pub hash: String,
    /// The text.
    pub text: String,
}

impl ToolSift {
    /// The numbers of the tools that a session searches, or with the opening 0 the host, in catalog order. A tool
    /// that changes gets another number.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn searched(&self, id: &str, opening: u32) -> Result<Vec<f64>> {
        let tools = read(&self.inner.tools);
        let shared = self.shared(&tools.catalog, id, opening)?;
        let mut ids = Vec::with_capacity(shared.corpus.len());
        for position in shared.corpus.positions() {
            ids.push(tools.catalog.tools()[*position as usize].id.0 as f64);
        }
        Ok(ids)
    }

    /// What is embedded of some of these tools, by their numbers in the same order, in which the texts come.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn embedding_texts(&self, id: &str, opening: u32, ids: &[f64]) -> Result<Vec<EmbeddingText>> {
        let mut wanted = ids;
        let tools = read(&self.inner.tools);
        let shared = self.shared(&tools.catalog, id, opening)?;
        let mut texts = Vec::new();
        for position in shared.corpus.positions() {
            let tool = &tools.catalog.tools()[*position as usize];
            if wanted.first() == Some(&(tool.id.0 as f64)) {
                wanted = &wanted[1..];
                let text = embedding_text(tool);
                let hash = hex(digest(text.as_bytes()));
                texts.push(EmbeddingText { name: tool.model_name.clone(), hash, text });
            }
        }
        Ok(texts)
    }

    fn shared(&self, catalog: &Catalog, id: &str, opening: u32) -> Result<Arc<Shared>> {
        let Inner { settings, sessions, views, .. } = &*self.inner;
        let scope = match opening {
            SHARED => Scope::All,
            _ => lock(sessions).get_opening(id, opening)?.scope().clone(),
        };
        Ok(lock(views).of(catalog, settings, (&scope, opening)))
    }
}
