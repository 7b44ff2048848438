//! Calls the host's own ranker for a query, and checks its scores.

use std::error::Error as StdError;
use std::sync::Arc;

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::number_text;
use crate::search::{Ranker, SearchSettings};

/// The error of a host's ranker.
pub type RankError = Box<dyn StdError + Send + Sync>;
/// Names that the model sees, each with a score from 0 to 1.
pub(super) type Scores = [(String, f64)];
/// The host's ranker, shared by all handles.
pub(super) type HostRanker =
    Arc<dyn Fn(&str, &[Arc<Tool>]) -> std::result::Result<Vec<(String, f64)>, RankError> + Send + Sync>;

/// Returns the scores of the host's ranker for a query, and the `given` scores, which take precedence.
pub(super) fn ask(ranker: &HostRanker, query: &str, tools: &[Arc<Tool>], given: &Scores) -> Result<Vec<(String, f64)>> {
    let failed = |why: String| Error::new(ErrorCode::RankerFailed, format!("the host's ranker {why}"));
    let mut scores = ranker(query, tools).map_err(|e| failed(format!("failed: {e}")).with_source(e))?;
    if let Some((name, score)) = scores.iter().find(|(_, score)| !(0.0..=1.0).contains(score)) {
        let (name, score) = (excerpt(name), number_text(*score));
        return Err(failed(format!("scored {name} {score}; a score is 0 to 1")));
    }
    scores.retain(|(name, _)| given.iter().all(|(known, _)| known != name));
    scores.extend(given.iter().cloned());
    Ok(scores)
}

/// Converts the host's scores to scores by position in the catalog. Names that the owner's model does not know are
/// ignored.
///
/// # Errors
/// `option_conflict` if the ranker of the settings cannot use scores.
pub(super) fn by_position(
    scores: &Scores,
    catalog: &Catalog,
    settings: &SearchSettings,
    owner: Owner,
) -> Result<Vec<(u32, f64)>> {
    if !scores.is_empty() && settings.ranker != Ranker::Sift {
        return Err(Error::new(
            ErrorCode::OptionConflict,
            "options.scores needs the ranker sift: no other ranker adds scores of the host's to its own",
        ));
    }
    let position = |name: &str| catalog.by_name_for(owner, name).and_then(|tool| catalog.position(tool));
    Ok(scores.iter().filter_map(|(name, score)| Some((position(name)? as u32, *score))).collect())
}
