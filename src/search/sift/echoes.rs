//! Finds servers that repeat what others are called. A server with tools for everything, made of the words of other servers'
//! names, would come first for requests that are meant for them. Its tools count less, so that the tools come first whose
//! words these are; where nothing else fits, a share of the score changes nothing.
//!
//! The measure is how much of the other servers' names a server has in its own texts, in the mean over these servers. Words
//! count by how few servers have them, and by how strongly the ranker takes the server's tools to be about them. Adding
//! words cannot lower it. It is held against a server the more, the fewer of its own names' words are its own. Of 44 public
//! servers the highest reaches 0.26, of 70 servers of a labelled set 0.16, and a server with a doorway for each tool of eight
//! other servers 1.3.

use crate::search::number::idf;
use crate::search::slots::Slot;
use crate::search::vocabulary::Term;

use super::fields::Field;
use super::index::{Index, Posting};
use super::statistics::Statistics;
use super::weights::Weights;

/// What a server may repeat where there are many others.
const FREE: f64 = 0.15;
/// What it may repeat beyond that, divided by the number of other servers: among few, two may do the same.
const FREE_OF_FEW: f64 = 0.3;
/// Beyond what is free, how much more takes the whole of [`super::weights::Weights::echoes`] away.
const RANGE: f64 = 0.2;
/// The share of its own names' words that a usual server has in common with others: what it repeats counts more or less by the
/// difference to it. A server whose names are all its own has at least the second, so that no made-up name buys much.
const USUAL: f64 = 0.65;
const LEAST: f64 = 0.45;

/// By place: the share that a tool counts. Tools without a server are the host's own and always count in full.
/// `frequency` says what a posting counts.
pub(super) fn shares(
    index: &Index,
    statistics: &Statistics,
    weights: &Weights,
    frequency: &dyn Fn(&Posting) -> f64,
) -> Vec<f64> {
    let mut has_tools = vec![false; index.servers.len()];
    statistics.places.slots.iter().for_each(|slot| has_tools[index.columns.servers[*slot as usize] as usize] = true);
    let servers = has_tools.iter().filter(|has| **has).count();
    if servers < 2 || weights.echoes == 0.0 {
        return vec![1.0; statistics.len()];
    }
    let free = FREE + FREE_OF_FEW / (servers - 1) as f64;
    let totals = vec![0.0; has_tools.len()];
    let spreads = Spreads { index, statistics, k1: weights.k1, frequency, servers, totals }.measure();
    let share = |slot: &Slot| match index.columns.servers[*slot as usize] {
        0 => 1.0,
        server => {
            let beyond = ((spreads[server as usize] - free) / RANGE).max(0.0);
            1.0 - weights.echoes * beyond.min(1.0)
        }
    };
    statistics.places.slots.iter().map(share).collect()
}

/// How strongly the tools of a server are about a term: from 0 to 1.
type Strength = (u32, f64);

struct Spreads<'a> {
    index: &'a Index,
    statistics: &'a Statistics,
    k1: f64,
    frequency: &'a dyn Fn(&Posting) -> f64,
    /// How many servers have tools that are searched.
    servers: usize,
    /// By server: what its names weigh.
    totals: Vec<f64>,
}

impl Spreads<'_> {
    /// By server: how much of the names of the others it repeats, from 0 to 1.
    fn measure(mut self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.totals.len()];
        let mut terms: Vec<(f64, Vec<u32>, Vec<Strength>)> = Vec::new();
        // By their texts: sums must not depend on the order in which a catalog came to know its words.
        let vocabulary = &self.index.vocabulary;
        let by_text = |one: &Term, other: &Term| vocabulary.text(*one).cmp(vocabulary.text(*other));
        let mut lead_terms = self.statistics.lead_terms(self.index);
        lead_terms.sort_by(by_text);
        for term in lead_terms {
            let owners = self.owners(term);
            if owners.is_empty() {
                continue;
            }
            let holders = self.holders(term, &mut strengths);
            // A server that repeats the term must not make it a word of two servers.
            let weight = idf(holders.len().saturating_sub(1) as u32, self.servers);
            owners.iter().for_each(|owner| self.totals[*owner as usize] += weight);
            terms.push((weight, owners, holders));
        }
        let (mut spreads, mut common) = (vec![0.0; self.totals.len()], vec![0.0; self.totals.len()]);
        for (weight, owners, holders) in terms {
            let is_owner = |server: u32| owners.binary_search(&server).is_ok();
            let part = |owner: u32| weight / self.totals[owner as usize];
            let all: f64 = owners.iter().map(|owner| part(*owner)).sum();
            if owners.len() > 1 {
                owners.iter().for_each(|owner| common[*owner as usize] += part(*owner));
            }
            let strongest = |(server, strength): &Strength| if is_owner(*server) { *strength } else { 0.0 };
            let reference = holders.iter().map(strongest).sum::<f64>() / owners.len() as f64;
            for (holder, strength) in holders {
                let own = if is_owner(holder) { part(holder) } else { 0.0 };
                spreads[holder as usize] += (all - own) * (strength / reference).min(1.0);
            }
        }
        let named = self.totals.iter().filter(|total| **total > 0.0).count();
        for ((spread, total), common) in spreads.iter_mut().zip(&self.totals).zip(common) {
            let others = (named - usize::from(*total > 0.0)).max(1) as f64;
            *spread *= (1.0 + common.max(LEAST) - USUAL) / others;
        }
        spreads
    }

    /// The servers that have a term in the name of a tool, in the order of their numbers.
    fn owners(&self, term: Term) -> Vec<u32> {
        let mut owners = Vec::new();
        self.statistics.each_name(self.index, term, &mut |_, slot| owners.push(self.server(slot)));
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// The servers that have a term anywhere in a tool, with that of their tools that is most about it. What the host adds
    /// does not count; `strengths` is a buffer of zeros.
    fn holders(&self, term: Term, strengths: &mut [f64]) -> Vec<Strength> {
        let mut holders: Vec<u32> = Vec::new();
        let mut tool = (0, 0.0);
        self.statistics.each_posting(self.index, term, &mut |place, posting| {
            if matches!(posting.field, Field::Keyword | Field::Query) {
                return;
            }
            let before = if tool.0 == place { tool.1 } else { 0.0 };
            tool = (place, before + (self.frequency)(posting));
            let server = self.server(posting.slot);
            let strength = &mut strengths[server as usize];
            if *strength == 0.0 {
                holders.push(server);
            }
            *strength = strength.max(tool.1 / (tool.1 + self.k1));
        });
        holders.sort_unstable();
        holders.into_iter().map(|holder| (holder, std::mem::take(&mut strengths[holder as usize]))).collect()
    }

    /// The server of the tool in a slot.
    fn server(&self, slot: Slot) -> u32 {
        self.index.columns.servers[slot as usize]
    }
}
