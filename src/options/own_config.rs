//! Reads a published system's own configuration as that system reads it: what the system ignores is ignored, what it
//! clamps is clamped.

use crate::assembly::Activation;
use crate::case::lower;
use crate::error::{Error, ErrorCode, Result};
use crate::json;
use crate::profile::{OwnConfig, Settings};

use super::reader::Reader;
use super::value::Value;

/// # Errors
/// `option_invalid` when the profile's system has no configuration that could be read.
pub(super) fn read(config: &Reader<'_>, settings: &mut Settings) -> Result<()> {
    match settings.profile.own_config {
        OwnConfig::None => {
            let message = format!("{} has no configuration of its own", settings.profile.name);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        OwnConfig::Capability => capability(config.value(), settings),
        OwnConfig::Section => section(config.value(), settings),
    }
    Ok(())
}

fn field<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Map(entries) = value else { return None };
    entries.iter().find(|(k, _)| k == key).map(|(_, value)| value)
}

/// `threshold`, if it is a whole number from 0; `never_defer`, the texts of a list, added to what is there.
fn capability(value: &Value, settings: &mut Settings) {
    const MOST: f64 = 9_007_199_254_740_991.0;
    if let Some(Value::Number(threshold)) = field(value, "threshold") {
        if threshold.fract() == 0.0 && (0.0..=MOST).contains(threshold) {
            settings.assembly.activation = Activation::Tools(*threshold as usize);
        }
    }
    if let Some(Value::List(names)) = field(value, "never_defer") {
        let names =
            names.iter().filter_map(|name| if let Value::Text(name) = name { Some(name.clone()) } else { None });
        settings.eligibility.lists.always_available.extend(names);
    }
}

const DEFAULT_PCT: f64 = 10.0;
const DEFAULT_HITS: f64 = 5.0;
const DEFAULT_MOST_HITS: f64 = 20.0;
const MOST_HITS_CEILING: f64 = 50.0;

/// An object, or the older form of a single boolean: false switches off, anything else is as if nothing was said.
fn section(value: &Value, settings: &mut Settings) {
    let pct = within(0.0, field(value, "threshold_pct").and_then(float).unwrap_or(DEFAULT_PCT), 100.0);
    settings.assembly.context_share = pct / 100.0;
    settings.assembly.activation = match (value, field(value, "enabled").map(word)) {
        (Value::Bool(false), _) => Activation::Off,
        (_, Some(word)) if ["false", "0", "no", "off"].contains(&word.as_str()) => Activation::Off,
        (_, Some(word)) if ["true", "1", "yes", "on"].contains(&word.as_str()) => Activation::On,
        _ => Activation::ContextShare,
    };
    let count = |key: &str, default: f64| field(value, key).and_then(integer).unwrap_or(default);
    let most = within(1.0, count("max_search_limit", DEFAULT_MOST_HITS), MOST_HITS_CEILING);
    settings.discovery.search.most_hits = most as usize;
    settings.discovery.search.hits = Some(within(1.0, count("search_default_limit", DEFAULT_HITS), most) as usize);
}

/// A number, or the end of a range that it is beyond.
fn within(least: f64, number: f64, most: f64) -> f64 {
    number.max(least).min(most)
}

/// A value as a word in lower case.
fn word(value: &Value) -> String {
    match value {
        Value::Text(text) => lower(text.trim()),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => json::number_text(*number),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    }
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Text(text) => json::number(text.trim()).and_then(|number| number.as_f64()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
    .filter(|number: &f64| !number.is_nan())
}

/// Fractions are cut off, but not those of texts.
fn integer(value: &Value) -> Option<f64> {
    match value {
        Value::Text(text) => text.trim().parse::<i64>().ok().map(|whole| whole as f64),
        value => float(value).filter(|number| number.is_finite()).map(f64::trunc),
    }
}
