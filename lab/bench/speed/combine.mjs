/** Combines the figures of several rounds: medians, and p50 and p95 for times of many calls. */

import { OWN_KINDS } from "./queries.mjs";
import { medianOrNull, quantile } from "./timing.mjs";

const isNumber = (value) => typeof value === "number";

/**
 * Combines the rounds of one row. `queries` has every requested kind of query, with times or with `{ skipped }`, the reason
 * why it was skipped. The other figures are fields of the row.
 */
export function combined(rounds, { row, kinds, ended }) {
  const named = (name) => rounds.map((figures) => figures[name]).filter((value) => value !== undefined);
  const names = [...new Set(rounds.flatMap(Object.keys))].filter((name) => !kinds.includes(name));
  const queries = Object.fromEntries(kinds.map((kind) => [kind, ofQueries(named(kind), reasonFor(row, kind, ended))]));
  const skipped = ended && { skipped: ended.reason, at: ended.step };
  return { ...Object.fromEntries(names.map((name) => [name, ofRounds(named(name))])), queries, ...skipped };
}

function reasonFor(row, kind, ended) {
  if (OWN_KINDS.includes(kind) && !row.startsWith("toolsift")) return "has no such queries";
  return ended?.reason ?? "not measured";
}

/**
 * Combines the times of queries. Each query counts once, with the median of its rounds. `hits` is the number of hits of the
 * last query.
 */
function ofQueries(rounds, reason) {
  if (rounds.length === 0) return { skipped: reason };
  const times = rounds[0].times.map((_, at) => medianOrNull(rounds.map((round) => round.times[at]).filter(isNumber)));
  return { ...spread(times), hits: rounds.at(-1).hits };
}

function ofRounds(values) {
  if (values.every(isNumber)) return medianOrNull(values);
  if (values.every(Array.isArray)) return spread(values.flat());
  return Object.fromEntries(Object.keys(values[0]).map((name) => [name, medianOrNull(values.map((value) => value[name]))]));
}

function spread(times) {
  const numbers = times.filter(isNumber);
  return { p50: quantile(numbers, 0.5), p95: quantile(numbers, 0.95), count: numbers.length };
}
