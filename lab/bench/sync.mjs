/** Measures what a change costs: the tools of one server of many change, and the next search is answered. */

import { catalogsOf } from "./catalog.mjs";
import { inFresh } from "./fresh.mjs";
import { medians, printRows } from "./rows.mjs";

const TOOLS = 1_000;
/** Fresh threads of each way. */
const RUNS = 7;

export const title = `a change to one server of ${TOOLS.toLocaleString("en-US")} tools, taken in and rebuilt`;

/** Medians in milliseconds, and problems. */
export async function measure({ data, runs = RUNS }) {
  const module = new URL("./sync-once.mjs", import.meta.url).href;
  const catalogs = catalogsOf(data, TOOLS);
  const synced = await inFresh(module, { catalogs, by: "sync" }, runs);
  const rebuilt = await inFresh(module, { catalogs, by: "rebuild" }, runs);
  const rows = { synced: medians(synced, "change"), rebuilt: medians(rebuilt, "change") };
  const ratio = rows.synced.both / rows.rebuilt.both;
  const problems = [];
  if (synced[0].answer !== rebuilt[0].answer) problems.push("a synchronised catalog gives other answers than a rebuilt one");
  if (ratio >= 1) problems.push("taking a change in takes longer than rebuilding everything");
  return { servers: catalogs.length, ...rows, ratio, problems };
}

export function print({ synced, rebuilt, ratio }) {
  printRows("change", { "rebuilt from all tools": rebuilt, "taken in by sync": synced });
  console.log(`\nsync takes ${(100 * ratio).toFixed(1)} % of a rebuild`);
}
