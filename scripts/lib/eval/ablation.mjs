/** Measures each ingredient of the sift ranker: the ranker without it against the ranker with everything. */

import { difference } from "./against.mjs";
import { ownRanker } from "./ours.mjs";

/** The ranker with everything. */
export const FULL = "sift";
const BARE = "bare";
/** No ingredient is called anything like it. */
const NOBODY = "?????";

/** The qualities that are compared. */
export const ABLATED = ["recall@1", "recall@5", "ndcg@10"];

/** The ranker with everything, without each of its ingredients, and without all of them. */
export function ablated(ToolSift) {
  const ingredients = ingredientsOf(ToolSift);
  return [
    ownRanker(ToolSift, FULL, FULL, {}),
    ...ingredients.map((name) => ownRanker(ToolSift, FULL, `without ${name}`, { without: [name] })),
    ownRanker(ToolSift, FULL, BARE, { without: ingredients }),
  ];
}

/** The core lists them where it refuses one: one that is new is measured without being named here. */
function ingredientsOf(ToolSift) {
  try {
    new ToolSift({ profile: FULL, search: { without: [NOBODY] } }).dispose();
  } catch (error) {
    const [, list] = /must be one of ([a-z, -]+)/.exec(error.message) ?? [];
    if (list !== undefined) return list.split(",").map((name) => name.trim());
    throw error;
  }
  throw new Error(`the core takes ${NOBODY} for an ingredient`);
}

/** For each ranker but the full one how it differs from that, the one that is missed most first and the bare one last. */
export function ablationOf(sets, rankers, rankedOf) {
  const full = sets.map(({ name }) => rankedOf(name, FULL));
  const rows = rankers
    .filter((ranker) => ranker !== FULL)
    .map((ranker) => {
      const without = sets.map(({ name }) => rankedOf(name, ranker));
      return { ranker, ...difference(sets, without, full, ABLATED) };
    });
  const missed = ({ ranker, qualities }) => (ranker === BARE ? Infinity : qualities["recall@5"].macro.mean);
  return rows.sort((a, b) => (missed(a) < missed(b) ? -1 : 1));
}
