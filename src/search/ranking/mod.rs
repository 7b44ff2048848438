//! Ranks the tools that have words of a request, in two stages. The first stage sums BM25F over the postings of the
//! words, adds the gains of names and servers, and keeps the best (`Scorer`). The second stage rates only for these how
//! well their sentences fit.

pub(super) mod host_scores;
pub(super) mod scratch;
pub(super) mod sentences;

use std::cmp::Ordering;

use crate::catalog::{Effect, RequestedEffects};
use crate::search::ids::{Doc, ServerId};
use crate::search::index::Index;
use crate::search::query::terms::{AnalyzedQuery, ExpandedTerm, QueryTerm, Relation};
use crate::search::ranker_options::Weights;
use crate::search::ranking::scratch::{Name, Scratch, Sum};
use crate::search::view::{NamePosting, View};

/// A tool fits too if its score is at least this share of the best one. With a smaller share, places go to tools that
/// are not wanted; with a larger one, a server that is written to come first is more often alone.
pub(crate) const FITS: f64 = 0.4;

/// A tool and its score, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Candidate {
    pub doc: Doc,
    pub server: ServerId,
    /// The score of the words of the request that it has: their share of all weight, below 1.
    pub words: f64,
    /// The gain of a name that the request covers.
    pub name: f64,
    /// The gain of a server's name that the request covers.
    pub of_server: f64,
    /// The gain of a sentence of the tool that fits the request as a whole.
    pub sentence: f64,
    /// The gain of a clause of the request that it fits.
    pub intent: f64,
    /// The gain of the host's own score.
    pub host: f64,
}

impl Candidate {
    pub(crate) fn score(&self) -> f64 {
        self.by_words() + self.host
    }

    /// Returns the score without the host's part.
    pub(crate) fn by_words(&self) -> f64 {
        self.words + self.name + self.of_server + self.sentence + self.intent
    }
}

/// The minimum number of candidates that are collected before they are cut to the best.
const CANDIDATES: usize = 64;

/// Scores requests against the tools that are searched.
pub(crate) struct Scorer<'a> {
    pub index: &'a Index,
    pub view: &'a View,
    pub weights: &'a Weights,
    /// By document: whether its tool may be a hit; `None` if all may.
    only: Option<&'a [bool]>,
}

/// A summary of all tools that have words of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Matched {
    /// The number of these tools.
    pub tools: usize,
    /// The sum of the sharpened scores of tools near the best that are not candidates.
    pub others: f64,
}

