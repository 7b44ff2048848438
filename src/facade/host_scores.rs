//! Reads what the host's own ranker says of tools.

use std::error::Error as StdError;
use std::sync::Arc;

use crate::catalog::{Catalog, Tool};
use crate::error::{Error, ErrorCode, Result};
use crate::search::{Ranker, SearchSettings};

/// Why a host's ranker could not rank.
pub type RankError = Box<dyn StdError + Send + Sync>;
/// Names that the model sees, each with how well the tool fits, from 0 to 1.
type Ranked = std::result::Result<Vec<(String, f64)>, RankError>;
/// A ranker that many handles share.
#[cfg(not(target_family = "wasm"))]
pub(super) type OwnRanker = Arc<dyn Fn(&str, &[Arc<Tool>]) -> Ranked + Send + Sync>;
/// In wasm the package asks the host's ranker itself.
#[cfg(target_family = "wasm")]
pub(super) type OwnRanker = Arc<dyn Fn(&str, &[Arc<Tool>]) -> Ranked>;

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
        let message = "options.scores needs the ranker sift";
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
