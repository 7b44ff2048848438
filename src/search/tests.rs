//! The rankers of words find exactly what they would find if they read every tool at every query.
//!
//! 1. For made-up catalogs and queries, in the whole catalog and in parts of it, after every change of the catalog.
//! 2. Where there is more to search than the bounds allow.
//! 3. A change of a few tools reads these tools only, and what was read of tools that left is dropped in time.

mod reference;

use serde_json::{Value, json};

use super::query::{Keywords, tokens};
use super::*;
use crate::catalog::{Catalog, NamePolicy, Owner, RegisterOptions, Tool};

const RANKERS: [Ranker; 4] = [Ranker::Bm25, Ranker::Overlap, Ranker::Parts, Ranker::Pattern];

/// Words of tools and queries. Some stand inside others, some differ by a letter or by case, some hold marks.
const WORDS: &str = "create creat recreate issue issues isue file files profile fil list lists a i the get GetIssue mail \
    e-mail email e.g. don't x_y (all) größe GRÖSSE Größenklasse 日本語 日本 語。日 İstanbul istanbul ΟΔΟΣ οδος naïve \
    naive v2 42 repository repositories weather wether send sends week weeks -- mcp";

/// Numbers without a pattern, the same in every run.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> &'static str {
        let words: Vec<&str> = WORDS.split(' ').collect();
        words[self.below(words.len())]
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn words(&mut self, count: usize, separators: &[&str]) -> String {
        let mut text = String::new();
        for at in 0..count {
            text += if at > 0 { separators[self.below(separators.len())] } else { "" };
            text += self.word();
        }
        text
    }

    /// A tool. Few have a text of many words, a hint, or a name without letters.
    fn tool(&mut self, number: usize) -> Value {
        let prefix = ["", "", "mcp__", "__", "Get"][self.below(5)];
        let words = 1 + self.below(3);
        let name = format!("{prefix}{}_{number}", self.words(words, &["_", "", "."]));
        let name = if self.below(40) == 0 { "_".repeat(1 + number % 7) } else { name };
        let count = [0, 1, 4, 9, 20, 20, 20, 300][self.below(8)];
        let mut tool = json!({ "name": name, "description": self.words(count, &[" ", " ", ", ", "\n", "-", ""]) });
        if self.below(3) == 0 {
            let properties = json!({ self.word(): {}, "x": {} });
            tool["inputSchema"] = json!({ "type": "object", "properties": properties });
        }
        if self.below(4) == 0 {
            tool["searchHint"] = json!(self.words(3, &[" "]));
        }
        tool
    }

    /// Words of tools, parts of them, phrases, or words with a slip.
    fn query(&mut self) -> String {
        let count = [0, 1, 1, 2, 3, 5, 12, 40][self.below(8)];
        let mut query = self.words(count, &[" ", " ", " ", "  ", " +", "-", ", "]);
        let chars = query.chars().count();
        match self.below(6) {
            0 => query = query.chars().skip(self.below(chars.max(1))).collect(),
            1 => query = query.chars().take(1 + self.below(chars.max(1))).collect(),
            2 => query.insert(0, '+'),
            3 => query.push_str([" zzz", ".", " \"", "?!"][self.below(4)]),
            _ => {}
        }
        query
    }
}

fn sync(catalog: &mut Catalog, server: Option<&str>, tools: Vec<Value>) {
    let options = RegisterOptions { names: NamePolicy::Any, ..RegisterOptions::default() };
    let list = Value::from(tools).to_string();
    match server {
        Some(server) => _ = catalog.sync(server, &list, &options).unwrap(),
        None => _ = catalog.register(&list, &options).unwrap(),
    }
}

/// An index that reads what all rankers need.
fn index() -> Index {
    Index::new(&[], Without::NONE, Needs { terms: true, trigrams: true, documents: true, compared: true })
}

