/** Measures the effect of typos: each query gets one typo in one of its longer words. */

import { randomFrom } from "./random.mjs";

/** The least letters of a word that gets a typo. Shorter words rarely decide a search. */
const LEAST_LETTERS = 5;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Returns the set with a typo in each query that has a long enough word. The same seed gives the same typos. */
export function withTypos(set, seed) {
  const queries = set.queries.map((query, at) => ({
    ...query,
    query: mistyped(query.query, randomFrom(`${seed} ${set.name} ${at}`)),
  }));
  const kept = queries.filter(({ query }, at) => query === set.queries[at].query).length;
  const notes = kept === 0 ? [] : [`${kept} queries have no word of ${LEAST_LETTERS} letters and no typo`];
  return { ...set, queries, notes: [...set.notes, ...notes] };
}

/** Returns the text with one typo in a longer word: two letters swapped, or one dropped, doubled or replaced. */
export function mistyped(text, random) {
  const words = [...text.matchAll(new RegExp(`\\p{L}{${LEAST_LETTERS},}`, "gu"))];
  if (words.length === 0) return text;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const { 0: word, index } = pick(words);
  const slips = [swapped, dropped, doubled, replaced];
  return text.slice(0, index) + pick(slips)([...word], random, pick).join("") + text.slice(index + word.length);
}

function swapped(letters, random, pick) {
  // Two equal letters are never swapped, because that changes nothing.
  const places = letters.map((_, at) => at).filter((at) => at > 0 && letters[at - 1] !== letters[at]);
  if (places.length === 0) return dropped(letters, random);
  const at = pick(places);
  return letters.with(at, letters[at - 1]).with(at - 1, letters[at]);
}

const dropped = (letters, random) => letters.toSpliced(Math.floor(random() * letters.length), 1);

function doubled(letters, random) {
  const at = Math.floor(random() * letters.length);
  return letters.toSpliced(at, 0, letters[at]);
}

function replaced(letters, random, pick) {
  const at = Math.floor(random() * letters.length);
  const others = [...LETTERS].filter((letter) => letter !== letters[at].toLowerCase());
  return letters.with(at, pick(others));
}
