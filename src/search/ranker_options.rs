//! The constants of the ranker, found on labelled sets of tools and chosen where the optimum is
//! flat; `docs/search.md` says how, and what each ingredient adds.

use crate::macros::choices;
use crate::search::fields::{FIELDS, Field};

choices! {
    /// A part of the ranker that can be left out, to see what it is good for, or where a catalog is better off without.
    pub enum Ingredient {
        /// Forms of a word count as the word.
        Stems = "stems",
        /// Words that mean nothing are passed over.
        StopWords = "stop-words",
        /// Words of the same meaning count in part.
        Synonyms = "synonyms",
        /// Words that begin with a word of the query, or that it begins with, count in part.
        Relatives = "relatives",
        /// Words that no tool has stand for similar ones.
        Repair = "repair",
        /// Names, descriptions and values of parameters are searched.
        Parameters = "parameters",
        /// A query is compared with whole sentences of a tool.
        Sentences = "sentences",
        /// Tools that cover more of the query come before others.
        Coverage = "coverage",
        /// Tools whose names the query covers come before others.
        Names = "names",
        /// Tools of servers that the query names come before others.
        Servers = "servers",
        /// Queries of several parts find something for each.
        Intents = "intents",
        /// Exact names come first.
        Identity = "identity",
        /// Tools that do something else than the verbs of the query ask for count less.
        Effects = "effects",
    }
}

/// Ingredients that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without(u32);

impl Without {
    /// Nothing is left out.
    pub const NONE: Without = Without(0);

    /// Leaves out one more.
    pub fn and(self, ingredient: Ingredient) -> Self {
        Without(self.0 | 1 << ingredient as u32)
    }

    /// Whether an ingredient is there.
    pub(crate) fn keeps(self, ingredient: Ingredient) -> bool {
        self.0 & (1 << ingredient as u32) == 0
    }

    /// A number for what is left out.
    pub(crate) fn number(self) -> u64 {
        self.0.into()
    }

    /// The text forms of what is left out.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Ingredient::ALL.iter().filter(move |(_, ingredient)| !self.keeps(*ingredient)).map(|(name, _)| *name)
    }
}

/// The constants of the ranker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// What one occurrence counts in each field, in the order of [`Field`].
    pub fields: [f64; FIELDS],
    /// How much longer fields are held against a tool, from 0 (not at all) to 1 (in proportion).
    pub length: f64,
    /// By field: one that is shorter than this share of the average counts as that long, so that a tool gains no more by
    /// saying next to nothing.
    pub shortest: [f64; FIELDS],
    /// How soon repeating a word stops to help.
    pub k1: f64,
    /// What a verb of the same meaning counts against the word itself.
    pub verbs: f64,
    /// What a noun of the same meaning counts against the word itself.
    pub nouns: f64,
    /// What the word of tools counts against the word that people say.
    pub colloquial: f64,
    /// How much more that is where no tool has the word itself.
    pub in_place: f64,
    /// What a word that a translation gives counts against the word itself, times the share of the translation.
    pub translations: f64,
    /// What it counts at most.
    pub translated: f64,
    /// Below this it is not looked for, which takes longer than it is worth.
    pub translated_least: f64,
    /// How much of that is left where the word itself stands in the name of a tool.
    pub translated_names: f64,
    /// How much more that is where no tool has the word itself.
    pub translated_unknown: f64,
    /// How much of a word a tool covers that has only a translation of it.
    pub translated_coverage: f64,
    /// What a word that begins alike counts against the word itself.
    pub relatives: f64,
    /// What a repaired word counts, times how like it is.
    pub repair: f64,
    /// What a word counts at most in a field of the parameters, however often it stands there. Schemas of thousands of words
    /// repeat the words of what they fill in.
    pub parameters: f64,
    /// What a sentence adds that is the request.
    pub sentences: f64,
    /// How much of a score hangs on the share of the query that a tool covers.
    pub coverage: f64,
    /// What a name adds that the query covers whole.
    pub names: f64,
    /// What the name of a server adds that the query covers whole.
    pub servers: f64,
    /// What the best of a query's parts adds to the whole.
    pub intents: f64,
    /// How much less a tool counts that does something else than the query asks for.
    pub effects: f64,
}

const WEIGHTS: Weights = Weights {
    fields: [1.75, 2.5, 1.25, 0.35, 0.8, 0.5, 0.3, 1.0, 1.0, 0.45],
    length: 0.75,
    shortest: [0.7, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
    k1: 1.6,
    verbs: 0.2,
    nouns: 0.28,
    colloquial: 0.2,
    in_place: 2.5,
    translations: 0.4,
    translated: 0.2,
    translated_least: 0.02,
    translated_names: 0.3,
    translated_unknown: 4.0,
    translated_coverage: 0.5,
    relatives: 0.35,
    repair: 0.6,
    parameters: 1.0,
    sentences: 1.5,
    coverage: 0.15,
    names: 0.6,
    servers: 0.2,
    intents: 0.2,
    effects: 0.2,
};

impl Weights {
    /// The constants, with what is left out at nothing.
    pub(crate) fn of(without: Without) -> Self {
        let mut weights = WEIGHTS;
        let drop = |ingredient, places: &mut [&mut f64]| {
            if !without.keeps(ingredient) {
                places.iter_mut().for_each(|place| **place = 0.0);
            }
        };
        let w = &mut weights;
        drop(Ingredient::Synonyms, &mut [&mut w.verbs, &mut w.nouns, &mut w.colloquial]);
        drop(Ingredient::Relatives, &mut [&mut w.relatives]);
        drop(Ingredient::Repair, &mut [&mut w.repair]);
        drop(Ingredient::Sentences, &mut [&mut w.sentences]);
        drop(Ingredient::Coverage, &mut [&mut w.coverage]);
        drop(Ingredient::Names, &mut [&mut w.names]);
        drop(Ingredient::Servers, &mut [&mut w.servers]);
        drop(Ingredient::Intents, &mut [&mut w.intents]);
        drop(Ingredient::Effects, &mut [&mut w.effects]);
        if !without.keeps(Ingredient::Parameters) {
            for field in [Field::Parameter, Field::ParameterText, Field::Value] {
                w.fields[field as usize] = 0.0;
            }
        }
        weights
    }
}
