//! Reads options as the npm package takes them from anything that serializes: `json!({ … })`, a configuration file that was
//! read, a struct of the host's.

use serde::{Deserialize, Serialize};

use crate::catalog::RegisterOptions;
use crate::discovery::Turn;
use crate::error::{Error, ErrorCode, Result};
use crate::profile::Settings;
use crate::session::Scope;

use super::{OptionValue, SearchOptions, conflicts};

impl Settings {
    /// Reads the options of a `ToolSift`, as `docs/reference.md` lists them, over the settings of the profile that they name.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolsift::{ErrorCode, Settings};
    ///
    /// let settings = Settings::from_options(&json!({ "profile": "bridge", "limits": { "tools": 500 } }))?;
    /// assert_eq!(settings.info().limits.tools, 500);
    ///
    /// let typo = Settings::from_options(&json!({ "contextwindow": 200_000 })).unwrap_err();
    /// assert_eq!(typo.code(), ErrorCode::OptionUnknown);
    /// assert!(typo.message().contains("did you mean contextWindow?"));
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `alias_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Settings> {
        super::settings(&value(options)?)
    }

    /// Checks that every deferred tool can be called somehow, which settings that were changed by type may not allow.
    /// [`Settings::from_options`] checks it.
    ///
    /// # Errors
    /// `option_conflict`, with the reason.
    pub fn check(&self) -> Result<()> {
        conflicts::check(self)
    }
}

impl RegisterOptions {
    /// Reads `{ server?, names?, deferral?, category?, enrichment? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `enrichment_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<RegisterOptions> {
        super::register(&value(options)?)
    }
}

impl SearchOptions {
    /// Reads `{ limit?, session?, reasons?, scores? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `limit_out_of_range`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<SearchOptions> {
        super::search(&value(options)?)
    }
}

impl Turn {
    /// Reads `{ now?, visible?, scores? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `limit_out_of_range`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Turn> {
        super::turn(&value(options)?)
    }
}

impl Scope {
    /// Reads `"all"`, or `{ servers?, tools? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Scope> {
        super::scope(&value(options)?)
    }
}

fn value(options: &(impl Serialize + ?Sized)) -> Result<OptionValue> {
    let plain = serde_json::to_value(options).and_then(OptionValue::deserialize);
    plain.map_err(|e| Error::new(ErrorCode::OptionInvalid, format!("options are not plain data: {e}")))
}
