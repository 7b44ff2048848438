/** Measures the cost of an eviction: the same conversation after loaded tools were unloaded. */

import { APPENDS, playersOf, run, savedBy, subjectOf } from "./measure.mjs";

/** The number of tools that stay loaded after an eviction, because the turn before may have used them. */
export const LEFT = 2;
/** The index of the turn before which a single eviction happens: the sixth, in the middle of the conversation. */
const HALF = 5;

const evict = (session) => session.evict({ tools: LEFT });

/** The compared strategies: no eviction, one eviction, or an eviction before every turn. */
const EVICTIONS = [
  { when: "never", before: () => [] },
  { when: `once, before turn ${HALF + 1}`, before: (session, turn) => (turn === HALF ? evict(session) : []) },
  { when: "before every turn", before: evict },
];

/**
 * Runs the conversation of the append-only profile in one format, with each strategy. Returns `{ when, evicted, …run, saved
 * }`: `evicted` has the tools that were unloaded before each turn, and `saved` is a share of the price without eviction.
 */
export function evictions(ToolSift, catalogs, { format, rates, written }) {
  const subject = subjectOf(ToolSift, catalogs, { formats: [format], written });
  if (subject === null) return [];
  const player = playersOf(ToolSift).find(({ name }) => name === APPENDS);
  const played = EVICTIONS.map(({ when, before }) => {
    const evicted = [];
    const watched = (...turn) => evicted.push(before(...turn));
    return { when, evicted, ...run(ToolSift, subject, player, { format, rates, before: watched }) };
  });
  return played.map((one) => ({ ...one, saved: savedBy(one.total.price, played[0].total.price) }));
}
