//! Computes the average lengths of fields, and the weight of an occurrence by its field's length: the inner part of
//! BM25F (Robertson, Zaragoza and Taylor 2004), which weights and normalises fields before it sums them.

use crate::search::fields::FIELDS;
use crate::search::ids::Doc;
use crate::search::index::Index;
use crate::search::index::analyzer::Occurrence;
use crate::search::ranker_options::Weights;

/// The field lengths for which the norm is computed in advance; few fields are longer.
const NORMS: usize = 64;

/// The weights of occurrences among some tools.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    weights: Weights,
    /// The average number of words in each field, over the tools that have the field at all: most tools have no hint.
    averages: [f64; FIELDS],
    norms: Box<[[f64; NORMS]; FIELDS]>,
}

impl Lengths {
    /// Computes the averages over some documents.
    pub(crate) fn of(index: &Index, docs: &[Doc], weights: Weights) -> Self {
        let (mut sums, mut tools) = ([0u64; FIELDS], [0u64; FIELDS]);
        for doc in docs {
            for (field, length) in index.columns.lengths[*doc].iter().enumerate() {
                sums[field] += u64::from(*length);
                tools[field] += u64::from(*length > 0);
            }
        }
        let averages = std::array::from_fn(|field| (sums[field] as f64 / tools[field].max(1) as f64).max(1.0));
        let mut lengths = Lengths { weights, averages, norms: Box::new([[0.0; NORMS]; FIELDS]) };
        let norms = std::array::from_fn(|field| std::array::from_fn(|length| lengths.norm(field, length)));
        lengths.norms = Box::new(norms);
        lengths
    }

    /// Returns the weight of one occurrence in a field of this length: the longer the field is relative to the average,
    /// the smaller.
    fn norm(&self, field: usize, length: usize) -> f64 {
        let Weights { fields, length: b, shortest, .. } = &self.weights;
        let relative = (length.max(1) as f64 / self.averages[field]).max(shortest[field]);
        fields[field] / (1.0 - b + b * relative)
    }

    /// Returns the frequency of a term in one field of a tool, weighted and normalised.
    pub(crate) fn in_field(&self, occurrence: &Occurrence, field_lengths: &[u16; FIELDS]) -> f64 {
        let field = occurrence.field as usize;
        let length = usize::from(field_lengths[field]);
        let norm = self.norms[field].get(length).copied().unwrap_or_else(|| self.norm(field, length));
        let frequency = norm * f64::from(occurrence.count);
        if occurrence.field.is_of_parameters() { frequency.min(self.weights.parameters) } else { frequency }
    }

    /// Returns true if a term counts at all, that is, if it has an occurrence in a field that is not switched off.
    pub(crate) fn counts(&self, occurrences: &[Occurrence]) -> bool {
        occurrences.iter().any(|one| self.weights.fields[one.field as usize] > 0.0)
    }

    /// Returns the frequency of a term in a tool, from its occurrences in all fields.
    pub(crate) fn frequency(&self, occurrences: &[Occurrence], field_lengths: &[u16; FIELDS]) -> f64 {
        occurrences.iter().fold(0.0, |sum, one| sum + self.in_field(one, field_lengths))
    }
}
