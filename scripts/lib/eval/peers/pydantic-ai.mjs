/**
 * Ranks as the tool search of pydantic-ai does. From its description: the number of distinct `[a-z0-9]+` words that the query
 * shares with name and description. A re-implementation, not the product: ties are in order of registration here, and the
 * product stops at ten.
 */

import { best } from "./bm25.mjs";

const wordsOf = (text) => new Set(text.toLowerCase().match(/[a-z0-9]+/g));

export function index(tools) {
  const texts = tools.map(({ name, description }) => wordsOf(`${name} ${description}`));
  return {
    search(query, count) {
      const words = [...wordsOf(query)];
      const scored = texts.map((text, at) => [at, words.filter((word) => text.has(word)).length]);
      return best(scored, count).map(([at]) => tools[at].name);
    },
  };
}
