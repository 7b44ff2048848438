/** Measures what vectors add to the sift ranker: words alone, words and vectors, and vectors alone. */

import { pathToFileURL } from "node:url";
import { Problem } from "../run.mjs";
import { lsa } from "./lsa.mjs";
import { askRanker, summaryOf } from "./measure.mjs";
import { ownRanker } from "./ours.mjs";

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

/** The rankers that are measured; each asks the model once for each text. */
export function embeddedRankers({ ToolSift, embeddings }, { model, embed }) {
  const words = ownRanker(ToolSift, "sift", "sift", {});
  const ranks = new Map();
  /** The ranker of a set's vectors, and the vectors' scores of each query. */
  const index = async (tools) => {
    const index = words.index(tools);
    const rank = ranks.get(tools) ?? embeddings({ model, embed: embed ?? learned(index.sift) });
    ranks.set(tools, rank);
    await rank.prepare(index.sift);
    return { ...index, scores: (query) => rank.scores(query, index.sift) };
  };
  const both = async (tools) => {
    const { scores, ...of } = await index(tools);
    const known = new Map();
    const search = async (query, limit) => {
      known.set(query, await scores(query));
      return of.search(query, limit, known.get(query));
    };
    return { ...of, search, load: (query) => of.load(query, known.get(query)) };
  };
  const alone = async (tools) => {
    const { scores, own, dispose } = await index(tools);
    const byScore = (all) => Object.entries(all).sort(([, a], [, b]) => b - a);
    return {
      search: async (query, limit) =>
        byScore(await scores(query))
          .slice(0, limit)
          .map(([name]) => own(name)),
      dispose,
    };
  };
  const labelled = (name, index) => ({ name, label: name, index });
  return [words, labelled("sift+vectors", both), labelled("vectors alone", alone)];
}

/** Measures some rankers on every set; answers rows of `{ set, ranker, ranked, summary }`. */
export async function measureHere(sets, rankers, done) {
  const rows = [];
  for (const [set, one] of sets.entries()) {
    for (const ranker of rankers) {
      const answers = await askRanker(ranker, one, 0, one.queries.length);
      rows.push({ set, ranker: ranker.name, ranked: answers.ranked, summary: summaryOf(answers, one) });
      done(rows.length / (sets.length * rankers.length));
    }
  }
  return rows;
}

/** Latent semantic vectors that were learned from a catalog's own texts. */
function learned(sift) {
  const { ids, texts } = sift.embeddable();
  const vectorOf = lsa(texts(ids).map(({ text }) => text));
  return (wanted) => wanted.map(vectorOf);
}
