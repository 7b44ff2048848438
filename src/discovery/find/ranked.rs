//! Writes the answer in plain words: the tools that were loaded or can be called, a line for every other hit, and the
//! confidence of the ranker. The same search again shows the next page, until the catalog changes.

use std::sync::Arc;

use crate::catalog::{Effect, Tool, ToolId, safe_alias};
use crate::discovery::context::Context;
use crate::discovery::described;
use crate::discovery::outcome::{Answered, Facts};
use crate::discovery::skill;
use crate::discovery::surface::{Action, Answer, Budget, DiscoverySettings, Reveal};
use crate::error::Result;
use crate::map::Set;
use crate::markers::{ITEM, LOADED, LOADED_BEFORE, SKILLS_LOADED};
use crate::search::{Confidence, Found, Hit, Need, Query, Stage, Verdict, pattern_fault};
use crate::session::ToolState;
use crate::text::{one_line, short_list};

use super::kinds::{self, Kinds};
use super::load_policy::{Page, to_load, withheld};
use super::look_ups;
use super::search::reveal;

/// A hit is listed on the first page if its score is at least this share of the best one.
const LISTED_FROM: f64 = 0.5;
/// The number of hits listed if nothing fits.
const NEAREST: usize = 5;
/// Maximum bytes of a line of JSON. The first line may be longer if the query names its tool, which no other text would
/// show.
const LINE_BYTES: usize = 8 * 1024;
/// Maximum bytes of all such lines, unless the first one has more.
const ANSWER_BYTES: usize = 24 * 1024;
/// Memory reserved for lines of tools: enough for a usual answer.
const LINES_BYTES: usize = 2 * 1024;
/// The advice if a search finds nothing.
const SEARCH_AGAIN: &str = "Search once more in other words before you say that there is no tool for it.";
/// The advice if the search before it found nothing either.
const DO_WITHOUT: &str =
    "Neither did the search before. If both were for the same, do without, and say so to the user.";

/// The heading of tools that are called through another one, each on a line of JSON.
const CALLABLE: &str = "Call these by the tool that call_with names:";
/// The heading of tools of which only a line is shown.
const OTHERS: &str = "Others; search for the exact name to see the parameters:";
/// The heading of hits that are in the model's tool list already.
const LISTED_ITSELF: &str = "In your list already:";

