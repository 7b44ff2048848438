//! Reads options that are written as a word or as an object: the activation, and a scope.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor, value::MapAccessDeserializer};

use crate::assembly::Activation;
use crate::limits::{BUDGET_CEILING, TOOLS_CEILING};
use crate::session::Scope;

use super::types::{Choice, Count, Labels, Share};

/// When tools are held back, and the share of the context window where that decides.
pub(super) struct ActivationOption {
    pub activation: Activation,
    pub share: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Threshold {
    tools: Option<Count<0, TOOLS_CEILING>>,
    tokens: Option<Count<0, BUDGET_CEILING>>,
    context_share: Option<Share>,
}

const SWITCHES: [(&str, Activation); 3] =
    [("on", Activation::On), ("off", Activation::Off), ("auto", Activation::Auto)];

impl<'de> Deserialize<'de> for ActivationOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ActivationVisitor(Choice(SWITCHES.map(|(name, _)| name).into())))
    }
}

struct ActivationVisitor(Choice<'static>);

impl<'de> Visitor<'de> for ActivationVisitor {
    type Value = ActivationOption;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ActivationOption, E> {
        let activation = SWITCHES[self.0.visit_str(text)?].1;
        Ok(ActivationOption { activation, share: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ActivationOption, A::Error> {
        let threshold = Threshold::deserialize(MapAccessDeserializer::new(map))?;
        let (activation, share) = match (threshold.tools, threshold.tokens, threshold.context_share) {
            (Some(tools), None, None) => (Activation::Tools(tools.into()), None),
            (None, Some(tokens), None) => (Activation::Tokens(usize::from(tokens) as u64), None),
            (None, None, Some(share)) => (Activation::ContextShare, Some(share.0)),
            _ => return Err(Error::custom("it must be one of { tools }, { tokens } and { contextShare }")),
        };
        Ok(ActivationOption { activation, share })
    }
}

/// Servers, and tools by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    servers: Option<Labels>,
    tools: Option<Labels>,
}

impl Listed {
    /// The servers and the tools.
    pub(super) fn lists(self) -> (Vec<String>, Vec<String>) {
        (self.servers.unwrap_or_default().0, self.tools.unwrap_or_default().0)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScopeVisitor)
    }
}

struct ScopeVisitor;

impl<'de> Visitor<'de> for ScopeVisitor {
    type Value = Scope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of servers and tools, or \"all\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scope, E> {
        if text == "all" { Ok(Scope::All) } else { Err(E::invalid_type(Unexpected::Str(text), &self)) }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Scope, A::Error> {
        let (servers, tools) = Listed::deserialize(MapAccessDeserializer::new(map))?.lists();
        Ok(Scope::new(&servers, &tools))
    }
}
