/**
 * Ranks as the tool search of Mastra does. From its description: BM25 (k1 1.5, b .75) over id and description; then, among
 * twice as many as are asked for, 5 more for each word that is the id and 2 more for each that the id contains. A
 * re-implementation, not the product: how it cuts words is not described, here at everything but letters and digits; the
 * product stops at five.
 */

import { best, bm25 } from "./bm25.mjs";

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function index(tools) {
  const scores = bm25(tools.map(({ name, description }) => wordsOf(`${name} ${description}`)), { k1: 1.5, b: 0.75 });
  const ids = tools.map(({ name }) => name.toLowerCase());
  const lift = (id, word) => (id === word ? 5 : id.includes(word) ? 2 : 0);
  return {
    ranksByCount: true,
    search(query, count) {
      const words = wordsOf(query);
      const lifted = best(scores.score(words), 2 * count).map(([at, score]) => [
        at,
        words.reduce((sum, word) => sum + lift(ids[at], word), score),
      ]);
      return best(lifted, count).map(([at]) => tools[at].name);
    },
  };
}
