//! Reads a published system's own configuration as that system does: ignores what the system ignores, and clamps what
//! it clamps.

use crate::assembly::Activation;
use crate::count::{self, of_float};
use crate::error::{Error, ErrorCode, Result};
use crate::json;
use crate::profile::{OwnConfig, Settings};

use super::value::OptionValue;

/// # Errors
/// `option_invalid` when the profile's system has no configuration that could be read.
pub(super) fn read(config: &OptionValue, settings: &mut Settings) -> Result<()> {
    match settings.profile.own_config {
        OwnConfig::None => {
            let message = format!("{} has no configuration of its own", settings.profile.name);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        OwnConfig::Capability => capability(config, settings),
        OwnConfig::Section => section(config, settings),
    }
    Ok(())
}

fn field<'v>(value: &'v OptionValue, key: &str) -> Option<&'v OptionValue> {
    let OptionValue::Map(entries) = value else { return None };
    entries.iter().find(|(k, _)| k == key).map(|(_, value)| value)
}

/// Reads `threshold`, if it is a whole number of at least 0, and adds the texts of `never_defer` to the tools always
/// sent.
fn capability(value: &OptionValue, settings: &mut Settings) {
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    if let Some(OptionValue::Number(threshold)) = field(value, "threshold") {
        if threshold.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(threshold) {
            settings.assembly.activation = Activation::Tools(of_float(*threshold));
        }
    }
    if let Some(OptionValue::List(names)) = field(value, "never_defer") {
        let names =
            names.iter().filter_map(|name| if let OptionValue::Text(name) = name { Some(name.clone()) } else { None });
        settings.eligibility.lists.always_available.extend(names);
    }
}

const DEFAULT_PCT: f64 = 10.0;
const DEFAULT_HITS: f64 = 5.0;
const DEFAULT_MOST_HITS: f64 = 20.0;
const MOST_HITS_CEILING: f64 = 50.0;

/// Reads an object, or the older form of a single boolean: `false` turns tool search off, other values mean the
/// defaults.
fn section(value: &OptionValue, settings: &mut Settings) {
    let pct = field(value, "threshold_pct").and_then(float).unwrap_or(DEFAULT_PCT).clamp(0.0, 100.0);
    settings.assembly.context_share = pct / 100.0;
    settings.assembly.activation = match (value, field(value, "enabled").map(word)) {
        (OptionValue::Bool(false), _) => Activation::Off,
        (_, Some(word)) if ["false", "0", "no", "off"].contains(&word.as_str()) => Activation::Off,
        (_, Some(word)) if ["true", "1", "yes", "on"].contains(&word.as_str()) => Activation::On,
        _ => Activation::ContextShare,
    };
    let number = |key: &str, default: f64| field(value, key).and_then(integer).unwrap_or(default);
    let most = number("max_search_limit", DEFAULT_MOST_HITS).clamp(1.0, MOST_HITS_CEILING);
    settings.discovery.search.most_hits = of_float(most);
    settings.discovery.search.hits = Some(of_float(number("search_default_limit", DEFAULT_HITS).clamp(1.0, most)));
}

/// Returns a value as a word in lower case.
fn word(value: &OptionValue) -> String {
    match value {
        OptionValue::Text(text) => text.trim().to_lowercase(),
        OptionValue::Bool(value) => value.to_string(),
        OptionValue::Number(number) => json::number_text(*number),
        OptionValue::Null | OptionValue::List(_) | OptionValue::Map(_) => String::new(),
    }
}

fn float(value: &OptionValue) -> Option<f64> {
    match value {
        OptionValue::Number(number) => Some(*number),
        OptionValue::Bool(value) => Some(f64::from(u8::from(*value))),
        OptionValue::Text(text) => json::number(text.trim()).and_then(|number| number.as_f64()),
        OptionValue::Null | OptionValue::List(_) | OptionValue::Map(_) => None,
    }
    .filter(|number: &f64| !number.is_nan())
}

/// Reads an integer. Fractions of numbers are cut off; a text must be a whole number. Too large an integer becomes the
/// largest.
fn integer(value: &OptionValue) -> Option<f64> {
    match value {
        OptionValue::Text(text) => count::integer(text.trim()).map(|whole| whole as f64),
        value => float(value).filter(|number| number.is_finite()).map(f64::trunc),
    }
}
