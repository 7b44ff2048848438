//! Writes and reads prebuilt indexes, which carry a catalog from a build step into an edge function. An index has the
//! data that a first search would compute, and checksums of the options that the data depends on. Its answers are the
//! same as those of a catalog whose tools were registered.

use std::sync::{Arc, OnceLock};

use crate::catalog::Owner;
use crate::error::Result;
use crate::lock::{lock, write};
use crate::prebuilt::{contradiction, digest, hex, open, put, seal, stale, take};
use crate::profile::Settings;
use crate::search::{Index, write_chances};
use crate::session::{Scope, View};

use super::{Inner, ToolSift, Tools};

impl ToolSift {
    /// Writes the catalog as bytes. [`ToolSift::from_index`] reads them in a fraction of the time of registering the
    /// tools and a first search. The same tools and settings give the same bytes on every machine. Tools of sessions'
    /// own are left out.
    pub fn export_index(&self) -> Vec<u8> {
        let settings = &self.inner.settings;
        let search = &settings.discovery.search;
        let catalog = &self.tools_now().catalog.of_shared();
        // This is a new index, so that it has no words of tools that have left the catalog.
        let mut index = Index::new(&settings.synonyms, search.without, true);
        index.follow(catalog);
        let view = View::of(catalog, &settings.eligibility, &Scope::All, Owner::SHARED);
        let searched = view.positions(|state| search.universe.holds(state));
        let mut content = Vec::new();
        put(depends_on(settings).map(|(_, number)| number), &mut content);
        catalog.write(&mut content);
        index.write(&mut content);
        write_chances(&index, &searched, search.without, &mut content);
        seal(&content)
    }

    /// Makes a catalog from the bytes of [`ToolSift::export_index`]; tokens are counted as `ceil(characters / 4)`.
    ///
    /// # Errors
    /// `index_invalid` if the bytes are not an index, or were cut short or altered; `index_stale` if it was made by
    /// another version, with other synonyms, or with other parts of the ranker switched off; `catalog_full`,
    /// `catalog_too_large` or `server_too_large` if it has more than the settings allow; `name_reserved` if a tool of
    /// the host has the name of a discovery tool.
    pub fn from_index(bytes: &[u8], settings: Settings) -> Result<Self> {
        let sift = ToolSift::new(settings);
        sift.load(bytes)?;
        Ok(sift)
    }

    /// Loads an index into an empty catalog, for example one with the host's own token counter. After an error the
    /// catalog is unchanged.
    ///
    /// # Errors
    /// The errors of [`ToolSift::from_index`]; `index_invalid` if the catalog is not empty.
    pub fn load(&self, bytes: &[u8]) -> Result<()> {
        let Inner { settings, writer, latest_index, .. } = &*self.inner;
        let mut from = open(bytes)?;
        for ((option, number), built) in depends_on(settings).into_iter().zip(take::<[u64; 2]>(&mut from)?) {
            if built != number {
                return Err(stale(&format!("it was built with other options.{option}"), "with these"));
            }
        }
        let _one_at_a_time = lock(writer);
        let mut catalog = self.tools_now().catalog.clone();
        catalog.load(&mut from)?;
        let index = OnceLock::new();
        // Only the sift ranker needs the search words; for other rankers they are not read.
        if settings.discovery.search.reads_terms() {
            let mut loaded = Index::clone(&lock(latest_index));
            loaded.load(&catalog, &mut from)?;
            if !from.is_empty() {
                return Err(contradiction());
            }
            let loaded = index.get_or_init(|| Arc::new(loaded));
            *lock(latest_index) = loaded.clone();
        }
        *write(&self.inner.tools) = Arc::new(Tools { catalog, index });
        Ok(())
    }

    /// Returns a hash of the tools' definitions and names, 64 bits in hexadecimal. It does not depend on their order or
    /// on how they were registered, and it is the same on every machine.
    pub fn content_hash(&self) -> String {
        hex(self.tools_now().catalog.digest())
    }
}

/// Returns the options that the search words depend on, each with a checksum of its value.
fn depends_on(settings: &Settings) -> [(&'static str, u64); 2] {
    let mut synonyms = Vec::new();
    put(&settings.synonyms, &mut synonyms);
    [("synonyms", digest(&synonyms)), ("search.without", settings.discovery.search.without.number())]
}
