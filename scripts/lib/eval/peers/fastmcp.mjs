/**
 * Ranks as the search transform of FastMCP does. From its description: BM25 (k1 1.5, b .75) over name, description, and names
 * and descriptions of the top-level parameters, NFKC and without case. A re-implementation, not the product: single characters
 * are dropped as its published source did, lower case stands for case folding; the product stops at five.
 */

import { best, bm25 } from "./bm25.mjs";
import { topTexts } from "./schema-text.mjs";

const wordsOf = (text) =>
  (text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1);

export function index(tools) {
  const texts = tools.map((tool) => [tool.name, tool.description, ...topTexts(tool.parameters)].join(" "));
  const scores = bm25(texts.map(wordsOf), { k1: 1.5, b: 0.75 });
  return { search: (query, count) => best(scores.score(wordsOf(query)), count).map(([at]) => tools[at].name) };
}
