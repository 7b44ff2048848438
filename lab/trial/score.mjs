/** Scores a conversation: the served needs, the mistakes, and the cost. */

import { priceOf } from "../conversation/rates.mjs";
import { WIRES } from "../conversation/wire.mjs";
import { mean } from "../eval/metrics.mjs";

/** Matches the names of tools that only read. Calling such a tool first is not a mistake. */
const READS = /(^|[^a-z])(get|list|search|find|read|show|lookup|look|open|check|describe|query|katalog|fetch)/i;

const isReading = (name) => READS.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));

/**
 * Computes the figures of a conversation from its recording: the shares of needs `called` and `loaded`, and whether `all`
 * were called; the numbers of `wrong` calls (of writing tools that are not needed), `searches`, `empty` searches,
 * `discovery` calls, `guessed` names, `early` calls (of tools that are not loaded) and `rounds`; the tokens `sent`; and the
 * price as a number of uncached input tokens, `priced` with an empty cache and `warm` with a cache that has the common
 * beginning.
 */
export function scoresOf({ needs, also = [], steps, seen, loaded }, { format }, rates) {
  const calls = steps.flatMap((step) => step.calls);
  const ran = new Set(calls.filter(({ is }) => is === "ran").map(({ name }) => name));
  const right = new Set([...needs.flat(), ...also]);
  const share = (names) =>
    needs.length === 0 ? 1 : mean(needs.map((group) => Number(group.some((name) => names.has(name)))));
  const count = (test) => calls.filter(test).length;
  const spent = steps.map(({ tokens, cached, output }) => ({ cached, fresh: tokens - cached, output }));
  const price = (some) => some.reduce((sum, one) => sum + priceOf(one, rates, WIRES[format]), 0) * (1e6 / rates.input);
  const [first, ...later] = spent;
  const { shared = 0 } = steps[0];
  const warm = { ...first, cached: Math.min(shared, first.fresh), fresh: Math.max(0, first.fresh - shared) };
  const called = share(ran);
  return {
    called,
    loaded: share(new Set(loaded)),
    all: Number(called === 1),
    wrong: count(({ is, name }) => is === "ran" && !right.has(name) && !isReading(name)),
    searches: count(({ is }) => is === "search"),
    empty: count(({ is, found }) => is === "search" && found.length === 0),
    discovery: count(({ is }) => is === "search" || is === "help"),
    guessed: calls.reduce(
      (sum, { is, known, strange = [] }) =>
        sum + strange.length + Number(is === "refused" && known === false && strange.length === 0),
      0,
    ),
    early: count(({ is, known, sent }) => is === "refused" && known === true && !sent),
    rounds: steps.length,
    tools: seen,
    sent: steps.reduce((sum, { tokens }) => sum + tokens, 0),
    last: steps.at(-1).tokens,
    priced: price(spent),
    warm: price([warm, ...later]),
  };
}

/** Returns the means over conversations. */
export function meanScores(scores) {
  return Object.fromEntries(Object.keys(scores[0]).map((key) => [key, mean(scores.map((one) => one[key]))]));
}
