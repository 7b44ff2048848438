//! Reads the arguments of a search: the query, in the form that each answer takes, and the number of hits.

use crate::count;
use crate::discovery::arguments::{loose_integer, loose_text};
use crate::discovery::surface::Answer;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::text::beginning;

/// The maximum number of matches that the model may ask for in an answer with schemas.
const MOST_SCHEMAS: u64 = 25;

/// Reads the query of a search.
///
/// # Errors
/// `query_required`, `query_missing` or `query_empty`, depending on the answer's system.
pub(super) fn read(answer: Answer, arguments: &Object) -> Result<String> {
    let text = arguments.get("query").and_then(Value::as_str);
    let query = match answer {
        Answer::Names => text.unwrap_or_default().to_owned(),
        Answer::Schemas | Answer::Load | Answer::Restore => text.unwrap_or_default().trim().to_owned(),
        Answer::Bridge => loose_text(arguments.get("query")),
        Answer::Ranked | Answer::Callable => lines(arguments),
    };
    let (code, message) = match answer {
        Answer::Restore => return Ok(query),
        _ if !query.is_empty() => return Ok(query),
        Answer::Schemas if text.is_none() => (ErrorCode::QueryMissing, "query is missing: it must be a string"),
        Answer::Schemas => (ErrorCode::QueryEmpty, "query is empty: write words, or select:<name>"),
        Answer::Names => (ErrorCode::QueryRequired, "query is required: a non-empty string"),
        Answer::Load => (ErrorCode::QueryRequired, "query is required: words, or select:<name>"),
        Answer::Bridge => (ErrorCode::QueryRequired, "query is required: words that say what you need"),
        Answer::Ranked | Answer::Callable => {
            let message = "query is required: words that say what you need, or queries: a list of such texts";
            (ErrorCode::QueryRequired, message)
        }
    };
    Err(Error::new(code, message))
}

/// Joins the texts of a query, which may be one text, several texts, or both, one per line.
fn lines(arguments: &Object) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for key in ["query", "queries"] {
        match arguments.get(key) {
            Some(Value::String(text)) => texts.push(text),
            Some(Value::Array(list)) => texts.extend(list.iter().filter_map(Value::as_str)),
            _ => {}
        }
    }
    let lines: Vec<&str> = texts.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    beginning(&lines.join("\n"), limits::QUERY_BYTES).to_owned()
}

/// Returns the number of hits that the model asks for, if the answer takes one and the model gives a number.
pub(super) fn wanted(answer: Answer, arguments: &Object) -> Option<usize> {
    match answer {
        Answer::Schemas => Some(arguments.get("max_results")?.as_u64()?.clamp(1, MOST_SCHEMAS) as usize),
        Answer::Bridge => Some(count::of_integer(loose_integer(arguments.get("limit")?)?.max(1))),
        Answer::Ranked | Answer::Callable => {
            arguments.get("limit")?.as_f64().filter(|limit| *limit >= 1.0).map(count::of_float)
        }
        Answer::Names | Answer::Load | Answer::Restore => None,
    }
}
