/** `npm run simulate -- DIR --learning`: what is gained by learning from half of the queries of each set. */

import { acceptedBy } from "../../eval/ours.mjs";
import { needsOf } from "../../eval/metrics.mjs";
import { withoutInfinity, writeText } from "../../json-lines.mjs";
import { numberOf } from "../../options.mjs";
import { at } from "../../paths.mjs";
import { step } from "../../progress.mjs";
import { measureLearning } from "./measure.mjs";
import { printLearning } from "./table.mjs";
import { sessionsOf } from "./use.mjs";

/** Ways of halving each set. */
export const SPLITS = 5;
const MOST_SPLITS = 100;

/** How often sets are halved, as it was asked for. */
export const splitsOf = (asked = String(SPLITS)) => numberOf("splits", asked, 1, MOST_SPLITS);

/** Measures and prints; writes the rows where a path is given. */
export async function simulateLearning(read, { splits, json }) {
  const { ToolSift, runTools } = await import(at("pkg", "dist", "index.js"));
  const { learner } = await import(at("pkg", "dist", "author.js"));
  const sets = [];
  for (const set of read) {
    const queries = set.queries.filter((query) => needsOf(query).length > 0);
    const taken = { ...set, queries, tools: acceptedBy(ToolSift, set.tools).tools };
    const sessions = await step(`playing the sessions of ${set.name}`, () => sessionsOf({ ToolSift, runTools }, taken));
    sets.push({ ...taken, sessions });
  }
  const measured = () => measureLearning({ ToolSift, learner }, sets, { splits });
  const rows = await step("learning from one half, asking the other", measured);
  printLearning(rows);
  if (json !== undefined) writeText(json, withoutInfinity({ splits, rows }));
}
