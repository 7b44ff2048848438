//! The rankers of words as one would write them down first: each reads every tool at every query, and keeps nothing.

use std::collections::{HashMap, HashSet};

use crate::catalog::Tool;
use crate::search::hit::{How, Match, SearchedField, Stage};
use crate::search::view::idf::ln;
use crate::search::{Cutoff, Explained, Found, Hit, Ranker};
use crate::spelling::{EditDistance, Signature};
use crate::text::{beginning, name_parts, words};

/// Tools with their positions, rising.
pub(super) type Tools<'t> = [(usize, &'t Tool)];

/// What is asked of a ranker.
pub(super) struct Request<'a> {
    pub ranker: Ranker,
    /// The words of the query as the grammar leaves them.
    pub query: &'a str,
    /// Words that must occur.
    pub required: &'a [String],
    pub cutoff: Cutoff,
    pub most: usize,
    pub explained: Explained,
}

/// A tool that was found: its position and why.
type Scored<'a> = (usize, Vec<Match<'a>>);

/// The answer of a ranker.
pub(super) fn found(request: &Request<'_>, tools: &Tools<'_>) -> Found {
    let held: Vec<(usize, &Tool)> =
        tools.iter().filter(|(_, tool)| request.required.iter().all(|word| holds(tool, word))).copied().collect();
    let (lowered, whole) = (request.query.to_ascii_lowercase(), request.query.trim().to_lowercase());
    let terms = trimmed(request.query);
    let parts_of: Vec<Vec<String>> = held.iter().map(|(_, tool)| parts(tool)).collect();
    let parts_of = |position: usize| &parts_of[held.iter().position(|(at, _)| *at == position).unwrap()];
    let (stage, mut scored) = match request.ranker {
        Ranker::Bm25 => {
            let ranked = bm25(&lowered, &held);
            match ranked.is_empty() && lowered.contains(|c: char| c.is_ascii_alphanumeric()) {
                true => (Stage::Substring, by_substring(&whole, &held)),
                false => (Stage::Bm25, ranked),
            }
        }
        Ranker::Overlap => (Stage::Overlap, overlap(&terms, &held)),
        Ranker::Parts => {
            let ranked = held.iter().map(|(at, tool)| (*at, in_parts(&lowered, tool, parts_of(*at))));
            let mut ranked: Vec<Scored<'_>> = ranked.filter(|(_, matches)| Match::sum(matches) > 0.0).collect();
            let name = |at: usize| &*held.iter().find(|(position, _)| *position == at).unwrap().1.model_name;
            ranked.sort_by(|(a, _), (b, _)| name(*a).cmp(name(*b)));
            (Stage::Parts, ranked)
        }
        Ranker::Pattern | Ranker::Sift => (Stage::Fuzzy, fuzzy(&whole, &held)),
    };
    scored.sort_by(|(_, a), (_, b)| Match::sum(b).total_cmp(&Match::sum(a)));
    if let (Cutoff::HalfOfBest, Some(best)) = (request.cutoff, scored.first().map(|(_, best)| Match::sum(best))) {
        scored.retain(|(_, matches)| Match::sum(matches) >= best / 2.0);
    }
    let hits = scored.iter().take(request.most).enumerate().map(|(at, (index, matches))| {
        let parts = if request.explained.wants(at, *index) { &matches[..] } else { &[] };
        Hit {
            index: *index,
            score: Match::sum(matches),
            likelihood: None,
            parts: parts.iter().map(Match::part).collect(),
        }
    });
    let stage = if scored.is_empty() { Stage::None } else { stage };
    Found { stage, hits: hits.collect(), total: scored.len(), ..Found::default() }
}

fn matched<'a>(field: SearchedField, term: &'a str, how: How, contribution: f64) -> Match<'a> {
    Match::new(field, term, how, contribution)
}

/// Whether a word stands in a part of the name, in the description or in the hint.
fn holds(tool: &Tool, word: &str) -> bool {
    let texts = [&*tool.description, tool.search_hint().unwrap_or("")].map(str::to_ascii_lowercase);
    parts(tool).iter().chain(&texts).any(|text| text.contains(word))
}

/// The parts of a name, for the ranker of parts.
fn parts(tool: &Tool) -> Vec<String> {
    if let Some(rest) = tool.model_name.strip_prefix("mcp__") {
        return rest.split('_').filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect();
    }
    let mut marked = String::new();
    let mut before = '_';
    for c in tool.model_name.chars() {
        if c.is_ascii_uppercase() && !before.is_ascii_uppercase() {
            marked.push('_');
        }
        marked.push(c);
        before = c;
    }
    marked.split(['_', '.']).filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect()
}