pub(super) fn call<'c>(context: &mut Context<'c>, answer: Answer, query: &str, wanted: Option<usize>) -> Result<Facts> {
    let (settings, catalog) = (context.settings, context.catalog);
    let key = context.search_key(query);
    let earlier = context.session.shown.get(&key);
    let kinds = kinds::find(context, query, earlier.saturating_add(settings.search.shown(Stage::Sift, wanted)))?;
    let found = &kinds.tools;
    let is_callable = answer == Answer::Callable;
    // The model sees the parameters of callable tools only in answers. If the host has cut the conversation, they are
    // gone. So the first page is shown again after the last one.
    let begins_again = is_callable && earlier >= found.hits.len();
    let from = if begins_again { 0 } else { earlier.min(found.hits.len()) };
    let most = found.hits.len().min(from.saturating_add(settings.search.shown(found.stage, wanted)));
    let to = if from == 0 && wanted.is_none() { fitting(found, most) } else { most };
    let skills = next_skills(context, &key, &kinds, is_callable);
    let to = if kinds.are_only_skills_named() && !skills.is_empty() { from } else { to };
    context.session.shown.set(&key, to);

    let read = Query::read(settings.search.grammar, query);
    let are_named = found.stage == Stage::Select && matches!(read, Query::Select(_));
    let is_named = |hit: &Hit| are_named || hit.likelihood == Some(1.0);
    let likelihood = |hit: &Hit| hit.likelihood.unwrap_or(0.0);
    let mut page = Page { held: Vec::new(), known: 0.0, passed: found.hits[..from].iter().map(likelihood).sum() };
    let mut known: Vec<&Arc<Tool>> = Vec::new();
    for hit in &found.hits[from..to] {
        let tool = &catalog.tools()[hit.index];
        if context.state(tool) == ToolState::Deferred {
            page.held.push((tool, hit));
        } else {
            // A tool that this answer reports as loaded must not be evicted for one that it loads now.
            context.session.touch(&tool.key);
            known.push(tool);
            page.known += likelihood(hit);
        }
    }
    let budget = if is_callable && are_named { Budget::FREE } else { settings.budget };
    let mut chosen = to_load(&read, found, &page, budget);
    let clear = kinds.clear_skill().map(|hit| hit.index);
    let leads = from == 0 && (clear.is_some() || kinds.are_skills_named()) && !skills.is_empty();
    let (mut to_read, mut listed, mut read_before) = (Vec::new(), Vec::new(), Vec::new());
    for hit in skills {
        let skill = &catalog.tools()[hit.index];
        // Only an answer has a skill's text, so that it is shown again if the query names the skill.
        let is_named = are_named || (kinds.are_skills_named() && is_named(hit));
        if !is_named && context.session.has_read(&skill.key) && context.state(skill) != ToolState::Deferred {
            context.session.touch(&skill.key);
            read_before.push(skill);
        } else if is_named || clear == Some(hit.index) {
            to_read.push(skill);
        } else {
            listed.push(skill);
        }
    }
    known.splice(if leads { 0..0 } else { known.len()..known.len() }, read_before);
    listed.splice(..0, to_read.drain(to_read.len().min(budget.tools)..));
    let loaded = skill::load(context, &to_read);
    let is_loaded = |skill: &&Arc<Tool>| loaded.skills.iter().any(|(one, _)| one.key == skill.key);
    listed.splice(..0, to_read.into_iter().filter(|skill| !is_loaded(skill)));
    let withheld = withheld(&read, found, &page);
    let mut shown = Vec::new();
    let mut revealed = Vec::new();
    if is_callable {
        chosen.extend(loaded.tools.iter().copied().filter(|tool| context.state(tool) == ToolState::Deferred));
        let mut once: Set<ToolId> = Set::default();
        chosen.retain(|tool| once.insert(tool.id));
        let is_spelt = are_named || found.hits.first().is_some_and(|best| best.likelihood == Some(1.0));
        shown = callable_lines(context, chosen, is_spelt);
    } else {
        revealed = reveal(context, chosen.into_iter());
        revealed.extend(loaded.revealed.iter().cloned());
    }
    let is_new = |tool: &Tool| revealed.contains(&tool.model_name) || shown.iter().any(|(one, _)| one.key == tool.key);
    let (mut new, mut rest): (Vec<_>, Vec<_>) = page.held.iter().map(|(tool, _)| *tool).partition(|tool| is_new(tool));
    rest.splice(if leads { 0..0 } else { rest.len()..rest.len() }, listed);
    let beside = loaded.tools.iter().filter(|tool| is_new(tool) && !new.iter().any(|one| one.key == tool.key));
    new.extend(beside.copied().collect::<Vec<_>>());

    let mut text = notes(context, &read, found, from);
    let is_listed = |index: usize| found.hits[from..to].iter().any(|hit| hit.index == index);
    let is_held = |index: usize| context.state(&catalog.tools()[index]) == ToolState::Deferred;
    let is_open = |need: &&Need| from == 0 && need.nearest.is_none_or(|index| is_held(index) && !is_listed(index));
    let open: Vec<&Need> = found.needs.iter().filter(is_open).filter(|_| !leads).collect();
    text.push_str(&verdict(context, if leads { &kinds.skills } else { found }, from, &open));
    let not_loaded = format!("Not loaded{}:", way(settings));
    let lines = |tools: &[&Arc<Tool>]| lines(tools.iter().map(|tool| (*tool, "")));
    // The other hits begin with look-up tools for the new tools, and with the nearest tools for open parts of the
    // query.
    let look_ups = look_ups::for_loaded(context, &new);
    let nearest = open.iter().filter_map(|need| Some(&catalog.tools()[need.nearest?]));
    let others = look_ups.iter().map(|one| (one.tool, format!(" (gives {})", one_line(&one.parameter))));
    let why = |tool: &Arc<Tool>| match loaded.refused.iter().find(|(name, _)| *name == tool.model_name) {
        Some((_, why)) => format!(" ({why})"),
        None if withheld.iter().any(|one| one.id == tool.id) => reason(tool, is_callable).to_owned(),
        None => String::new(),
    };
    let others = others.chain(nearest.chain(rest).map(|tool| (tool, why(tool))));
    let mut seen: Set<ToolId> = new.iter().map(|tool| tool.id).collect();
    let others: Vec<_> = others.filter(|(tool, _)| seen.insert(tool.id)).collect();
    let first = if is_callable { shown.iter().map(|(tool, _)| *tool).collect() } else { new.clone() };
    let described = if is_callable { first.iter().map(|tool| tool.model_name.clone()).collect() } else { Vec::new() };
    let found = first.iter().chain(&known).chain(others.iter().map(|(tool, _)| tool));
    let (mut skills, found): (Vec<_>, Vec<_>) = found.partition(|tool| tool.key.is_skill);
    skills.splice(..0, loaded.skills.iter().map(|(skill, _)| skill));
    let names = |tools: Vec<&&Arc<Tool>>| tools.into_iter().map(|tool| tool.model_name.clone()).collect();
    let (found, skills_found) = (names(found), names(skills));
    let told = self::lines(loaded.skills.iter().map(|(skill, note)| (*skill, &**note)));
    let others = self::lines(others.iter().map(|(tool, note)| (*tool, &**note)));
    let parts = if is_callable {
        [
            (SKILLS_LOADED, told),
            (CALLABLE, shown.into_iter().map(|(_, line)| line).collect()),
            (LISTED_ITSELF, lines(&known)),
            (OTHERS, others),
        ]
    } else {
        [(SKILLS_LOADED, told), (LOADED, lines(&new)), (LOADED_BEFORE, lines(&known)), (&*not_loaded, others)]
    };
    for (heading, lines) in parts.iter().filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(&format!("{heading}\n{lines}\n"));
    }
    let withheld = withheld.into_iter().map(|tool| tool.model_name.clone()).collect();
    let content = text.trim().to_owned() + &loaded.text();
    let answer = Answered { content, revealed, found, described, withheld, skills_found, ..loaded.answer() };
    Ok(Facts::Answered(answer))
}

