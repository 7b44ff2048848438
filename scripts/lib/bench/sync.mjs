/** What does a change cost? The tools of one server of many change, and the next search is answered. */

import { bold } from "../progress.mjs";
import { catalogsOf } from "./catalog.mjs";
import { inFresh, median } from "./fresh.mjs";

const TOOLS = 1_000;

export const title = `a change to one server of ${TOOLS.toLocaleString("en-US")} tools, taken in and rebuilt`;

/** Medians in milliseconds, and what is wrong. */
export async function measure(folder, runs) {
  const module = new URL("./sync-once.mjs", import.meta.url).href;
  const catalogs = catalogsOf(folder, TOOLS);
  const synced = await inFresh(module, { catalogs, by: "sync" }, runs);
  const rebuilt = await inFresh(module, { catalogs, by: "rebuild" }, runs);
  const sum = (some) => ({
    change: median(some.map(({ change }) => change)),
    first: median(some.map(({ first }) => first)),
    both: median(some.map(({ change, first }) => change + first)),
  });
  const rows = { synced: sum(synced), rebuilt: sum(rebuilt) };
  const ratio = rows.synced.both / rows.rebuilt.both;
  const problems = [];
  if (synced[0].answer !== rebuilt[0].answer) problems.push("a synchronised catalog gives other answers than a rebuilt one");
  if (ratio >= 1) problems.push("taking a change in takes longer than rebuilding everything");
  return { servers: catalogs.length, ...rows, ratio, problems };
}

export function print({ synced, rebuilt, ratio }) {
  const cells = ["change", "first search", "together"].map((text) => text.padStart(14)).join("");
  console.log(bold(`${"milliseconds".padEnd(24)}${cells}`));
  for (const [name, row] of Object.entries({ "rebuilt from all tools": rebuilt, "taken in by sync": synced })) {
    const values = [row.change, row.first, row.both].map((ms) => ms.toFixed(1).padStart(14)).join("");
    console.log(`${name.padEnd(24)}${values}`);
  }
  console.log(`\nsync takes ${(100 * ratio).toFixed(1)} % of a rebuild`);
}
