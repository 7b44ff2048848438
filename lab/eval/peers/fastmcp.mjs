/**
 * Our reading of FastMCP's `BM25SearchTransform`, for machines without Python: BM25 (k1 1.5, b .75) over name, description,
 * and names and descriptions of the top-level parameters, by words of at least two letters or digits. A test compares it
 * with the original (`originals.py`). The original returns five tools unless `max_results` says otherwise.
 */

import { best, bm25 } from "./bm25.mjs";
import { topTexts } from "./schema-text.mjs";

/** Python folds the case letter by letter: `ß` becomes `ss`, `ς` becomes `σ`, `ı` stays. */
const folded = (text) =>
  text.replace(/[A-Z]+|[^\x00-\x7Fı]/gu, (letters) => letters.toLowerCase().toUpperCase().toLowerCase());

const wordsOf = (text) => folded(text.normalize("NFKC")).match(/[\p{L}\p{N}]{2,}/gu) ?? [];

export function index(tools) {
  const texts = tools.map((tool) => [tool.name, tool.description, ...topTexts(tool.parameters)].join(" "));
  const scores = bm25(texts.map(wordsOf), { k1: 1.5, b: 0.75 });
  return { search: (query, count) => best(scores.score(wordsOf(query)), count).map(([at]) => tools[at].name) };
}