/// Returns the skills for an answer: the next ones each time the same search is made.
fn next_skills<'k>(context: &mut Context<'_>, search: &[String], kinds: &'k Kinds, begins_again: bool) -> Vec<&'k Hit> {
    let hits = &kinds.skills.hits;
    let search = [search, &["skills".to_owned()]].concat();
    let earlier = context.session.shown.get(&search);
    let from = if begins_again && earlier >= hits.len() { 0 } else { earlier.min(hits.len()) };
    let most = if kinds.skills.stage == Stage::Sift && !kinds.tools.hits.is_empty() {
        kinds::SKILLS_LISTED
    } else {
        hits.len()
    };
    let least = hits.first().map_or(0.0, |best| LISTED_FROM * best.score);
    let fits = |hit: &&Hit| hit.score >= least && !kinds.are_tools_alone();
    let page: Vec<&Hit> = hits[from..].iter().take_while(fits).take(most).collect();
    context.session.shown.set(&search, from + page.len());
    page
}

/// Returns how many of the first hits are listed: up to the last one whose score is near the best, or that fits a part
/// of the query.
fn fitting(found: &Found, most: usize) -> usize {
    let fits = found.verdict.as_ref().is_none_or(|verdict| verdict.confidence != Confidence::None);
    let hits = &found.hits[..if fits { most } else { most.min(NEAREST) }];
    let least = hits.first().map_or(0.0, |best| LISTED_FROM * best.score);
    let is_listed = |hit: &Hit| hit.score >= least || found.beside == Some(hit.index) || found.leads(hit, 0.0);
    hits.iter().rposition(is_listed).map_or(0, |last| last + 1)
}

/// Writes the notes before the verdict: why a pattern was searched as words, and that the best hit, shown on an earlier
/// page, is loaded.
fn notes(context: &Context<'_>, query: &Query<'_>, found: &Found, from: usize) -> String {
    let mut text = String::new();
    if let (Query::Pattern(pattern), true) = (query, found.stage != Stage::Pattern) {
        let fault = pattern_fault(pattern);
        let why = fault.as_ref().map_or("no tool matches", |fault| fault.message());
        text.push_str(&format!("Searched as words: {why}.\n"));
    }
    let best = found.hits.first().filter(|_| from > 0).map(|hit| &context.catalog.tools()[hit.index]);
    if let Some(best) = best.filter(|tool| context.state(tool) != ToolState::Deferred) {
        text.push_str(&format!("{} is loaded already.\n", best.model_name));
    }
    text
}

