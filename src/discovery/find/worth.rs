//! What of a page of hits is worth loading? Under a budget, and only what fits about as well as the best.

use std::rc::Rc;

use crate::catalog::Tool;
use crate::discovery::surface::Budget;

/// Hits beside the best are loaded if they fit at least so well beside it.
const AS_GOOD: f64 = 0.6;

/// What is loaded of tools that come with how well they fit beside the best: those that fit about as well, as far as
/// the budget goes; what is too large for what is left of it is passed over. The best is loaded whatever it takes.
pub(super) fn worth_loading<'h>(held: impl Iterator<Item = (&'h Rc<Tool>, f64)>, budget: Budget) -> Vec<&'h Rc<Tool>> {
    let mut left = budget;
    let mut worth = Vec::new();
    for (tool, share) in held.filter(|(_, share)| *share >= AS_GOOD) {
        let tokens = tool.tokens();
        let is_best = worth.is_empty() && share >= 1.0;
        if left.tools > 0 && (is_best || tokens <= left.tokens) {
            worth.push(tool);
            left = Budget { tools: left.tools - 1, tokens: left.tokens.saturating_sub(tokens) };
        }
    }
    worth
}