/// Compares what rankers find for a query with what the reference finds. Returns how many tools that are.
fn compare(
    rankers: &[Ranker],
    index: &Index,
    catalog: &Catalog,
    positions: &[u32],
    draw: &mut Draw,
    query: &str,
) -> usize {
    let corpus = Corpus::new(positions.to_vec());
    let tools: Vec<(usize, &Tool)> =
        positions.iter().map(|at| (*at as usize, &*catalog.tools()[*at as usize])).collect();
    let mut found = 0;
    for (ranker, grammar) in rankers.iter().flat_map(|ranker| [(*ranker, Grammar::Plain), (*ranker, Grammar::Commands)])
    {
        let cutoff = [Cutoff::None, Cutoff::HalfOfBest][draw.below(2)];
        let most = [0, 1, 3, 10, usize::MAX][draw.below(5)];
        let tool = [None, positions.get(draw.below(positions.len().max(1))).map(|at| *at as usize)][draw.below(2)];
        let explained = Explained { first: [0, 2, usize::MAX][draw.below(3)], tool };
        let (hits, without) = (None, Without::default());
        let settings =
            SearchSettings { grammar, ranker, universe: Universe::All, cutoff, hits, most_hits: 10, without };
        let search = Search {
            settings: &settings,
            index,
            catalog,
            corpus: &corpus,
            whole: &corpus,
            owner: Owner::SHARED,
            scores: &[],
            most,
            explained,
        };
        let keywords = match grammar {
            Grammar::Commands => Keywords::of(&tokens(grammar, query)),
            _ => Keywords::plain(query),
        };
        let words: Vec<&str> = keywords.all().map(String::as_str).collect();
        let words = if grammar == Grammar::Commands { words.join(" ") } else { query.to_owned() };
        // A ranker of patterns is asked for what is similar: nothing matches the pattern of it.
        if (ranker == Ranker::Pattern && !search.matching(&words, &corpus).is_ok_and(|found| found.hits.is_empty()))
            || (grammar == Grammar::Commands && keywords.is_empty())
        {
            continue;
        }
        let request =
            reference::Request { ranker, query: &words, required: &keywords.required, cutoff, most, explained };
        let expected = reference::found(&request, &tools);
        assert_eq!(search.find(query).unwrap(), expected, "{ranker:?} {query:?} {most} {cutoff:?}");
        found += expected.total;
    }
    found
}

#[test]
fn rankers_find_what_they_would_find_by_reading_every_tool() {
    let mut draw = Draw(1);
    let mut catalog = Catalog::new(10_000, []);
    let mut index = index();
    let mut found = 0;
    for round in 0..16 {
        let server = ["alpha", "beta", "gamma"][round % 3];
        let count = draw.below(25);
        let tools = (0..count).map(|at| draw.tool(at)).collect();
        sync(&mut catalog, [Some(server), None][usize::from(round % 5 == 4)], tools);
        if round % 7 == 6 {
            let number = draw.below(10).to_string();
            let names = catalog.tools().iter().map(|tool| tool.model_name.to_string());
            let going: Vec<String> = names.filter(|name| name.contains(&number)).collect();
            catalog.unregister(None, Some(&going));
        }
        index.follow(&catalog);
        let all: Vec<u32> = (0..catalog.tools().len() as u32).collect();
        let some: Vec<u32> = all.iter().copied().filter(|_| draw.below(3) == 0).collect();
        for _ in 0..6 {
            let query = draw.query();
            for positions in [&all, &some] {
                found += compare(&RANKERS, &index, &catalog, positions, &mut draw, &query);
            }
        }
    }
    assert!(found > 2_500, "{found}");
}

#[test]
fn no_more_bytes_are_searched_than_the_bound_allows() {
    let mut draw = Draw(3);
    let mut catalog = Catalog::new(10_000, []);
    let mut tools: Vec<Value> = (0..30).map(|at| draw.tool(at)).collect();
    // 32 words of a query are looked for in all of these descriptions: more than the bound on searched bytes. They stand behind
    // the words that are compared letter by letter, and the last one stands behind the bound.
    let long = "mcp ".repeat(64) + &"create an issue ".repeat(600);
    tools.extend((0..40).map(|at| json!({ "name": format!("long{at}"), "description": format!("{long}weather{at}") })));
    sync(&mut catalog, None, tools);
    let mut index = index();
    index.follow(&catalog);
    let all: Vec<u32> = (0..catalog.tools().len() as u32).collect();
    let many = format!("weather7 {}", "create an issue ".repeat(11));
    let mut found = compare(&RANKERS, &index, &catalog, &all, &mut draw, "weather3 w7");
    found += compare(&[Ranker::Pattern; 4], &index, &catalog, &all[30..], &mut draw, &many);
    assert!(found > 50, "{found}");
}

#[test]
fn a_change_reads_new_tools_only() {
    let mut catalog = Catalog::new(10_000, []);
    let tool = |name: &str, text: &str| json!({ "name": name, "description": text });
    let others = (0..500).map(|at| tool(&format!("other{at}"), "Says nothing new."));
    sync(&mut catalog, Some("others"), others.collect());
    sync(&mut catalog, Some("own"), vec![tool("kept", "Stays."), tool("changed", "Says one thing.")]);
    let mut index = index();
    index.follow(&catalog);
    assert_eq!((index.slots.len(), index.words.trigrams.len()), (502, 502));
    sync(&mut catalog, Some("own"), vec![tool("kept", "Stays."), tool("changed", "Says another thing.")]);
    index.follow(&catalog);
    assert_eq!((index.slots.len(), index.words.trigrams.len(), index.epoch), (503, 503, 0));
}

#[test]
fn what_left_is_forgotten() {
    let mut catalog = Catalog::new(10_000, []);
    let mut index = index();
    let mut most = 0;
    for round in 0..3_000 {
        let tool = json!({ "name": "one", "description": format!("Lists the issues of week w{round}.") });
        sync(&mut catalog, Some("own"), vec![tool, json!({ "name": "two" })]);
        index.follow(&catalog);
        most = most.max(index.vocabulary.len());
    }
    assert!((1_000..1_100).contains(&most), "{most}");
}
