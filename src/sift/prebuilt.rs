//! Writes the catalog as an index and loads it again, with everything that a first search would have to work out.
//!
//! An index also holds what it depends on, so that a loaded catalog gives the same answers as a registered one.

use crate::assembly::TokenCounter;
use crate::catalog::Tool;
use crate::error::Result;
use crate::prebuilt::{Writer, digest, open, seal, stale};
use crate::profile::Settings;

use super::{ToolSift, searched};

impl ToolSift {
    /// The catalog as bytes that [`ToolSift::from_index`] reads in a fraction of the time that it takes to register the
    /// tools and to search them first. The same tools and settings give the same bytes on every machine.
    pub fn export_index(&mut self) -> Vec<u8> {
        self.index.follow(&self.catalog);
        let mut content = Writer::default();
        for (_, number) in depends_on(&self.settings) {
            content.word(number);
        }
        self.catalog.write(&mut content);
        let searched = searched(&self.settings, &self.catalog, None);
        let plain: Vec<&Tool> = searched.iter().map(|tool| &**tool).collect();
        self.index.write(&plain, self.settings.discovery.search.without, &mut content);
        seal(content)
    }

    /// A catalog of [`ToolSift::export_index`] under some settings; tokens are counted as `ceil(characters / 4)`.
    ///
    /// # Errors
    /// `index_invalid` when the bytes are no index, or were cut short or altered; `index_stale` when another version made
    /// it, or with other synonyms or other ingredients of the ranker left out; `catalog_full` when it holds more tools
    /// than the settings allow, and `name_reserved` when one of the host's own is called as a discovery tool is.
    pub fn from_index(bytes: &[u8], settings: Settings) -> Result<Self> {
        Self::from_index_with_counter(bytes, settings, TokenCounter::Characters)
    }

    /// The same, with the host's own token counter.
    ///
    /// # Errors
    /// What [`ToolSift::from_index`] says.
    pub fn from_index_with_counter(bytes: &[u8], settings: Settings, counter: TokenCounter) -> Result<Self> {
        let mut sift = ToolSift::with_counter(settings, counter);
        sift.load(bytes)?;
        Ok(sift)
    }

    /// Takes an index in where there is nothing yet. After an error this is of no use.
    pub(crate) fn load(&mut self, bytes: &[u8]) -> Result<()> {
        let mut from = open(bytes)?;
        for (option, number) in depends_on(&self.settings) {
            if from.word().ok_or_else(|| from.fault())? != number {
                return Err(stale(&format!("it was built with other options.{option}"), "with these"));
            }
        }
        self.catalog.load(&mut from)?;
        // What only the sift ranker looks into stays where it is under the others.
        if self.settings.discovery.search.needs_index() {
            let words = self.index.load(&self.catalog, &mut from);
            words.filter(|()| from.rest().is_empty()).ok_or_else(|| from.fault())?;
        }
        Ok(())
    }

    /// 64 bits for the tools of the catalog, in hexadecimal: for what they say and are called, whatever their order and
    /// however they came in. The same on every machine.
    pub fn content_hash(&self) -> String {
        let hash = self.catalog.digest();
        // Halves, since names are hashed to 32 bits and written already.
        format!("{:08x}{:08x}", (hash >> 32) as u32, hash as u32)
    }
}

/// The options that the words depend on, each with a number for its value.
fn depends_on(settings: &Settings) -> [(&'static str, u64); 2] {
    let mut synonyms = Writer::default();
    for group in &settings.synonyms {
        synonyms.count(group.len());
        group.iter().for_each(|word| synonyms.text(word));
    }
    [("synonyms", digest(&synonyms.into_bytes())), ("search.without", settings.discovery.search.without.number())]
}
