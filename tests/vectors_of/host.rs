//! A host for one vector: its tools registered, and the model's calls made.

use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, NamePolicy, Outcome, RegisterOptions, Scope, TokenCounter, ToolSift, Turn, options};

use super::expected::{Expected, texts};

/// The session of a vector that names none.
pub const SESSION: &str = "a";

pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {}", &text.chars().take(80).collect::<String>()))
}

thread_local! {
    static CATALOGS: [(&'static str, Value); 3] = [
        ("generic20", parsed(include_str!("../vectors/catalogs/generic20.json"))),
        ("mcp60", parsed(include_str!("../vectors/catalogs/mcp60.json"))),
        ("awkward15", parsed(include_str!("../vectors/catalogs/awkward15.json"))),
    ];
}

/// The tools of a vector, as the vectors write them.
pub fn catalog(vector: &Value) -> Vec<Value> {
    let tools = match vector["catalog"].as_str() {
        None => vector["catalog"].clone(),
        Some(name) => CATALOGS.with(|all| match all.iter().find(|(known, _)| *known == name) {
            Some((_, tools)) => tools.clone(),
            None => panic!("no catalog {name}"),
        }),
    };
    match tools {
        Value::Array(tools) => tools,
        Value::Null => Vec::new(),
        other => panic!("no catalog: {other}"),
    }
}

/// Nothing in an object that this harness does not understand.
pub fn knows(object: &Value, keys: &[&str]) {
    let unknown = object.as_object().into_iter().flatten().find(|(key, _)| !keys.contains(&key.as_str()));
    assert!(unknown.is_none(), "{unknown:?} means nothing here; known are {keys:?}");
}

/// The steps of a sequence, or the one call, each with what it should give.
pub fn steps(vector: &Value) -> Result<Vec<(&Value, Expected<'_>)>, String> {
    let (call, expected) = (&vector["call"], &vector["expected"]);
    if call["op"] != "sequence" {
        return Ok(vec![(call, Expected::of(expected))]);
    }
    let steps = call["steps"].as_array().unwrap();
    let mut whole = Expected::of(expected);
    let expected = whole.get("steps").and_then(Value::as_array).unwrap();
    whole.check("as many answers as steps", steps.len() == expected.len());
    whole.verdict()?;
    Ok(steps.iter().zip(expected.iter().map(Expected::of)).collect())
}

pub struct Host {
    pub sift: ToolSift,
    pub tools: Vec<Value>,
    pub scope: Option<Scope>,
}

impl Host {
    /// Registers tools, each held back or not as `deferral` says of it. Names of discovery tools are refused.
    pub fn new(wanted: &Value, tools: Vec<Value>, deferral: impl Fn(&Value) -> &'static str) -> Self {
        Self::counting(wanted, tools, deferral, TokenCounter::Characters)
    }

    pub fn counting(
        wanted: &Value,
        tools: Vec<Value>,
        deferral: impl Fn(&Value) -> &'static str,
        counter: TokenCounter,
    ) -> Self {
        let wanted: options::OptionValue = serde_json::from_value(wanted.clone()).unwrap();
        let sift = ToolSift::with_counter(options::settings(&wanted).unwrap(), counter);
        let any = RegisterOptions::default().names(NamePolicy::Any);
        let said = |tool: &Value| {
            let mut tool = tool.clone();
            tool["deferral"] = deferral(&tool).into();
            tool
        };
        let list: Vec<Value> = tools.iter().map(said).collect();
        let report = sift.register_json(&Value::from(list).to_string(), &any).unwrap();
        assert!(report.rejected.iter().all(|tool| tool.code == ErrorCode::NameReserved), "{:?}", report.rejected);
        Host { sift, tools, scope: None }
    }

    pub fn tool(&self, name: &str) -> Option<&Value> {
        self.tools.iter().find(|tool| tool["name"] == name)
    }

    pub fn call(&mut self, session: &str, turn: &Turn, name: &str, args: &Value) -> Answer {
        let args = if args.is_null() { "{}".to_owned() } else { args.to_string() };
        let session = self.sift.session(session, self.scope.as_ref()).unwrap();
        let outcome = session.call_json_in(turn, name, &args).unwrap();
        let (is_error, code, text) = match &outcome {
            Outcome::Result { content, is_error, error_code, .. } => (*is_error, *error_code, content.clone()),
            Outcome::Refused { error } => (true, Some(error.code), error.message.clone()),
            Outcome::Dispatch { .. } => (false, None, String::new()),
        };
        let json = serde_json::from_str(&text).unwrap_or_default();
        Answer { json, text, is_error, code: code.map(ErrorCode::as_str), outcome }
    }

    /// The definitions that a request carries, each as the object that holds its name, description and parameters;
    /// and the prompt.
    pub fn request(&mut self, session: &str) -> (Vec<Value>, String) {
        let session = self.sift.session(session, self.scope.as_ref()).unwrap();
        let assembly = session.assemble(Format::OpenAi).unwrap();
        let tools = parsed(assembly.tools.get());
        let functions = tools.as_array().unwrap().iter().map(|tool| tool["function"].clone());
        (functions.collect(), assembly.system_prompt)
    }

    /// What of answered matches is not as the catalog has it. Those of no catalog are discovery tools.
    pub fn altered(&self, matches: &Value, keys: &[&str]) -> Option<String> {
        matches.as_array()?.iter().find_map(|found| {
            let tool = self.tool(found["name"].as_str()?)?;
            let key = keys.iter().find(|key| found[**key] != tool[**key])?;
            Some(format!("{}: {key} is {}", found["name"], found[*key]))
        })
    }
}

/// What a call of the model came to.
pub struct Answer {
    pub outcome: Outcome,
    pub is_error: bool,
    pub code: Option<&'static str>,
    pub text: String,
    /// The text, where it is JSON.
    pub json: Value,
}

impl Answer {
    pub fn keys(&self) -> Vec<&str> {
        keys(&self.json)
    }

    /// Whether it has the shape that a vector describes in words.
    pub fn is_of_shape(&self, shape: &str) -> bool {
        let is_error = self.is_error && self.keys() == ["error"];
        let error = self.json["error"].as_str();
        match shape {
            "JSON object with the single key 'error' (string)" => is_error && error.is_some(),
            "JSON object with the single key 'error' (string starting with 'invalid regex pattern: ')" => {
                is_error && error.is_some_and(|error| error.starts_with("invalid regex pattern: "))
            }
            _ => false,
        }
    }
}

pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

pub fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect()
}

/// Values that are an object in one place and a list of names in another.
pub fn listed(value: Option<&Value>) -> Vec<String> {
    value.map(texts).unwrap_or_default().into_iter().map(str::to_owned).collect()
}

pub fn never_or(other: &'static str) -> impl Fn(&Value) -> &'static str {
    move |tool| if tool["deferrable"] == "never" { "never" } else { other }
}

/// Bytes of JSON without spaces.
pub fn bytes(value: &Value) -> usize {
    value.to_string().len()
}

pub fn described(tool: &Value) -> Value {
    json!({ "name": tool["name"], "description": tool["description"], "parameters": tool["parameters"] })
}
