/** Compares what was measured with what is aimed at, on the sets that the aims are about. */

import { bold, dim, green, red } from "../../scripts/lib/progress.mjs";
import { ENRICHED } from "./ours.mjs";

const FIRST_FIVE = ["azure_mcp", "bfcl_live", "livemcp_routes", "metatool_multi", "stabletoolbench"];

/** What a ranker of ours is to find, in percent: recall@1 and recall@5 in the mean of some sets. */
const RECALL = [
  { sets: FIRST_FIVE, ranker: "sift", aim: [58, 83] },
  { sets: ["azure_at_scale"], ranker: "sift", aim: [88, 98] },
  { sets: ["plain_work"], ranker: "sift", aim: [40, 65] },
  { sets: ["livemcp_routes"], ranker: ENRICHED, aim: [70.4, 85.9] },
  { sets: ["metatool_multi"], ranker: ENRICHED, aim: [41.9, 83.4] },
  { sets: ["plain_work"], ranker: ENRICHED, aim: [64.8, 88.7] },
];
/** Of requests that nothing serves, the percentage for which anything is loaded at most. */
const VAIN = 5;

/** Why an aim of recall is missed, as the misses show it. */
const WHY =
  "most that is missed shares no telling word with its request, or shares all of them with its siblings; lines of synonyms for " +
  "these would be read off the sets";

/** Every aim as `{ aim, measured, missedBy }`: by how many points it is missed, 0 where it is reached, null where not measured. */
export function aimsOf({ sets }) {
  const valuesOf = (names, ranker, key) => {
    const found = names.map((name) => sets.find(({ set }) => set === name)?.rankers[ranker]?.[key]);
    return found.includes(undefined) ? undefined : (100 * found.reduce((a, b) => a + b, 0)) / found.length;
  };
  const recall = RECALL.map(({ sets: names, ranker, aim }) => {
    const values = ["recall@1", "recall@5"].map((key) => valuesOf(names, ranker, key));
    const title = names.length > 1 ? `mean of the first ${names.length} sets` : names[0];
    const missedBy = values.includes(undefined) ? null : Math.max(0, ...values.map((value, at) => aim[at] - value));
    return { aim: `${title}, ${ranker}: recall@1 / recall@5 of ${aim.join(" / ")}`, measured: shown(values), missedBy };
  });
  const vain = ["sift", ENRICHED].map((ranker) => {
    const value = valuesOf(["plain_work"], ranker, "vain");
    const missedBy = value === undefined ? null : Math.max(0, value - VAIN);
    return {
      aim: `plain_work, ${ranker}: at most ${VAIN} % of what nothing serves loads`,
      measured: shown([value]),
      missedBy,
    };
  });
  return [...recall, ...vain];
}

const shown = (values) => (values.includes(undefined) ? "" : values.map((value) => value.toFixed(1)).join(" / "));

/** Shows the aims that were measured, if any were. */
export function printAims(summary) {
  const aims = aimsOf(summary).filter(({ missedBy }) => missedBy !== null);
  if (aims.length === 0) return;
  console.log(`\n${bold("Aims")}`);
  for (const { aim, measured, missedBy } of aims) {
    const verdict = missedBy === 0 ? green("reached") : red(`missed by ${missedBy.toFixed(1)} points`);
    console.log(`  ${aim}: ${measured}, ${verdict}`);
  }
  if (aims.some(({ missedBy }) => missedBy > 0)) console.log(dim(`  ${WHY}`));
}
