//! Remembers which closed or evicted sessions had a scope narrower than everything, so that they cannot be opened again
//! without a scope.

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::{Set, hash_of};

/// The ids of closed sessions that had a scope.
#[derive(Debug)]
pub(super) enum ScopedIds {
    /// Hashes of the ids. Two of a million ids have the same hash in one of 37 million processes.
    Known(Set<u64>),
    /// There were more than [`limits::SCOPED_IDS`]: any id may have had a scope.
    TooMany,
}

impl Default for ScopedIds {
    fn default() -> Self {
        ScopedIds::Known(Set::default())
    }
}

impl ScopedIds {
    /// Notes at the closing of a session whether it had a scope.
    pub fn note(&mut self, id: &str, is_scoped: bool) {
        let ScopedIds::Known(hashes) = self else { return };
        if !is_scoped {
            hashes.remove(&hash_of(id));
        } else if hashes.len() < limits::SCOPED_IDS {
            hashes.insert(hash_of(id));
        } else if !hashes.contains(&hash_of(id)) {
            *self = ScopedIds::TooMany;
        }
    }

    /// Checks that a session with this id may be opened without a scope.
    ///
    /// # Errors
    /// `scope_required`.
    pub fn check(&self, id: &str) -> Result<()> {
        let why = match self {
            ScopedIds::Known(hashes) if !hashes.contains(&hash_of(id)) => return Ok(()),
            ScopedIds::Known(_) => "had a scope before it was closed or evicted".to_owned(),
            ScopedIds::TooMany => {
                format!("may have had a scope: more than {} sessions with one were closed", limits::SCOPED_IDS)
            }
        };
        let message = format!(
            "session {} {why}, and a scope is not kept: open it with its scope again, or with the scope \"all\" if it may see \
             everything",
            excerpt(id)
        );
        Err(Error::new(ErrorCode::ScopeRequired, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_to_remember_counts_as_scoped() {
        let mut ids = ScopedIds::default();
        (0..limits::SCOPED_IDS).for_each(|id| ids.note(&id.to_string(), true));
        ids.note("0", true);
        assert!(ids.check("new").is_ok() && ids.check("0").is_err());
        ids.note("0", false);
        assert!(ids.check("0").is_ok());
        ids.note("0", true);
        ids.note("one more", true);
        assert!(["new", "0", "one more"].iter().all(|id| ids.check(id).is_err()));
    }
}