/// Writes how sure the ranker is of the hits from position `from` on, and for which parts of the query it is not sure.
fn verdict(context: &mut Context<'_>, found: &Found, from: usize, open: &[&Need]) -> String {
    let Some(Verdict { confidence, unknown_words: unknown, .. }) = &found.verdict else { return String::new() };
    if from > 0 && from >= found.hits.len() {
        return "These were all that match. Try other words.".to_owned();
    }
    let mut sentences = Vec::new();
    let fits = !found.hits.is_empty() && *confidence != Confidence::None;
    // A further page belongs to the same search.
    let is_second = from == 0 && context.session.note_search(fits) > 1;
    let next = if is_second { DO_WITHOUT } else { SEARCH_AGAIN };
    if found.hits.is_empty() {
        sentences.push(format!("No tool matches. {next}"));
    } else if !fits {
        sentences.push(format!("No tool clearly fits; these came nearest. {next}"));
    } else if !open.is_empty() {
        let parts: Vec<&str> = open.iter().map(|need| &*need.text).collect();
        let parts = one_line(&short_list(&parts.join("; ")));
        sentences.push(format!(
            "Not sure what fits: {parts}. If nothing below does it, search for it alone, in other words."
        ));
    }
    // In a request in words, unknown words are often values for the call; in a list of names they are mistakes.
    if !unknown.is_empty() && (*confidence != Confidence::High || found.stage == Stage::Select) {
        sentences.push(format!("No tool knows: {}.", short_list(&unknown.join(", "))));
    }
    if sentences.is_empty() { String::new() } else { sentences.join(" ") + "\n\n" }
}

/// Writes how the model loads the tools that were only listed.
fn way(settings: &DiscoverySettings) -> String {
    match (settings.name_of(Action::Add), settings.reveal) {
        (Some(add), _) => format!("; load what you need with {add}"),
        (None, Reveal::OnSearch) => "; search for the name to load one".to_owned(),
        (None, _) => String::new(),
    }
}

/// Returns why a fitting tool was not loaded, or not shown with its parameters.
fn reason(tool: &Tool, is_callable: bool) -> &'static str {
    match (tool.effect, is_callable) {
        (Effect::Destroy, false) => " (not loaded: it may destroy; load it if the user wants that)",
        (_, false) => " (not loaded: it changes something; load it if the user wants that)",
        (Effect::Destroy, true) => " (not shown: it may destroy; search for its exact name if the user wants that)",
        (_, true) => " (not shown: it changes something; search for its exact name if the user wants that)",
    }
}

/// Writes tools on a line each: name, parameters (optional ones with a question mark), first sentence, server (unless
/// the name begins with it), and a note: the parameter that it looks up, or why it is not loaded.
fn lines<'t>(tools: impl Iterator<Item = (&'t Arc<Tool>, &'t str)>) -> String {
    let mut lines = String::with_capacity(LINES_BYTES);
    for (tool, note) in tools {
        lines.extend([ITEM, &tool.model_name, tool.outline()]);
        let name = tool.model_name.strip_prefix("mcp__").unwrap_or(&tool.model_name);
        if let Some(server) = tool.server().filter(|server| !name.starts_with(&safe_alias(server))) {
            lines.extend([" [", &one_line(server), "]"]);
        }
        lines.extend([note, "\n"]);
    }
    lines
}

/// Returns the tools that are called through another one and fit into an answer, each with its parameters on a line of
/// JSON, which no description can break out of.
fn callable_lines<'c>(
    context: &Context<'_>,
    tools: Vec<&'c Arc<Tool>>,
    are_named: bool,
) -> Vec<(&'c Arc<Tool>, String)> {
    let mut lines: Vec<(&Arc<Tool>, String)> = Vec::new();
    let mut bytes = 0;
    for tool in tools {
        let caller = context.settings.caller_of(tool.declared_effect());
        let line = on_one_line(described::callable(tool, caller)) + "\n";
        let fits = line.len() <= LINE_BYTES && bytes + line.len() <= ANSWER_BYTES;
        if fits || (are_named && lines.is_empty()) {
            bytes += line.len();
            lines.push((tool, line));
        }
    }
    lines
}

/// Escapes the characters in JSON that some readers take for the end of a line. They can occur only in texts.
fn on_one_line(json: String) -> String {
    if !json.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return json;
    }
    json.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
