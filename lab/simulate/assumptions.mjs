/** The assumptions of the simulation, which are printed with its figures. */

import { FLAT } from "./choose.mjs";
import { CALL, MOST_SEARCHES } from "./steps.mjs";
import { DEPTH } from "./tasks.mjs";

/** Returns the assumptions as a text, with the numbers of a model. */
export const assumptions = (model) => `\
A task is a labelled query. A conversation has ${model.turns} requests where every tool is there from the start, and needs the
  task's tools in request ${model.at}; it starts with ${model.history} tokens and grows by ${model.growth} a turn.
Every request sends the discovery tools, the prompt section, what is revealed and the history; what is revealed stays.
The query is the label's own. The model knows its tool when it is shown, adds or describes all it needs at once, and of
  several that fit takes the first shown. Where something is missing it asks for the next page, ${MOST_SEARCHES} searches at most and
  ${DEPTH} hits in all, and then gives up: the task is lost, and the conversation goes on without the call.
Tokens are characters / 4. The model writes ${CALL.search} for a search, ${CALL.add} and the names to add or to describe, ${CALL.forward} and the name
  around a bridged call. Answers are ${CALL.found} tokens and a line for each hit, or ${CALL.answer} and what was asked for, and stay.
Price: new input 1, cached input ${model.cached}, output of discovery ${model.output}, a round trip ${model.trip}. The first request is ${model.warm ? "known to the cache as far as it is the\n  same in every conversation" : "new as a whole"};
  a revealed definition stands ${model.append ? "at the end and leaves the rest cached" : "behind the other tools and makes everything after the tools new"}.
Per solved: the price of all tasks over the share of those solved. Means over the tasks of a set, then over sets.
Recommended: the fewest hits shown, then the fewest revealed, then the smallest budget, of all that cost at most ${100 * FLAT} %
  more per solved task than the cheapest and solve as many.`;
