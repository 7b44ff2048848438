//! Refuses settings that would leave the model with tools that it can never call.

use crate::assembly::Disclosure;
use crate::discovery::{Action, Reveal, UnrevealedCall};
use crate::error::{Error, ErrorCode, Result};
use crate::profile::Settings;

/// # Errors
/// `option_conflict`, with the reason.
pub(super) fn check(settings: &Settings) -> Result<()> {
    let has = |action: Action| settings.discovery.surface.iter().any(|tool| tool.action == action);
    let conflict = |message: &str| Err(Error::new(ErrorCode::OptionConflict, message));
    if settings.discovery.unrevealed_call != UnrevealedCall::Refuse || has(Action::Forward) {
        return Ok(());
    }
    if settings.assembly.disclosure == Disclosure::Full {
        return conflict(
            "disclosure full sends every tool, and unrevealedCall refuse refuses them: with full, calls must be allowed",
        );
    }
    match settings.discovery.reveal {
        Reveal::Never => conflict(
            "reveal never loads nothing, and unrevealedCall refuse refuses what is not loaded: a deferred tool could \
             never be called",
        ),
        Reveal::OnAdd if !has(Action::Add) => conflict(
            "reveal add needs a discovery tool that adds, which this profile has not: a deferred tool could never be \
             called",
        ),
        Reveal::OnAdd | Reveal::OnSearch => Ok(()),
    }
}
