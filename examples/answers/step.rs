//! Carries out one step with the native library: a method of a `ToolSift` or of one of its sessions, with its arguments.
//! tests/runtimes/lib/script/steps.mjs says what a step is.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::ser::Formatter;
use serde_json::value::RawValue;
use serde_json::{Serializer, json};
use toolsift::bindings::options::{self, OptionValue};
use toolsift::{Error, PROFILES, Result, TokenCounter, ToolSift};

/// A step.
#[derive(Deserialize)]
pub struct Step {
    pub r#do: String,
    args: Vec<Box<RawValue>>,
    pub session: Option<String>,
    child: Option<String>,
    options: Option<OptionValue>,
    counter: Option<String>,
}

impl Step {
    /// An argument as plain data.
    pub fn value(&self, at: usize) -> OptionValue {
        self.args.get(at).map_or(OptionValue::Null, |raw| serde_json::from_str(raw.get()).unwrap())
    }

    /// An argument as the JSON text that it is.
    pub fn json(&self, at: usize) -> &str {
        self.args.get(at).map_or("", |raw| raw.get())
    }

    fn text(&self, at: usize) -> String {
        serde_json::from_str(self.json(at)).unwrap()
    }

    /// A query, or several, on a line each.
    fn query(&self) -> String {
        match serde_json::from_str::<serde_json::Value>(self.json(0)).unwrap() {
            serde_json::Value::Array(list) => {
                let texts = list.iter().map(|one| one.as_str().unwrap().trim()).filter(|one| !one.is_empty());
                texts.collect::<Vec<_>>().join("\n")
            }
            one => one.as_str().unwrap().to_owned(),
        }
    }

    fn counter(&self) -> TokenCounter {
        match self.counter.as_deref() {
            None => TokenCounter::Characters,
            Some("utf16") => TokenCounter::Host(Box::new(|text| Ok(text.encode_utf16().count() as f64))),
            Some(other) => panic!("no counter {other}"),
        }
    }
}

/// What an error is to JavaScript.
pub fn refusal(error: &Error) -> String {
    let mut said = json!({ "code": error.code(), "message": error.message() });
    if let Some(alias) = error.alias() {
        said["alias"] = alias.into();
    }
    written(&json!({ "error": said }))
}

/// Carries out a step; what fails changes nothing.
pub fn outcome(sift: &mut ToolSift, step: &Step) -> Result<String> {
    if let Some(id) = &step.session {
        return in_session(sift, id, step);
    }
    Ok(match step.r#do.as_str() {
        "version" => written(&env!("CARGO_PKG_VERSION")),
        "profiles" => written(&PROFILES.iter().map(|profile| profile.info()).collect::<Vec<_>>()),
        "new" => {
            *sift = ToolSift::with_counter(options::settings(&step.value(0))?, step.counter());
            written(&sift.settings())
        }
        "exportIndex" => sum_of(&sift.export_index()),
        "fromIndex" => {
            let settings = options::settings(&step.value(0))?;
            let loaded = ToolSift::with_counter(settings, step.counter());
            loaded.load(&sift.export_index())?;
            *sift = loaded;
            written(&sift.settings())
        }
        "contentHash" => written(&sift.content_hash()),
        "register" if step.json(0).starts_with('[') => {
            written(&sift.register(step.json(0), &options::register(&step.value(1))?)?)
        }
        "register" => written(&sift.register_one(step.json(0), &options::register(&step.value(1))?)?),
        "sync" => written(&sift.sync(&step.text(0), step.json(1), &options::register(&step.value(2))?)?),
        "unregister" => {
            let (server, names) = options::which(&step.value(0))?;
            written(&sift.unregister(server.as_deref(), names.as_deref())?)
        }
        "search" => written(&sift.search(&step.query()).options(options::search(&step.value(1))?).run()?),
        "explain" => {
            let options = options::search(&step.value(2))?;
            written(&sift.search(&step.query()).options(options).explain(&step.text(1))?)
        }
        "closeSession" => written(&sift.close(&step.text(0))),
        "restore" => {
            let restored = sift.restore(step.json(0), &options::restore(&step.value(1))?)?;
            written(&json!({ "id": restored.session.id(), "missing": restored.missing }))
        }
        "tools" => written(&sift.tools()?),
        "size" => written(&sift.size(options::assemble(&step.value(0))?)?),
        "revision" => written(&sift.revision()),
        other => panic!("no step {other}"),
    })
}

/// What stands for many bytes: how many there are, and a checksum (FNV-1a).
fn sum_of(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    written(&json!({ "bytes": bytes.len(), "sum": sum }))
}

fn in_session(sift: &mut ToolSift, id: &str, step: &Step) -> Result<String> {
    let scope = options::session(step.options.as_ref().unwrap_or(&OptionValue::Null))?;
    let mut session = sift.session(id, scope.as_ref())?;
    if let Some(child) = &step.child {
        session = sift.session_of(child, session.number());
    }
    Ok(match step.r#do.as_str() {
        "register" => written(&session.register(step.json(0), &options::register(&step.value(1))?)?),
        "sync" => written(&session.sync(&step.text(0), step.json(1), &options::register(&step.value(2))?)?),
        "unregister" => {
            let (server, names) = options::which(&step.value(0))?;
            written(&session.unregister(server.as_deref(), names.as_deref())?)
        }
        "assemble" => written(&session.assemble(options::assemble(&step.value(0))?)?),
        "call" => written(&session.call_in(&options::turn(&step.value(2))?, &step.text(0), step.json(1))?),
        "child" => {
            let scope = options::session(&step.value(1))?;
            written(&session.child(&step.text(0), scope.as_ref())?.id())
        }
        "handBack" => {
            let names: Vec<_> = session.revealed()?.iter().map(ToString::to_string).collect();
            written(&sift.session(id, None)?.reveal(&names)?)
        }
        "prefetch" => written(&session.prefetch(&step.text(0), options::prefetch(&step.value(1))?)?),
        "fromMessages" => written(&session.replay(step.json(0), options::replay(&step.value(1))?)?),
        "reveal" => written(&session.reveal(&options::names(&step.value(0))?)?),
        "evict" => {
            let (tools, tokens) = options::evict(&step.value(0))?;
            written(&session.evict(tools, tokens)?)
        }
        "rescope" => written(&session.rescope(&options::scope(&step.value(0))?)?),
        "unmatched" => written(&session.unmatched()?),
        "heldBack" => written(&session.held_back(options::assemble(&step.value(0))?)?),
        "conceal" => written(&session.conceal(&options::names(&step.value(0))?)?),
        "revealed" => written(&session.revealed()?),
        "tools" => written(&session.tools()?),
        "snapshot" => written(&session.snapshot()?),
        "close" => {
            sift.close(session.id());
            written(&())
        }
        other => panic!("no step {other} of a session"),
    })
}

/// An answer as JavaScript would write it after reading it.
fn written(answer: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    answer.serialize(&mut Serializer::with_formatter(&mut bytes, AsJavaScript)).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// JSON with numbers as `JSON.stringify` has them. Both write the fewest digits that say the number; they differ in when
/// there is a point, and when an exponent.
struct AsJavaScript;

impl Formatter for AsJavaScript {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let size = value.abs();
        if value == 0.0 {
            writer.write_all(b"0")
        } else if size >= 1e21 {
            write!(writer, "{}", format!("{value:e}").replace('e', "e+"))
        } else if size < 1e-6 {
            write!(writer, "{value:e}")
        } else {
            write!(writer, "{value}")
        }
    }
}
