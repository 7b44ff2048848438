/**
 * Our reading of pydantic-ai's `ToolSearchToolset`, for machines without Python: the number of distinct `[a-z0-9]+` words
 * that the query shares with name and description, ties in order of registration. A query without such a word is refused. A
 * test compares it with the original (`originals.py`). The original returns ten tools unless `max_results` says otherwise.
 */

import { best } from "./bm25.mjs";

const wordsOf = (text) => new Set(text.toLowerCase().match(/[a-z0-9]+/g));

export function index(tools) {
  const texts = tools.map(({ name, description }) => wordsOf(`${name} ${description}`));
  return {
    search(query, count) {
      const words = [...wordsOf(query)];
      if (words.length === 0) throw new Error("Please provide at least one non-empty search query.");
      const scored = texts.map((text, at) => [at, words.filter((word) => text.has(word)).length]);
      return best(scored, count).map(([at]) => tools[at].name);
    },
  };
}
