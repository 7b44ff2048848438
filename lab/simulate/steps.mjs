/** Computes the requests that a model needs before it can call the right tool, for each strategy. */

/** The most searches for one task. After these, the model gives up. */
export const MOST_SEARCHES = 3;

/** The tokens of the model's calls without names, and of the fixed texts in answers. */
export const CALL = { search: 15, add: 15, describe: 15, forward: 15, found: 38, answer: 10 };

/** The levels of confidence that allow a search to load tools, by setting. */
export const CONFIDENCES = { any: ["high", "low", "none"], low: ["high", "low"], high: ["high"] };

/** The strategy without discovery: all tools are sent. */
export const inFull = () => ({ steps: [], carried: 0, solved: true });

/**
 * The strategy search-and-load. A search shows `reveal` + `list` hits, one on each line, and loads at most `reveal` of them:
 * always the best hit, and then hits with at least the share `near` of its score, as long as all definitions together fit
 * the budget. The model adds the other needed tools in one call. With `reveal` 0, this is the strategy search-then-add.
 */
export function searchAndReveal({ reveal, list, budget = Infinity, near = 0, sure = "any" }, task) {
  const most = CONFIDENCES[sure].includes(task.confidence) ? reveal : 0;
  const reveals = ({ definition, score }, best, { count, tokens }) =>
    count < most && (count === 0 || (tokens + definition <= budget && score >= near * best.score));
  return growing(searches(reveal + list, reveals, task));
}

/**
 * The package: the first search lists what the package itself lists for this query, each further one `page` hits, and they
 * reveal what the package reveals.
 */
export const asPackage = (setting, task) => growing(packageSearches(setting, task));

/**
 * The package with `prefetch`: what the user's words clearly find is there in the request that needs it, and the model
 * searches for what is missing.
 */
export function asAhead(setting, task) {
  const loaded = task.hits.filter(({ ahead }) => ahead);
  const ahead = loaded.reduce((sum, { definition }) => sum + definition, 0);
  const needs = loaded.reduce((open, { meets }) => open & ~meets, task.needs);
  if (needs === 0) return { steps: [], carried: 0, solved: true, ahead };
  const hits = task.hits.map((hit) => (hit.ahead ? { ...hit, definition: 0 } : hit));
  return { ...asPackage(setting, { ...task, needs, hits }), ahead };
}

/**
 * The package with a tool list that never changes: definitions stand in the answers instead, what is missing is searched for
 * by its name, and each call is wrapped in another.
 */
export function asConstant(setting, task) {
  const { steps, called, solved } = packageSearches(setting, task);
  const told = steps.map(({ output, answer, revealed }) => ({ output, answer: answer + revealed, revealed: 0 }));
  return { steps: told, carried: called.count * CALL.forward + called.names, solved };
}

const packageSearches = ({ page }, task) => searches(page, ({ loads }) => loads, task, task.listed);
const growing = ({ steps, solved }) => ({ steps, carried: 0, solved });

/**
 * Searches that show `page` hits each, the first one `first`; `reveals` says of a hit, the best of its page and what is
 * revealed so far. `called` is what the task needs of them.
 */
function searches(page, reveals, task, first = page) {
  const { hits } = task;
  const steps = [];
  const called = { count: 0, names: 0 };
  let open = task.needs;
  let added = 0;
  let names = 0;
  for (let from = 0, to = first; searchesOn(steps, open, from, hits); from = to, to += page) {
    let answer = CALL.found;
    const revealed = { count: 0, tokens: 0 };
    for (const hit of hits.slice(from, to)) {
      const { definition, line, name, meets } = hit;
      answer += line;
      if ((open & meets) !== 0) {
        called.count += 1;
        called.names += name;
      }
      if (reveals(hit, hits[from], revealed)) {
        revealed.count += 1;
        revealed.tokens += definition;
      } else if ((open & meets) !== 0) {
        added += definition;
        names += name;
      }
      open &= ~meets;
    }
    steps.push({ output: CALL.search, answer, revealed: revealed.tokens });
  }
  if (added > 0) steps.push({ output: CALL.add + names, answer: CALL.answer + names, revealed: added });
  return { steps, called, solved: open === 0 };
}

/**
 * The bridge strategy: a search returns lines, a describe call returns a definition as text, and a tool is called through a
 * call tool.
 */
export function bridge({ list }, task) {
  const { hits } = task;
  const steps = [];
  const wanted = { count: 0, names: 0, definitions: 0 };
  let open = task.needs;
  for (let from = 0; searchesOn(steps, open, from, hits); from += list) {
    let answer = CALL.found;
    for (const hit of hits.slice(from, from + list)) {
      answer += hit.line;
      if ((open & hit.meets) === 0) continue;
      open &= ~hit.meets;
      wanted.count += 1;
      wanted.names += hit.name;
      wanted.definitions += hit.definition;
    }
    steps.push({ output: CALL.search, answer, revealed: 0 });
  }
  if (wanted.count > 0) {
    const output = wanted.count * CALL.describe + wanted.names;
    steps.push({ output, answer: wanted.count * CALL.answer + wanted.definitions, revealed: 0 });
  }
  return { steps, carried: wanted.count * CALL.forward + wanted.names, solved: open === 0 };
}

/** Returns true if the model searches: always once, and again while a needed tool is missing and there are more hits. */
const searchesOn = (steps, open, from, hits) =>
  steps.length === 0 || (open !== 0 && steps.length < MOST_SEARCHES && from < hits.length);
