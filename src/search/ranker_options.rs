//! Defines the constants of the ranker. They were found on labelled sets of tools, in regions where the result hardly
//! changes with the constant; `docs/search.md` describes how, and what each part of the ranker adds.

use crate::macros::choices;
use crate::search::fields::{FIELDS, Field};

choices! {
    /// A part of the ranker that can be switched off, to measure its effect, or for a catalog that is better without
    /// it.
    pub enum Ingredient {
        /// Forms of a word count as the word.
        Stems = "stems",
        /// Words without meaning of their own are ignored.
        StopWords = "stop-words",
        /// Words of the same meaning count in part.
        Synonyms = "synonyms",
        /// Words with the same beginning as a word of the query count in part.
        Relatives = "relatives",
        /// Words that no tool has are replaced by similar ones.
        Repair = "repair",
        /// Names, descriptions and values of parameters are searched.
        Parameters = "parameters",
        /// A query is also compared with whole sentences of a tool.
        Sentences = "sentences",
        /// Tools that have more of the query's words get a higher score.
        Coverage = "coverage",
        /// Tools whose names the query covers get a higher score.
        Names = "names",
        /// Tools of servers that the query names get a higher score.
        Servers = "servers",
        /// Each part of a query with several parts finds tools.
        Intents = "intents",
        /// Tools whose exact names are in the query come first.
        Identity = "identity",
        /// Tools with another effect than the query's verbs ask for get a lower score.
        Effects = "effects",
    }
}

/// The parts of the ranker that are switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without(u32);

impl Without {
    /// No part is switched off.
    pub const NONE: Without = Without(0);

    /// Switches off one more part.
    pub fn and(self, ingredient: Ingredient) -> Self {
        Without(self.0 | 1 << ingredient as u32)
    }

    /// Returns true if a part is switched on.
    pub(crate) fn keeps(self, ingredient: Ingredient) -> bool {
        self.0 & (1 << ingredient as u32) == 0
    }

    /// Returns the switched-off parts as one number.
    pub(crate) fn number(self) -> u64 {
        self.0.into()
    }

    /// Returns the text forms of the switched-off parts.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Ingredient::ALL.iter().filter(move |(_, ingredient)| !self.keeps(*ingredient)).map(|(name, _)| *name)
    }
}

/// The constants of the ranker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// The weight of one occurrence in each field, in the order of [`Field`].
    pub fields: [f64; FIELDS],
    /// How strongly the length of a field lowers its weight, from 0 (not at all) to 1 (in proportion).
    pub length: f64,
    /// By field: the minimum length as a share of the average. A shorter field counts as that long, so that a tool
    /// gains nothing by a nearly empty field.
    pub shortest: [f64; FIELDS],
    /// The saturation of term frequency: the larger, the more repetitions count.
    pub k1: f64,
    /// The weight of a verb of the same meaning, relative to the word itself.
    pub verbs: f64,
    /// The weight of a noun of the same meaning, relative to the word itself.
    pub nouns: f64,
    /// The weight of a tool's word for an everyday word, relative to the word itself.
    pub colloquial: f64,
    /// The factor on synonyms if no tool has the word itself.
    pub in_place: f64,
    /// The weight of a translation relative to the word itself, times the share in the table.
    pub translations: f64,
    /// The maximum weight of a translation.
    pub translated: f64,
    /// Translations below this weight are not searched, since they would cost more time than they are worth.
    pub translated_least: f64,
    /// The factor on translations if the word itself occurs in the name of a tool.
    pub translated_names: f64,
    /// The factor on translations if no tool has the word itself.
    pub translated_unknown: f64,
    /// The share of a word that a tool covers if it has only a translation of the word.
    pub translated_coverage: f64,
    /// The weight of a word with the same beginning, relative to the word itself.
    pub relatives: f64,
    /// The weight of a corrected word, times its similarity.
    pub repair: f64,
    /// The maximum frequency of a word in a field of the parameters, however often it occurs. Schemas of thousands of
    /// words repeat the words of the data that they describe.
    pub parameters: f64,
    /// The gain of a sentence that equals the request.
    pub sentences: f64,
    /// How strongly the share of the query that a tool covers affects its score.
    pub coverage: f64,
    /// The gain of a name that the query covers completely.
    pub names: f64,
    /// The gain of a server's name that the query covers completely.
    pub servers: f64,
    /// The gain of a tool that fits a part of the query best.
    pub intents: f64,
    /// The loss of a tool with another effect than the query asks for.
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
    /// Returns the constants, with 0 for the switched-off parts.
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
