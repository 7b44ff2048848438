/**
 * The price of a cached token, against a new one, below which the tool list that never changes is cheaper: 0 where it never is, and 1
 * where it is without a cache, too.
 *
 * @param {(cached: number) => number} more what it costs more where a cached token has that price: a straight line
 */
export function constantBelow(more) {
  const [at0, at1] = [more(0), more(1)];
  if (at0 >= 0) return 0;
  return at1 <= 0 ? 1 : at0 / (at0 - at1);
}