fn in_parts<'a>(query: &'a str, tool: &Tool, parts: &'a [String]) -> Vec<Match<'a>> {
    let is_of_server = tool.server().is_some() || tool.model_name.starts_with("mcp__");
    let (whole, inside) = if is_of_server { (12.0, 6.0) } else { (10.0, 5.0) };
    let mut all = Vec::new();
    for word in query.split_whitespace() {
        let part = parts.iter().find(|part| part.contains(word));
        if parts.iter().any(|part| part == word) {
            all.push(matched(SearchedField::Name, word, How::Word, whole));
        } else if let Some(part) = part {
            all.push(Match { matched: part.into(), ..matched(SearchedField::Name, word, How::Inside, inside) });
        }
        if tool.search_hint().unwrap_or("").to_ascii_lowercase().contains(word) {
            all.push(matched(SearchedField::Hint, word, How::Inside, 4.0));
        }
        if tool.description.to_ascii_lowercase().contains(word) {
            all.push(matched(SearchedField::Description, word, How::Inside, 2.0));
        }
    }
    all
}

fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

fn bm25<'a>(query: &'a str, tools: &Tools<'_>) -> Vec<Scored<'a>> {
    let mut documents: Vec<(HashMap<String, u32>, usize)> = Vec::new();
    for (_, tool) in tools {
        let names = tool.parameters.property_names().join(" ");
        let text = format!("{} {} {names}", tool.model_name, tool.description).to_ascii_lowercase();
        let mut counts = HashMap::new();
        ascii_words(&text).for_each(|word| *counts.entry(word.to_owned()).or_insert(0) += 1);
        documents.push((counts, ascii_words(&text).count()));
    }
    let all = tools.len() as f64;
    let having = |word: &str| documents.iter().filter(|(counts, _)| counts.contains_key(word)).count() as f64;
    let having: HashMap<&str, f64> = ascii_words(query).map(|word| (word, having(word))).collect();
    let average = (documents.iter().map(|(_, length)| *length as f64).sum::<f64>() / all.max(1.0)).max(1.0);
    let mut found = Vec::new();
    for ((at, _), (counts, length)) in tools.iter().zip(&documents) {
        let mut matches = Vec::new();
        for word in ascii_words(query) {
            let Some(frequency) = counts.get(word).map(|count| f64::from(*count)) else { continue };
            let having = having[word];
            let idf = ln(1.0 + (all - having + 0.5) / (having + 0.5));
            let norm = 1.5 * (1.0 - 0.75 + 0.75 * *length as f64 / average);
            let contribution = idf * frequency * 2.5 / (frequency + norm);
            matches.push(matched(SearchedField::Text, word, How::Word, contribution));
        }
        if !matches.is_empty() {
            found.push((*at, matches));
        }
    }
    found
}

fn by_substring<'a>(query: &'a str, tools: &Tools<'_>) -> Vec<Scored<'a>> {
    let found = tools.iter().filter(|(_, tool)| tool.model_name.to_lowercase().contains(query));
    found.map(|(at, _)| (*at, vec![matched(SearchedField::Name, query, How::Inside, 0.0)])).collect()
}

/// The words of a query for the ranker by overlap, and behind them the whole query.
fn trimmed(query: &str) -> Vec<String> {
    let words = query.split_whitespace().chain([query.trim()]);
    let mut trimmed: Vec<String> =
        words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    let whole = trimmed.pop();
    trimmed.retain(|word| !word.is_empty());
    trimmed.into_iter().chain(whole).collect()
}

fn overlap<'a>(terms: &'a [String], tools: &Tools<'_>) -> Vec<Scored<'a>> {
    let (whole, terms) = terms.split_last().unwrap();
    let mut found = Vec::new();
    for (at, tool) in tools {
        let texts = lower_cased(tool);
        let mut matches: Vec<Match<'_>> =
            terms.iter().filter_map(|term| inside(&texts, term, (3.0, 1.0), usize::MAX)).collect();
        if !terms.is_empty() && *whole == texts.0 {
            matches.push(matched(SearchedField::Name, whole, How::WholeQuery, 100.0));
        }
        if terms.is_empty() || !matches.is_empty() {
            found.push((*at, matches));
        }
    }
    found
}

/// Name and description in lower case.
fn lower_cased(tool: &Tool) -> (String, String) {
    (tool.model_name.to_lowercase(), tool.description.to_lowercase())
}

