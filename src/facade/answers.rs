//! Defines the data that the host gets back. All of it serializes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::assembly::{Format, Renders, TextCost, TokenCounter};
use crate::catalog::{Catalog, Deferral, Hints, Owner, Tool, is_false, no_hints};
use crate::error::Result;
use crate::search::{Corpus, Found, HitPart, Stage, Verdict};
use crate::session::ToolState;

/// A tool for display: its description, its state and its cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolInfo {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// The name under which it was registered.
    pub original_name: Arc<str>,
    /// Its server.
    pub server: Option<Arc<str>>,
    /// True if it is the session's own tool.
    #[serde(skip_serializing_if = "is_false")]
    pub own: bool,
    /// Its name in Google's format, if that format refuses `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub google_name: Option<Arc<str>>,
    /// The parameter names that models see, each with the server's own name, if some vendor refuses the server's name.
    /// The arguments of a dispatched call have the server's names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameter_names: BTreeMap<Box<str>, Box<str>>,
    /// Its category.
    pub category: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its description.
    pub description: Arc<str>,
    /// The rule for whether it may be deferred.
    pub deferral: Deferral,
    /// Its state.
    pub state: ToolState,
    /// The hints of its server about its effect, as in [`Outcome::Dispatch`](crate::Outcome).
    #[serde(skip_serializing_if = "no_hints")]
    pub hints: Hints,
    /// True if it is a skill, which is read instead of called.
    #[serde(rename = "skill", skip_serializing_if = "is_false")]
    pub is_skill: bool,
    /// Bytes of its definition in MCP's format.
    pub bytes: usize,
    /// Tokens of its definition in MCP's format.
    pub tokens: u64,
    /// The cost of the definition as its server sends it, with the parts of the schema that no parameter refers to.
    pub sent: TextCost,
}

/// The changes made by [`SessionHandle::replay`](crate::SessionHandle::replay), by the names that the model sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HistoryReport {
    /// Tools that are loaded now and were not before.
    pub revealed: Vec<Arc<str>>,
    /// Tools that were loaded before and are not now.
    pub concealed: Vec<Arc<str>>,
    /// Tools that the conversation reports as loaded, but that cannot be loaded.
    pub missing: Vec<Arc<str>>,
}

/// A tool that a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundTool {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// Its server.
    pub server: Option<Arc<str>>,
    /// Its description.
    pub description: Arc<str>,
    /// Its score, on the ranker's own scale.
    pub score: f64,
    /// The probability that it is the wanted tool, if the ranker can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<f64>,
    /// The reasons for the hit, if they were asked for.
    pub parts: Vec<HitPart>,
}

/// The result of a search, best tools first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchResult {
    /// The query.
    pub query: String,
    /// The step that answered.
    pub stage: Stage,
    /// The tools found.
    pub hits: Vec<FoundTool>,
    /// The number of tools that were searched.
    pub searched: usize,
    /// The ranker's judgement of the hits, if it can tell.
    #[serde(flatten)]
    pub verdict: Option<Verdict<Arc<str>>>,
}

impl SearchResult {
    /// Adds the texts of the tools to what a search found.
    pub(super) fn of(catalog: &Catalog, query: &str, found: Found, searched: usize) -> Self {
        let hits = found.hits.into_iter().map(|hit| {
            let tool = &catalog.tools()[hit.index];
            FoundTool {
                name: tool.model_name.clone(),
                server: tool.key.server.clone(),
                description: tool.description.clone(),
                score: hit.score,
                likelihood: hit.likelihood,
                parts: hit.parts,
            }
        });
        let hits = hits.collect();
        let server = |tool: usize| catalog.tools()[tool].key.server.clone();
        let verdict = found.verdict.map(|verdict| verdict.named(server));
        SearchResult { query: query.to_owned(), stage: found.stage, hits, searched, verdict }
    }
}

/// The reason why a search found a tool or did not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// True if it is among the hits.
    pub found: bool,
    /// Its place among them, from 1.
    pub rank: Option<usize>,
    /// Its score, on the ranker's own scale.
    pub score: f64,
    /// The matches that the score comes from.
    pub parts: Vec<HitPart>,
    /// The answer in a sentence.
    pub reason: String,
}

