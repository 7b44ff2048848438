/** Makes the English translations, from everyday words to the words of tools, out of the search words in packs. */

import { expectedCounts, totalOf } from "./model.mjs";
import { properNames, STOP_WORDS, stemOf, wordsOf } from "./words.mjs";

const ROUNDS = 6;
/** The least expected count, number of servers, and share of a translation. */
const LEAST = { count: 1, servers: 2, share: 0.04 };
/** Is added to the total of a word, so that rare translations get small shares. */
const SMOOTHING = 4;
/** A word must stand for another at least this many times as often as words do on average. */
const LIFT = 6;
/** The most words of tools for one everyday word. */
const TARGETS = 6;

/**
 * The lines of the table, in the order of their words.
 *
 * @param servers `{ name, entries: [{ name, queries, keywords }] }`; words of a server's own name are its product's, and
 * stand in no pair
 */
export function englishTable(servers) {
  const spelt = new Spelling();
  const names = properNames(servers.flatMap(({ entries }) => entries.flatMap(textsOf)));
  const pairs = servers.flatMap(({ name, entries }) => {
    const product = new Set(wordsOf(name).map(stemOf));
    return entries.flatMap((entry) => {
      const targets = spelt.stems(wordsOf(entry.name)).filter((stem) => !product.has(stem));
      if (targets.length === 0) return [];
      const said = textsOf(entry).map((text) => spelt.stems(wordsOf(text).filter((word) => !names.has(word))));
      return said.map((said) => ({ said, targets, server: name }));
    });
  });
  const inServers = new Map();
  const named = new Map();
  for (const { said, targets, server } of pairs) {
    for (const target of targets) {
      named.set(target, (named.get(target) ?? 0) + 1);
      for (const word of said) {
        const key = `${word} ${target}`;
        inServers.set(key, (inServers.get(key) ?? new Set()).add(server));
      }
    }
  }
  const all = totalOf(named);
  const lines = [];
  for (const [word, row] of expectedCounts(pairs, ROUNDS)) {
    const total = totalOf(row) + SMOOTHING;
    const targets = [...row]
      .map(([target, count]) => ({ target, count, share: count / total }))
      .filter(
        ({ target, count, share }) =>
          target !== word &&
          count >= LEAST.count &&
          share >= LEAST.share &&
          share >= (LIFT * named.get(target)) / all &&
          inServers.get(`${word} ${target}`).size >= LEAST.servers,
      )
      .sort((a, b) => b.share - a.share || (a.target < b.target ? -1 : 1))
      .slice(0, TARGETS);
    if (targets.length > 0)
      lines.push(
        lineOf(
          spelt.of(word),
          targets.map(({ target, share }) => [spelt.of(target), share]),
        ),
      );
  }
  return lines.sort();
}

/** A foreign word that occurs this often in English requests counts as English. */
const OFTEN = 3;

/** Returns the English words: stop words, words in tools' names, and words that are frequent in the texts of packs. */
export function englishWords(servers) {
  const counts = new Map();
  for (const { entries } of servers) {
    for (const { name, queries, keywords } of entries) {
      for (const word of wordsOf(name)) counts.set(word, OFTEN);
      for (const word of textsOf({ queries, keywords }).flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return new Set([...STOP_WORDS, ...[...counts].flatMap(([word, count]) => (count >= OFTEN ? word : []))]);
}

/** Returns the texts of an entry of a pack. */
const textsOf = ({ queries, keywords }) => [...queries, ...keywords];

/** Returns a line of the table: the word, and its translations with their shares. */
const lineOf = (word, targets) => `${word} ${targets.map(([target, share]) => `${target}:${share.toFixed(2)}`).join(" ")}`;

/** Finds the most frequent spelling of each stem. */
class Spelling {
  #counts = new Map();

  /** Returns the stems of some words, each once. */
  stems(words) {
    for (const word of words) {
      const stem = stemOf(word);
      const forms = this.#counts.get(stem) ?? new Map();
      this.#counts.set(stem, forms.set(word, (forms.get(word) ?? 0) + 1));
    }
    return [...new Set(words.map(stemOf))];
  }

  of(stem) {
    return [...this.#counts.get(stem)].sort(([a, more], [b, count]) => count - more || (a < b ? -1 : 1))[0][0];
  }
}
