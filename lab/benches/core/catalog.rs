//! Makes catalogs of any size from 60 tools: each copy stands on servers of other names and says other rare words.

use serde_json::Value;

const MCP60: &str = include_str!("../../../tests/vectors/catalogs/mcp60.json");
/// Every so many letters of a description's longer words, one is another word in each copy.
const CHANGED: usize = 4;
const SYLLABLES: [&str; 16] =
    ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za"];

/// The tools of one server as the JSON that `register` takes.
pub struct Server {
    /// The name to register them under.
    pub name: String,
    /// A list of definitions.
    pub tools: String,
}

/// So many tools, by server.
pub fn catalog(tools: usize) -> Vec<Server> {
    let originals: Vec<Value> = serde_json::from_str(MCP60).unwrap();
    let mut servers: Vec<(String, Vec<Value>)> = Vec::new();
    for at in 0..tools {
        let (copy, tool) = (at / originals.len(), &originals[at % originals.len()]);
        let name = format!("{}-{copy}", tool["server"].as_str().unwrap_or("own"));
        let varied = varied(tool, copy);
        match servers.iter_mut().rev().take(originals.len()).find(|(server, _)| *server == name) {
            Some((_, list)) => list.push(varied),
            None => servers.push((name, vec![varied])),
        }
    }
    servers.into_iter().map(|(name, list)| Server { name, tools: Value::from(list).to_string() }).collect()
}

/// The tool as a copy of this number has it: the server is the caller's, the name is the server's own.
fn varied(tool: &Value, copy: usize) -> Value {
    let name = tool["name"].as_str().unwrap_or_default();
    let description = tool["description"].as_str().unwrap_or_default();
    let words: Vec<String> = description.split(' ').enumerate().map(|(at, word)| changed(word, at, copy)).collect();
    serde_json::json!({
        "name": name.rsplit("__").next(),
        "description": words.join(" "),
        "inputSchema": tool["parameters"],
    })
}

fn changed(word: &str, at: usize, copy: usize) -> String {
    let number = copy * 31 + at * 7 + word.len();
    if copy == 0 || word.len() < 5 || number % CHANGED != 0 {
        return word.to_owned();
    }
    let syllable = |shift: usize| SYLLABLES[(number >> shift) % SYLLABLES.len()];
    [syllable(0), syllable(3), syllable(6), syllable(1)].concat()
}