impl Explanation {
    /// Explains why a search found the tool at a position, or did not, if at most `shown` hits are shown.
    pub(super) fn of(tool: &Tool, position: Option<usize>, found: Found, shown: usize, corpus: &Corpus) -> Self {
        let shown = shown.min(found.hits.len());
        let place = found.hits.iter().position(|hit| Some(hit.index) == position);
        let is_searched = position.is_some_and(|position| corpus.place_of(position).is_some());
        let reason = match (is_searched, place, found.stage) {
            (false, ..) => "It is not searched: it is sent from the start, or outside of what may be seen.".to_owned(),
            (true, Some(at), _) if at < shown => format!("It is hit {} of {shown}.", at + 1),
            (true, Some(at), _) => format!("It matches in place {}, but only {shown} are shown.", at + 1),
            (true, None, Stage::Pattern) => {
                "The query matches other tools as a pattern, and neither its name nor its description.".to_owned()
            }
            (true, None, _) if found.rules_out => "The query rules it out: by +, - or server:.".to_owned(),
            (true, None, _) => "The query does not match it well enough to count.".to_owned(),
        };
        let rank = place.filter(|at| *at < shown).map(|at| at + 1);
        let hit = place.and_then(|at| found.hits.into_iter().nth(at));
        let (score, parts) = hit.map(|hit| (hit.score, hit.parts)).unwrap_or_default();
        Explanation { name: tool.model_name.clone(), found: rank.is_some(), rank, score, parts, reason }
    }
}

/// Describes tools for the host, each with its state.
pub(super) fn infos(
    tools: &[&Arc<Tool>],
    states: &[ToolState],
    renders: &Renders,
    counter: &TokenCounter,
) -> Result<Vec<ToolInfo>> {
    let mut infos = Vec::with_capacity(tools.len());
    for (tool, state) in tools.iter().zip(states) {
        let tally = renders.tally(tool, Format::Mcp, counter)?;
        let cost = tally.cost();
        infos.push(ToolInfo {
            name: tool.model_name.clone(),
            original_name: tool.key.name.clone(),
            server: tool.key.server.clone(),
            own: tool.owner != Owner::SHARED,
            google_name: Some(tool.google_name()).filter(|name| *name != tool.model_name),
            parameter_names: tool.parameters.safe_names().iter().cloned().collect(),
            category: tool.category().map(str::to_owned),
            title: tool.title().map(str::to_owned),
            description: tool.description.clone(),
            deferral: tool.deferral,
            state: *state,
            hints: tool.hints,
            is_skill: tool.key.is_skill,
            bytes: cost.bytes,
            tokens: cost.tokens,
            sent: tally.as_sent([tool.parameters.unreached()]),
        });
    }
    Ok(infos)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::profile::Settings;
    use crate::{RegisterOptions, ToolSift};

    #[test]
    fn only_what_is_sent_is_kept_as_text() {
        let sift = ToolSift::new(Settings::default());
        sift.register(r#"[{"name":"a"},{"name":"b"}]"#, &RegisterOptions::default()).unwrap();
        let sizes: Vec<usize> = sift.tools().unwrap().iter().map(|tool| tool.bytes).collect();
        for (_, format) in Format::ALL {
            sift.size(*format).unwrap();
        }
        sift.session("s", None).and_then(|session| session.tools()).unwrap();
        assert_eq!(sift.inner.renders.texts(), 0);
        let request = sift.session("s", None).and_then(|session| session.assemble(Format::Mcp)).unwrap();
        let punctuation = "[,]".len();
        assert_eq!(request.tools.get().len(), sizes.iter().sum::<usize>() + punctuation);
        assert_eq!(sift.inner.renders.texts(), 2);
        sift.unregister(
            None,
            Some(&sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect::<Vec<_>>()),
        )
        .unwrap();
        assert_eq!(sift.inner.renders.texts(), 0);
    }

    /// The limit of the catalog counts the bytes of all tools in memory.
    #[test]
    fn texts_of_own_tools_that_have_gone_are_released_at_once() {
        let settings = Settings { most_bytes: 100_000, ..Settings::default() };
        let sift = ToolSift::new(settings);
        sift.register(r#"[{"name":"a"}]"#, &RegisterOptions::default()).unwrap();
        let held = || sift.tools_now().catalog.tools().iter().map(|tool| tool.bytes()).sum::<usize>();
        let from = RegisterOptions { server: Some("github".into()), ..RegisterOptions::default() };
        let before = held();
        for round in 0..12 {
            let text = format!("Opens ticket {round}. {}", "word ".repeat(12_000));
            let ada = sift.session("ada", None).unwrap();
            let report = ada.register(&format!(r#"[{{"name":"large","description":"{text}"}}]"#), &from).unwrap();
            assert_eq!(report.registered.len(), 1, "round {round}: there is room");
            let tool = sift.tools_now().catalog.tools().last().map(Arc::downgrade).unwrap();
            assert!(held() > 60_000);
            sift.session("ada", None).unwrap().search("opens ticket").run().unwrap();
            ada.assemble(Format::Mcp).unwrap();
            ada.held_back(Format::Mcp).unwrap();
            assert!(sift.inner.renders.texts() > 0);
            match round % 3 {
                0 => assert!(sift.close("ada")),
                1 => assert_eq!(ada.unregister(Some("github"), None).unwrap().len(), 1),
                _ => assert_eq!(ada.sync("github", "[]", &from).unwrap().removed.len(), 1),
            }
            assert!(tool.upgrade().is_none(), "round {round}");
            assert_eq!(held(), before, "round {round}");
            assert!(sift.inner.renders.texts() <= 1, "only the shared tool is left");
        }
    }
}
