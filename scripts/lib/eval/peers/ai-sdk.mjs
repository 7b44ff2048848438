/**
 * Ranks as the tool search of the AI SDK does. From its description: distinct words of the query, 2 for one in the name and 1
 * for one in the description, ties in order of registration. A re-implementation, not the product: whether a word counts
 * inside a longer one is not described, here it must be a word of its own; the product stops at five.
 */

import { best } from "./bm25.mjs";

const wordsOf = (text) =>
  new Set(text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase().match(/[\p{L}\p{N}]+/gu));

export function index(tools) {
  const texts = tools.map(({ name, description }) => ({ name: wordsOf(name), description: wordsOf(description) }));
  return {
    search(query, count) {
      const words = [...wordsOf(query)];
      const scored = texts.map((text, at) => {
        const points = words.map((word) => (text.name.has(word) ? 2 : 0) + (text.description.has(word) ? 1 : 0));
        return [at, points.reduce((a, b) => a + b, 0)];
      });
      return best(scored, count).map(([at]) => tools[at].name);
    },
  };
}
