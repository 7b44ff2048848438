/** Measures what vectors add to the sift ranker: words alone, words and vectors, and vectors alone. */

import { pathToFileURL } from "node:url";
import { Problem } from "../run.mjs";
import { lsa } from "./lsa.mjs";
import { summaryOf } from "./measure.mjs";
import { ownRanker } from "./ours.mjs";

/** As deep as recall and nDCG look. */
const SHOWN = 10;
/** Where the first relevant tool is looked for. */
const DEEP = 100;
/** The model that needs no file: latent semantic vectors of each catalog. */
const LSA = "lsa";

/** The model that is measured: `{ model, embed }` of a file, or latent semantic vectors. */
export async function modelNamed(asked) {
  if (asked === LSA) return { model: LSA };
  let own;
  try {
    own = await import(pathToFileURL(asked).href);
  } catch (error) {
    throw new Problem(`--embed ${asked} cannot be loaded: ${error.message}`);
  }
  if (typeof own.model === "string" && typeof own.embed === "function") return own;
  throw new Problem(`--embed ${asked} must export model, a name, and embed, a function of texts`);
}

/** Measures every set; answers rows of `{ set, ranker, ranked, summary }`. */
export async function measureEmbedded({ ToolSift, embeddings }, sets, { model, embed }, done) {
  const rows = [];
  for (const [set, one] of sets.entries()) {
    rows.push(...(await rowsOf({ ToolSift, embeddings }, one, { model, embed })).map((row) => ({ set, ...row })));
    done((set + 1) / sets.length);
  }
  return rows;
}

async function rowsOf({ ToolSift, embeddings }, set, { model, embed }) {
  const index = ownRanker(ToolSift, "sift", "sift", {}).index(set.tools);
  const { sift, own } = index;
  const rank = embeddings({ model, embed: embed ?? learned(sift) });
  await rank.prepare(sift);
  const found = { sift: [], [`sift + ${model}`]: [], [`${model} alone`]: [] };
  const times = { sift: [], [`sift + ${model}`]: [], [`${model} alone`]: [] };
  for (const { query } of set.queries) {
    // The model's own time is left out: the query's vector is kept from now on.
    await rank.scores(query, sift);
    let begin = performance.now();
    const note = (ranker, names) => {
      times[ranker].push(performance.now() - begin);
      found[ranker].push(names.slice(0, DEEP));
      begin = performance.now();
    };
    note("sift", index.search(query, DEEP));
    const scores = await rank.scores(query, sift);
    note(`sift + ${model}`, index.search(query, DEEP, scores));
    note(`${model} alone`, Object.entries(scores).sort(([, a], [, b]) => b - a).map(([name]) => own(name)));
  }
  index.dispose();
  return Object.entries(found).map(([ranker, ranked]) => {
    const summary = summaryOf({ ranked, errors: 0, times: times[ranker] }, set);
    return { ranker, ranked: ranked.map((names) => names.slice(0, SHOWN)), summary };
  });
}

/** Latent semantic vectors that were learned from a catalog's own texts. */
function learned(sift) {
  const { ids, texts } = sift.embeddable();
  const vectorOf = lsa(texts(ids).map(({ text }) => text));
  return (wanted) => wanted.map(vectorOf);
}