/// Where a text stands in a tool: in the name, or else in so many bytes of the description.
fn inside<'a>(
    (of_name, of_description): &(String, String),
    term: &'a str,
    (name, description): (f64, f64),
    bytes: usize,
) -> Option<Match<'a>> {
    if of_name.contains(term) {
        return Some(matched(SearchedField::Name, term, How::Inside, name));
    }
    let is_in_description = beginning(of_description, bytes).contains(term);
    is_in_description.then(|| matched(SearchedField::Description, term, How::Inside, description))
}

fn fuzzy<'a>(query: &'a str, tools: &Tools<'_>) -> Vec<Scored<'a>> {
    if query.is_empty() {
        return Vec::new();
    }
    let all: Vec<&str> = words(query).take(32).collect();
    let long: Vec<&str> = all.iter().filter(|word| word.chars().count() >= 3).copied().collect();
    let bytes: usize = tools.iter().map(|(_, tool)| tool.description.len() * (all.len() + 1)).sum();
    let bytes = if bytes <= 10_000_000 { usize::MAX } else { 10_000_000 / (tools.len() * (all.len() + 1)) };
    let similar = similar(&long, tools);
    let mut found = Vec::new();
    for (at, tool) in tools {
        let texts = lower_cased(tool);
        let whole: Vec<Match<'_>> = inside(&texts, query, (1.0, 0.8), bytes).into_iter().collect();
        let whole: Vec<Match<'_>> = whole.into_iter().map(|one| Match { how: How::WholeQuery, ..one }).collect();
        let share = 1.0 / all.len().max(1) as f64;
        let single = all.iter().filter_map(|word| inside(&texts, word, (0.7 * share, 0.4 * share), bytes)).collect();
        let mut alike = Vec::new();
        for (of, word) in long.iter().enumerate() {
            let mut best: Option<(f64, Match<'a>)> = None;
            for (other, field) in fuzzy_words(tool) {
                let Some((score, text)) = similar.get(&(of, other)) else { continue };
                if best.as_ref().is_none_or(|(top, _)| score > top) {
                    let contribution = 0.6 / long.len() as f64 * score;
                    let text: &'static str = text;
                    best = Some((
                        *score,
                        Match { matched: text.into(), ..matched(field, word, How::Similar, contribution) },
                    ));
                }
            }
            alike.extend(best.map(|(_, one)| one));
        }
        let steps: [Vec<Match<'a>>; 3] = [whole, single, alike];
        let best =
            steps.into_iter().reduce(|best, step| if Match::sum(&step) > Match::sum(&best) { step } else { best });
        let best = best.unwrap();
        if Match::sum(&best) >= 0.2 {
            found.push((*at, best));
        }
    }
    found
}

/// The words of a tool that are compared letter by letter, and where each stands.
fn fuzzy_words(tool: &Tool) -> Vec<(String, SearchedField)> {
    let description = tool.description.to_lowercase();
    let of_name = name_parts(&tool.model_name).into_iter().map(|part| (part, SearchedField::Name));
    let rest = words(&description).take(64).map(|word| (word.to_owned(), SearchedField::Description));
    of_name.chain(rest).collect()
}

/// How similar long words of a query, by place, are to words of tools. The first word of every tool is compared, then the
/// second of every tool, until the letters that may be compared run out.
fn similar(long: &[&str], tools: &Tools<'_>) -> HashMap<(usize, String), (f64, &'static str)> {
    let rows: Vec<Vec<(String, SearchedField)>> = tools.iter().map(|(_, tool)| fuzzy_words(tool)).collect();
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (mut seen, mut similar, mut left) = (HashSet::new(), HashMap::new(), 5_000_000usize);
    for (word, _) in (0..most).flat_map(|at| rows.iter().filter_map(move |row| row.get(at))) {
        if !seen.insert(word) {
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        for (of, long) in long.iter().enumerate() {
            let long: Vec<char> = long.chars().collect();
            let (shorter, longer) = (letters.len().min(long.len()), letters.len().max(long.len()));
            let signature = |letters: &[char]| Signature::of(letters.iter().copied());
            let least = signature(&letters).least_distance(signature(&long));
            let is_near =
                longer <= 40 && shorter as f64 >= 0.6 * longer as f64 && 1.0 - least as f64 / longer as f64 >= 0.6;
            left = left.saturating_sub(if is_near { letters.len() * long.len() } else { 1 });
            if left == 0 {
                return similar;
            }
            let score = if is_near { EditDistance::default().similarity(&long, &letters) } else { 0.0 };
            if score >= 0.6 {
                similar.insert((of, word.clone()), (score, &*word.clone().leak()));
            }
        }
    }
    similar
}
