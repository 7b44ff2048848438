/**
 * IBM model 1: learns word translations from pairs of texts by expectation maximisation. A word of the right text comes from
 * one word of the left text, or from none.
 */

/** The empty word, from which a word without a partner comes. */
const NONE = "";

/**
 * Returns for each word of the left side how often it is expected to stand for each word of the right side.
 *
 * @param pairs `{ said, targets }`, lists of words
 */
export function expectedCounts(pairs, rounds) {
  const sides = pairs.map(({ said, targets }) => ({ said: [...said, NONE], targets }));
  let shares = startOf(sides);
  let counts;
  for (let round = 0; round < rounds; round++) {
    counts = new Map();
    for (const { said, targets } of sides) {
      for (const target of targets) {
        const parts = said.map((word) => shares.get(word).get(target) ?? 0);
        const sum = parts.reduce((all, part) => all + part, 0);
        for (const [at, part] of parts.entries()) {
          if (part > 0) add(counts, said[at], target, part / sum);
        }
      }
    }
    shares = new Map([...counts].map(([word, row]) => [word, sharesOf(row)]));
  }
  counts.delete(NONE);
  return counts;
}

/** Returns the initial counts: every word in a pair is equally likely to stand for each word of the other side. */
function startOf(sides) {
  const counts = new Map();
  for (const { said, targets } of sides) {
    for (const word of said) for (const target of targets) add(counts, word, target, 0);
  }
  return new Map([...counts].map(([word, row]) => [word, new Map([...row.keys()].map((target) => [target, 1 / row.size]))]));
}

function add(counts, word, target, count) {
  let row = counts.get(word);
  if (row === undefined) counts.set(word, (row = new Map()));
  row.set(target, (row.get(target) ?? 0) + count);
}

function sharesOf(row) {
  const sum = totalOf(row);
  return new Map([...row].map(([target, count]) => [target, count / sum]));
}

/** Returns the sum of a row of counts. */
export const totalOf = (row) => [...row.values()].reduce((sum, count) => sum + count, 0);
