/**
 * Measures the tools that a model's search loads automatically: how often they are right, what they cost, and whether they
 * are enough.
 */

import { mean, needsOf } from "./metrics.mjs";

/** The id of the session. It is closed after each query. */
const SESSION = "one query";

/** Returns the tools that one search of the model loads: their names, as the model sees them, and their tokens. */
export function loadedBy(sift, tokensOf, query) {
  const session = sift.session(SESSION);
  try {
    const outcome = session.call("search_tools", { query });
    const names = outcome.kind === "result" ? (outcome.revealed ?? []) : [];
    return { names, tokens: names.reduce((sum, name) => sum + tokensOf.get(name), 0) };
  } finally {
    session.close();
  }
}

/** Returns true if the loaded tools meet every need. */
export const isAnswered = (names, needs) => needs.every((group) => group.some((name) => names.includes(name)));

/**
 * Computes the figures over all queries with a need. `searches`: the share of searches that load a tool. `right`: the share
 * of these that load a needed tool. `precision`: the share of needed tools among all loaded tools. `tokens`: the mean tokens
 * of the definitions that a search loads. `answered`: the share of queries whose needs are all met by the first search.
 */
export function loadingOf(loads, queries) {
  const counted = loads
    .map((load, at) => ({ ...load, needs: needsOf(queries[at]) }))
    .filter(({ needs }) => needs.length > 0);
  const isNeeded = (needs, name) => needs.some((group) => group.includes(name));
  const loading = counted.filter(({ names }) => names.length > 0);
  const right = loading.map(({ names, needs }) => names.filter((name) => isNeeded(needs, name)).length);
  const tools = loading.reduce((sum, { names }) => sum + names.length, 0);
  const share = (count, all) => (all === 0 ? 0 : count / all);
  return {
    searches: share(loading.length, counted.length),
    right: share(right.filter((count) => count > 0).length, loading.length),
    precision: share(
      right.reduce((a, b) => a + b, 0),
      tools,
    ),
    tokens: mean(counted.map(({ tokens }) => tokens)),
    answered: mean(counted.map(({ names, needs }) => Number(isAnswered(names, needs)))),
  };
}
