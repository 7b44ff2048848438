//! The answer that holds definitions: by name, with the names that are missing, or ranked, with scores.

use serde::Serialize;

use crate::discovery::context::Context;
use crate::discovery::json_text::{compact, raw};
use crate::discovery::outcome::Facts;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::map::Set;
use crate::search::Query;
use crate::session::Session;

use super::described::Described;
use super::results::{Results, admit, reveal};

/// Matches that the model may ask for.
const MOST_RESULTS: u64 = 25;

/// How the query was read.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Select,
    Keyword,
}

#[derive(Serialize)]
struct Matches<'a> {
    query: &'a str,
    query_kind: Kind,
    total_deferred_tools: usize,
    matches: Vec<Described<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Vec<&'a str>>,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let query = arguments.get("query").and_then(Value::as_str);
    let query = query.ok_or_else(|| Error::new(ErrorCode::QueryMissing, "query is missing: it must be a string"))?;
    let query = query.trim();
    if query.is_empty() {
        return Err(Error::new(ErrorCode::QueryEmpty, "query is empty: write words, or select:<name>"));
    }
    admit(context, session)?;
    let total_deferred_tools = context.deferred;
    if let Query::Select(names) = Query::read(context.settings.search.grammar, query) {
        let (matches, missing) = by_name(context, session, names);
        let missing = Some(missing);
        let answer = Matches { query, query_kind: Kind::Select, total_deferred_tools, matches, missing };
        let tools = answer.matches.iter().filter_map(|found| context.named(found.name));
        let revealed = reveal(context, session, &tools.collect::<Vec<_>>());
        return Ok(Facts::answer(compact(&answer), revealed));
    }
    let asked = arguments
        .get("max_results")
        .and_then(|most| most.as_number()?.as_u64())
        .map(|most| most.clamp(1, MOST_RESULTS) as usize);
    let results = Results::of(context, query, asked)?;
    let revealed = results.reveal(context, session);
    let matches = results.tools.iter().map(|(tool, hit)| Described::scored(tool, hit.score)).collect();
    let answer = Matches { query, query_kind: Kind::Keyword, total_deferred_tools, matches, missing: None };
    Ok(Facts::answer(compact(&answer), revealed))
}

/// The tools of these names, each once, deferred or not, discovery tools included; and the names that are of no tool.
fn by_name<'a>(context: &Context<'a>, session: &Session, names: Vec<&'a str>) -> (Vec<Described<'a>>, Vec<&'a str>) {
    let (mut matches, mut missing): (Vec<Described<'a>>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut known = Set::default();
    for name in names {
        if known.contains(name) {
            continue;
        }
        let tool = context.seen(name, session);
        let discovery = || {
            let definition = context.settings.tool(name)?.definition;
            let parameters = raw(definition.parameters);
            Some(Described { name: definition.name, score: None, description: definition.description, parameters })
        };
        match tool.map(|tool| Described::of(tool)).or_else(discovery) {
            Some(found) => {
                known.insert(name);
                matches.push(found);
            }
            None => missing.push(name),
        }
    }
    (matches, missing)
}
