//! Searches tools and skills separately, and selects the skill to load. In one list, tools with enrichments would take
//! the places of nearly every skill, and skills would take places of tools.

use crate::error::Result;
use crate::search::{Confidence, Corpus, Found, Hit, Stage};

use crate::discovery::context::Context;

use super::search;

/// The minimum likelihood for loading a skill that was not named: its text takes as much as many tools.
const CLEAR: f64 = 0.5;
/// The number of skills that an answer lists beside tools. With three instead of five, a tenth more of the answers to
/// requests in everyday words would miss the right skill.
pub(super) const SKILLS_LISTED: usize = 5;

/// The hits of a query, by kind.
pub(super) struct Kinds {
    /// Without skills, if the session sees any.
    pub tools: Found,
    pub skills: Found,
    /// Tools and skills in one list, if the session sees any skills. A few skills alone do not show which scores are
    /// due to chance.
    pub both: Found,
}

/// Finds at most `most` tools and at most `most` skills for a query of the model. If the query names entries of only
/// one kind (`select:` or a pattern), there are no hits of the other kind.
pub(super) fn find(context: &Context<'_>, query: &str, most: usize) -> Result<Kinds> {
    let Some([tools, skills]) = context.kinds else {
        let tools = search::find(context, query, most)?;
        return Ok(Kinds { tools, skills: Found::default(), both: Found::default() });
    };
    let among = |kind: &Corpus| {
        // In this turn the host may leave some tools out.
        let in_turn = (!std::ptr::eq(context.corpus, context.whole)).then(|| kind.among(context.corpus));
        search::find_among(context, query, most, context.scores, [in_turn.as_ref().unwrap_or(kind), kind])
    };
    let (mut tools, mut skills, both) = (among(tools)?, among(skills)?, search::find(context, query, most)?);
    if let Some((tools, skills)) = tools.verdict.as_mut().zip(skills.verdict.as_mut()) {
        tools.unknown_words.retain(|word| skills.unknown_words.contains(word));
        skills.unknown_words.clone_from(&tools.unknown_words);
    }
    let is_exact = |found: &Found| matches!(found.stage, Stage::Select | Stage::Pattern);
    Ok(match (is_exact(&tools), is_exact(&skills)) {
        (true, false) => Kinds { tools, skills: Found::default(), both },
        (false, true) => Kinds { tools: Found { hits: Vec::new(), total: 0, ..skills.clone() }, skills, both },
        _ => Kinds { tools, skills, both },
    })
}

impl Kinds {
    /// Returns the best skill, if it is probably meant and no tool fits better.
    pub(super) fn clear_skill(&self) -> Option<&Hit> {
        let hit = self.skills.hits.first()?;
        let is_best = self.both.hits.first().is_some_and(|best| best.index == hit.index);
        let is_sure = confidence(&self.both) == Confidence::High && confidence(&self.skills) == Confidence::High;
        let is_likely = hit.likelihood.is_some_and(|likelihood| likelihood >= CLEAR);
        let is_first = strength(&self.skills) >= strength(&self.tools);
        (is_best && is_sure && is_likely && is_first).then_some(hit)
    }

    /// Returns true if the query names skills. If there is only one skill, its likelihood alone does not show that.
    pub(super) fn are_skills_named(&self) -> bool {
        strength(&self.skills).is_infinite()
    }

    /// Returns true if the query names skills and no tool.
    pub(super) fn are_only_skills_named(&self) -> bool {
        self.are_skills_named() && strength(&self.tools).is_finite()
    }

    /// Returns true if tools fit and no skill does.
    pub(super) fn are_tools_alone(&self) -> bool {
        confidence(&self.skills) == Confidence::None && confidence(&self.tools) != Confidence::None
    }
}

fn confidence(found: &Found) -> Confidence {
    let verdict = found.verdict.as_ref().filter(|_| !found.hits.is_empty());
    verdict.map_or(Confidence::None, |verdict| verdict.confidence)
}

/// Returns the best score as a multiple of the score expected by chance; infinite if the query names the hit.
fn strength(found: &Found) -> f64 {
    let verdict = found.verdict.as_ref().filter(|_| !found.hits.is_empty());
    verdict.map_or(0.0, |verdict| verdict.over_chance.unwrap_or(f64::INFINITY))
}