/// Returns a score to the power of 6, computed by multiplication alone, which gives the same bits in every runtime. In
/// a sum of such powers, only tools about as good as the best one matter.
pub(crate) fn sharpened(score: f64) -> f64 {
    let square = score * score;
    square * square * square
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(index: &'a Index, view: &'a View, weights: &'a Weights) -> Self {
        Scorer { index, view, weights, only: None }
    }

    /// Returns this scorer with a restriction to some tools.
    pub(crate) fn among(self, only: Option<&'a [bool]>) -> Self {
        Scorer { only, ..self }
    }

    /// Returns true if a tool may be a hit.
    pub(crate) fn admits(&self, doc: Doc) -> bool {
        self.only.is_none_or(|only| only[doc]) && self.view.live().is_none_or(|live| live[doc])
    }

    /// Returns the position of a document's tool in the catalog.
    pub(crate) fn position(&self, doc: Doc) -> usize {
        self.index.versions.position(doc).unwrap_or(usize::MAX)
    }

    /// Returns the server of a document's tool.
    pub(crate) fn server(&self, doc: Doc) -> ServerId {
        self.index.columns.servers[doc]
    }

    /// Puts the best tools for a request into `candidates`, at most `wanted`, in any order. If there are enough good
    /// tools, it leaves out tools that could not come near the best even with the gains of name and server.
    pub(crate) fn score(
        &self,
        query: &AnalyzedQuery,
        wanted: usize,
        scratch: &mut Scratch,
        candidates: &mut Vec<Candidate>,
    ) -> Matched {
        candidates.clear();
        let terms = &query.terms[..];
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        if total <= 0.0 {
            return Matched::default();
        }
        scratch.fit(self.index.versions.len(), self.index.servers.len());
        self.add_up(terms, scratch);
        self.cover(terms, scratch);
        let best = self.by_words(total as f32, query.effects, scratch);
        let matched = self.select(best, wanted, scratch, candidates);
        scratch.matched.clear();
        scratch.named.drain(..).for_each(|doc| scratch.names[doc].covered = 0.0);
        scratch.named_servers.drain(..).for_each(|server| scratch.servers[server] = 0.0);
        matched
    }

    /// Returns the best score of a request.
    pub(crate) fn best(&self, query: &AnalyzedQuery, scratch: &mut Scratch, candidates: &mut Vec<Candidate>) -> f64 {
        self.score(query, 1, scratch, candidates);
        candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best))
    }

    /// Sums, for each tool that has a word of a request, the scores of its words.
    fn add_up(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        let k1 = self.weights.k1 as f32;
        let Scratch { frequencies, sums, matched, of_word, .. } = scratch;
        let (frequencies, sums) = (&mut frequencies[..], &mut sums[..]);
        for word in terms {
            let weight = word.weight as f32;
            let mut add = |doc: Doc, frequency: f32, covered: f32| {
                let sum = &mut sums[doc];
                matched.push_if(doc, sum.covered == 0.0);
                sum.score += weight * frequency / (frequency + k1);
                sum.covered += covered;
            };
            let translated = weight * self.weights.translated_coverage as f32;
            if let [(term, share, relation)] = word.expanded.terms[..] {
                let covered = if relation == Relation::Translation { translated } else { weight };
                for part in self.view.postings(term) {
                    part.iter().for_each(|posting| add(posting.doc, share as f32 * posting.frequency, covered));
                }
                continue;
            }
            // Translations come last. The documents that they add have nothing else of the word.
            let mut untranslated = 0;
            for (term, share, relation) in &word.expanded.terms {
                for part in self.view.postings(*term) {
                    for posting in part {
                        if self.skips_translation(&word.expanded, *relation, posting.doc) {
                            continue;
                        }
                        let frequency = &mut frequencies[posting.doc];
                        of_word.push_if(posting.doc, *frequency == 0.0);
                        *frequency += *share as f32 * posting.frequency;
                    }
                }
                if *relation != Relation::Translation {
                    untranslated = of_word.all().len();
                }
            }
            for (at, doc) in of_word.all().iter().enumerate() {
                add(*doc, std::mem::take(&mut frequencies[*doc]), if at < untranslated { weight } else { translated });
            }
            of_word.clear();
        }
    }

    /// Returns true if a translation of a word is skipped for this tool: some tool has the word itself, and this tool has
    /// an enrichment.
    pub(crate) fn skips_translation(&self, word: &ExpandedTerm, relation: Relation, doc: Doc) -> bool {
        relation == Relation::Translation && word.itself().is_some() && self.index.columns.is_worded(doc)
    }

    /// Sums, for names and servers, what the request covers of them: for each term, its idf times its weight.
    fn cover(&self, words: &[QueryTerm], scratch: &mut Scratch) {
        let Scratch { names, named, servers, named_servers, terms, .. } = scratch;
        terms.clear();
        for (term, share, _) in words.iter().flat_map(|word| &word.expanded.terms) {
            match terms.iter_mut().find(|(known, _)| known == term) {
                Some((_, most)) => *most = most.max(*share),
                None => terms.push((*term, *share)),
            }
        }
        for (term, share) in terms.iter() {
            let covered = (share * self.view.idf(*term)) as f32;
            if self.weights.names > 0.0 {
                for NamePosting { doc, all } in self.view.names(*term).into_iter().flatten() {
                    let name = &mut names[*doc];
                    if name.covered == 0.0 {
                        named.push(*doc);
                    }
                    *name = Name { covered: name.covered + covered, all: *all };
                }
            }
            for server in self.view.servers_with(*term) {
                if servers[*server] == 0.0 {
                    named_servers.push(*server);
                }
                servers[*server] += covered;
            }
        }
        for server in named_servers.iter() {
            servers[*server] = self.server_gain(*server, servers[*server].into()) as f32;
        }
    }

    /// Turns the sums into scores by words for tools that may be hits. Returns the best score.
    fn by_words(&self, total: f32, asked: RequestedEffects, scratch: &mut Scratch) -> f32 {
        let Scratch { sums, matched, words, .. } = scratch;
        if self.only.is_some() || self.view.live().is_some() {
            matched.retain(|doc| {
                let is_admitted = self.admits(doc);
                if !is_admitted {
                    sums[doc] = Sum::default();
                }
                is_admitted
            });
        }
        let coverage = self.weights.coverage as f32;
        let by_effect = Effect::ALL.map(|effect| {
            let less = if asked.contradicts(effect) { self.weights.effects } else { 0.0 };
            (1.0 - less) as f32 / total
        });
        let effects = &self.index.columns.effects[..];
        let mut best = 0.0f32;
        words.clear();
        words.extend(matched.all().iter().map(|doc| {
            let Sum { score, covered } = std::mem::take(&mut sums[*doc]);
            let covered = 1.0 - coverage * (1.0 - covered / total);
            let words = score * (covered * by_effect[effects[*doc] as usize]);
            best = best.max(words);
            words
        }));
        best
    }

    /// Puts the best tools into `candidates`.
    fn select(&self, best: f32, wanted: usize, scratch: &Scratch, candidates: &mut Vec<Candidate>) -> Matched {
        let Scratch { matched, words, names, servers, named_servers, .. } = scratch;
        let gain_of_servers = named_servers.iter().fold(0.0, |most: f32, server| servers[*server].max(most));
        // The maximum factor by which a name and a server can raise a tool.
        let gain = (1.0 + self.weights.names as f32) * (1.0 + gain_of_servers);
        let near = FITS as f32 * best / gain;
        let enough = words.iter().filter(|words| **words >= near).nth(wanted.saturating_sub(1)).is_some();
        let near = if enough { near } else { 0.0 };
        let mut others = 0.0;
        let room = wanted.saturating_mul(2).max(CANDIDATES);
        // The score that a candidate needs to be among the best so far.
        let mut needed = 0.0;
        for (doc, words) in matched.all().iter().zip(words.iter().copied()) {
            if words < near {
                continue;
            }
            others += sharpened(words.into());
            if f64::from(words * gain) < needed {
                continue;
            }
            let (words, server) = (f64::from(words), self.server(*doc));
            let name = names[*doc];
            let name = if name.covered > 0.0 { words * self.name_gain(name) } else { 0.0 };
            let of_server = (words + name) * f64::from(servers[server]);
            let candidate = Candidate { doc: *doc, server, words, name, of_server, ..Candidate::default() };
            if candidate.score() < needed {
                continue;
            }
            candidates.push(candidate);
            if candidates.len() == room {
                needed = self.cut(wanted, candidates);
            }
        }
        if candidates.len() > wanted {
            self.cut(wanted, candidates);
        }
        others -= candidates.iter().fold(0.0, |sum, one| sum + sharpened(one.words));
        Matched { tools: matched.all().len(), others: others.max(0.0) }
    }

    /// Cuts candidates to the best. Returns the score of the last one.
    fn cut(&self, wanted: usize, candidates: &mut Vec<Candidate>) -> f64 {
        self.to_front(candidates, wanted);
        candidates.truncate(wanted);
        candidates.last().map_or(0.0, Candidate::score)
    }

    /// Returns the best candidates, best first, equal ones in catalog order.
    pub(crate) fn best_of(&self, candidates: &[Candidate], most: usize) -> Vec<Candidate> {
        // Integers are sorted fastest. The bits of non-negative floats have the same order as the floats.
        let key = |(at, one): (usize, &Candidate)| {
            let position = self.position(one.doc) as u128;
            u128::from(!one.score().to_bits()) << 64 | position << 32 | at as u128
        };
        let mut keys: Vec<u128> = candidates.iter().enumerate().map(key).collect();
        keys.sort_unstable();
        keys.into_iter().take(most).map(|key| candidates[key as u32 as usize]).collect()
    }

    /// Moves the best candidates to the front, the last of them at the end of these, and returns them.
    pub(crate) fn to_front<'c>(&self, candidates: &'c mut [Candidate], most: usize) -> &'c mut [Candidate] {
        let most = most.min(candidates.len());
        if most > 0 && most < candidates.len() {
            candidates.select_nth_unstable_by(most - 1, |a, b| self.order(a, b));
        }
        &mut candidates[..most]
    }

    fn order(&self, a: &Candidate, b: &Candidate) -> Ordering {
        let position = |one: &Candidate| self.position(one.doc);
        b.score().total_cmp(&a.score()).then_with(|| position(a).cmp(&position(b)))
    }

    /// Returns the gain of a tool by the part of its name that the request covers, as a share of its score by words.
    fn name_gain(&self, name: Name) -> f64 {
        let share = (f64::from(name.covered) / f64::from(name.all)).min(1.0);
        // The power of 1.5, because half a name is worth less than half of a whole one.
        self.weights.names * share * share.sqrt()
    }

    /// Returns the gain of a tool by the covered part of its server's name, as a share of all else.
    fn server_gain(&self, server: ServerId, covered: f64) -> f64 {
        let terms = self.index.servers.terms.row(server);
        let all = terms.iter().fold(0.0, |sum, term| sum + self.view.idf(*term));
        self.weights.servers * covered / all
    }
}
