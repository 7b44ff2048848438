//! The types that options are made of: numbers in a range, texts, lists, and the values of enums by their names.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor};

use crate::assembly::{Disclosure, Format, StubWhen};
use crate::catalog::{Deferral, NamePolicy};
use crate::discovery::{OutOfScope, Reveal, UnrevealedCall};
use crate::json::number_text;
use crate::limits;
use crate::profile::{PROFILES, Profile};
use crate::search::{Cutoff, Grammar, Ingredient, Ranker, Universe};
use crate::session::{Consent, Scope, WhenFull};
use crate::text::nearest;

use super::forms::Listed;

/// A whole number from `LEAST` to `MOST`.
pub(super) struct Count<const LEAST: usize, const MOST: usize>(usize);

impl<'de, const LEAST: usize, const MOST: usize> Deserialize<'de> for Count<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number { least: LEAST as f64, most: MOST as f64, is_whole: true };
        deserializer.deserialize_f64(number).map(|count| Count(count as usize))
    }
}

impl<const LEAST: usize, const MOST: usize> From<Count<LEAST, MOST>> for usize {
    fn from(count: Count<LEAST, MOST>) -> usize {
        count.0
    }
}

/// A number from 0 to 1.
pub(super) struct Share(pub f64);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(Number { least: 0.0, most: 1.0, is_whole: false }).map(Share)
    }
}

/// Tokens of a context window.
pub(super) struct Window(pub u64);

impl<'de> Deserialize<'de> for Window {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tokens = Number { least: 1.0, most: limits::CONTEXT_WINDOW_CEILING, is_whole: false };
        deserializer.deserialize_f64(tokens).map(|tokens| Window(tokens as u64))
    }
}

/// A time in milliseconds.
pub(super) struct Time(pub f64);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(Number { least: 0.0, most: f64::MAX, is_whole: false }).map(Time)
    }
}

struct Number {
    least: f64,
    most: f64,
    is_whole: bool,
}

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        if !(self.least..=self.most).contains(&number) {
            let range = format!("{} to {}", number_text(self.least), number_text(self.most));
            return Err(E::invalid_value(Unexpected::Float(number), &&*range));
        }
        if self.is_whole && number.fract() != 0.0 {
            return Err(E::custom("it must be a whole number"));
        }
        Ok(number)
    }
}

/// A text of some characters that is not blank.
pub(super) struct Label(pub String);

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(LabelVisitor).map(Label)
    }
}

struct LabelVisitor;

impl Visitor<'_> for LabelVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        if text.trim().is_empty() || text.chars().count() > limits::LABEL_CHARS {
            return Err(E::custom(format!("it must be a string of 1 to {} characters", limits::LABEL_CHARS)));
        }
        Ok(text.to_owned())
    }
}

/// A list of labels.
#[derive(Default)]
pub(super) struct Labels(pub Vec<String>);

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LabelsVisitor).map(Labels)
    }
}

struct LabelsVisitor;

impl<'de> Visitor<'de> for LabelsVisitor {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
        let mut labels = Vec::new();
        while let Some(Label(label)) = list.next_element()? {
            labels.push(label);
        }
        Ok(labels)
    }
}

/// The entries of an object with any keys, in their order.
pub(super) struct Entries<T>(pub Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData)).map(Entries)
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Vec<(String, T)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// Reads an option whose value `null` is not the same as no value.
pub(super) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads an option that narrows what may be seen. Null is refused with some help: it may stand for a value that the host
/// failed to find, and must not open everything.
fn narrowing<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    help: &'static str,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_option(Narrowing(help, PhantomData)).map(Some)
}

pub(super) fn selection_or_refusal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Listed>, D::Error> {
    narrowing(deserializer, "leave the key out where every tool takes part")
}

pub(super) fn session_or_refusal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    narrowing(deserializer, "leave the key out to search as the host")
}

pub(super) fn scope_or_refusal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Scope>, D::Error> {
    narrowing(deserializer, "leave the key out or say \"all\" where everything may be seen")
}

struct Narrowing<T>(&'static str, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Narrowing<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_none<E: Error>(self) -> Result<T, E> {
        Err(E::custom(self.0))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Reads the position of a name in a list.
pub(super) struct Choice<'n>(pub Vec<&'n str>);

impl Visitor<'_> for Choice<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
        let found = self.0.iter().position(|name| *name == text);
        found.ok_or_else(|| match nearest(text, self.0.iter().copied()) {
            Some(meant) => E::custom(format!("it must be {}; did you mean {meant}?", &self as &dyn Expected)),
            None => E::invalid_type(Unexpected::Str(text), &self),
        })
    }
}

impl<'de> Deserialize<'de> for &'static Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = PROFILES.iter().map(|profile| profile.name).collect();
        deserializer.deserialize_str(Choice(names)).map(|at| &PROFILES[at])
    }
}

/// Reads the values of an enum by the names in its table.
macro_rules! by_name {
    ($($choice:ty),*) => { $(
        impl<'de> Deserialize<'de> for $choice {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let names = Self::ALL.iter().map(|(name, _)| *name).collect();
                deserializer.deserialize_str(Choice(names)).map(|at| Self::ALL[at].1)
            }
        }
    )* };
}

by_name!(
    Consent,
    Cutoff,
    Deferral,
    Disclosure,
    Format,
    Grammar,
    Ingredient,
    NamePolicy,
    OutOfScope,
    Ranker,
    Reveal,
    StubWhen,
    Universe,
    UnrevealedCall,
    WhenFull
);
