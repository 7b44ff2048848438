/** Whether a tool list that never changes is the cheaper one for a conversation, as `npm run simulate` computes it for many. */
import type { Turn } from "../core/types.ts";
import { billOf, type Prices } from "./bill.ts";
import { percent } from "./numbers.ts";

/** In words; null where both are the same, or `constant` did not do what `turns` did. */
export function cheaperSurface(turns: readonly Turn[], constant: readonly Turn[], prices: Prices): string | null {
  const [grows, stays] = [billOf(turns, prices).price, billOf(constant, prices).price];
  if (callsOf(turns) === 0 || callsOf(turns) !== callsOf(constant) || grows === stays || grows === 0) return null;
  const more = (share: number) => {
    const rates = { ...prices, cached: share * prices.input };
    return billOf(constant, rates).price - billOf(turns, rates).price;
  };
  const below = constantBelow(more);
  const size = `${percent(Math.abs(1 - stays / grows))} ${stays < grows ? "less" : "more"}`;
  const until =
    below === 0
      ? "It would at any price of a cached token."
      : below === 1
        ? "It would without a cache, too."
        : below > 0.95
          ? "It would with any cache."
          : `It is cheaper as long as a cached token costs less than ${percent(below)} of a new one.`;
  return `With a tool list that never changes (\`surface: "constant"\`) it would cost ${size}. ${until}`;
}

/** Calls of real tools. */
function callsOf(turns: readonly Turn[]): number {
  return turns.filter(({ does }) => does !== null && does !== "answer" && does.outcome.kind === "dispatch").length;
}

/**
 * The price of a cached token, against a new one, below which the tool list that never changes is cheaper: 0 where it never is,
 * and 1 where it is without a cache, too. `more` says what that list costs more where a cached token has that price: a straight line.
 */
function constantBelow(more: (cached: number) => number): number {
  const [at0, at1] = [more(0), more(1)];
  if (at0 >= 0) return 0;
  return at1 <= 0 ? 1 : at0 / (at0 - at1);
}
