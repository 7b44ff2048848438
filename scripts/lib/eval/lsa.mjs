/**
 * Latent semantic vectors of texts (Deerwester et al. 1990): a truncated singular value decomposition of their tf-idf, by
 * subspace iteration from a fixed seed (Halko, Martinsson and Tropp 2011). Words that occur in the same texts come to point
 * the same way. This needs no model and no network, and stands in for an embedding model where none can be had.
 */

import stem from "wink-porter2-stemmer";
import { randomFrom } from "./random.mjs";

/** Rounds of the iteration: after these, the subspace hardly changes. */
const ROUNDS = 4;

/** Learns from some texts; answers what makes a vector of any text, all zeros for one without a known word. */
export function lsa(texts, dims = 128) {
  const { ids, idf, rows } = read(texts);
  const size = Math.min(dims, texts.length, ids.size);
  const basis = basisOf(rows, ids.size, size);
  return (text) => {
    const vector = new Float64Array(size);
    for (const [id, weight] of weighted(countsOf(text, ids), idf)) {
      for (let at = 0; at < size; at++) vector[at] += weight * basis[id * size + at];
    }
    return [...vector];
  };
}

/** The numbers of the words, their idf, and a sparse row of weights for each text. */
function read(texts) {
  const ids = new Map();
  const counts = texts.map((text) => countsOf(text, ids, true));
  const idf = new Float64Array(ids.size);
  for (const row of counts) for (const id of row.keys()) idf[id] += 1;
  for (let id = 0; id < idf.length; id++) idf[id] = Math.log((texts.length + 1) / idf[id]);
  return { ids, idf, rows: counts.map((row) => weighted(row, idf)) };
}

/** How often each word stands in a text, by its number. Names fall into their parts; words are reduced to stems. */
function countsOf(text, ids, isNew = false) {
  const counts = new Map();
  const plain = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  for (const word of plain.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const stemmed = stem(word);
    if (isNew && !ids.has(stemmed)) ids.set(stemmed, ids.size);
    const id = ids.get(stemmed);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** A row of unit length: `[word, weight]`. */
function weighted(counts, idf) {
  const row = [...counts].map(([id, count]) => [id, (1 + Math.log(count)) * idf[id]]);
  const length = Math.hypot(...row.map(([, weight]) => weight)) || 1;
  return row.map(([id, weight]) => [id, weight / length]);
}

/** An orthonormal basis of the words' space, one row a word, that keeps the most of the rows. */
function basisOf(rows, words, size) {
  const random = randomFrom("latent semantic vectors");
  let basis = Float64Array.from({ length: words * size }, () => random() - 0.5);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(words * size);
    const sum = new Float64Array(size);
    for (const row of rows) {
      sum.fill(0);
      for (const [id, weight] of row) for (let at = 0; at < size; at++) sum[at] += weight * basis[id * size + at];
      for (const [id, weight] of row) for (let at = 0; at < size; at++) next[id * size + at] += weight * sum[at];
    }
    basis = orthonormal(next, words, size);
  }
  return basis;
}

/** The columns made orthogonal and of unit length, one after the other (modified Gram and Schmidt). */
function orthonormal(matrix, words, size) {
  const columns = Array.from({ length: size }, (_, at) =>
    Float64Array.from({ length: words }, (_, id) => matrix[id * size + at]),
  );
  columns.forEach((column, at) => {
    for (const before of columns.slice(0, at)) {
      let dot = 0;
      for (let id = 0; id < words; id++) dot += before[id] * column[id];
      for (let id = 0; id < words; id++) column[id] -= dot * before[id];
    }
    const length = Math.sqrt(column.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let id = 0; id < words; id++) column[id] /= length;
  });
  const out = new Float64Array(words * size);
  columns.forEach((column, at) => column.forEach((value, id) => (out[id * size + at] = value)));
  return out;
}
