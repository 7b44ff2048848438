/** Measures what a prebuilt index saves: the time until a catalog has answered its first search, built and loaded. */

import { catalogsOf } from "./catalog.mjs";
import { inFresh } from "./fresh.mjs";
import { medians, printRows } from "./rows.mjs";

const TOOLS = 1_000;
/** Fresh threads of each way. */
const RUNS = 7;
/** The share of building that loading may take: beyond it an index is hardly worth its file. */
const MOST = 0.25;

export const title = `${TOOLS.toLocaleString("en-US")} tools built, and loaded from a prebuilt index`;

/** Medians in milliseconds, and problems. */
export async function measure({ data, runs = RUNS }) {
  const module = new URL("./index-once.mjs", import.meta.url).href;
  const catalogs = catalogsOf(data, TOOLS);
  const built = await inFresh(module, { catalogs }, runs);
  const [{ index, answer }] = built;
  const loaded = await inFresh(module, { index }, runs);
  const rows = { built: medians(built, "ready"), loaded: medians(loaded, "ready") };
  const ratio = rows.loaded.both / rows.built.both;
  const problems = [];
  if (loaded.some((one) => one.answer !== answer)) problems.push("a loaded catalog gives other answers than a built one");
  if (ratio > MOST) problems.push(`loading takes ${percent(ratio)} of building; at most ${percent(MOST)}`);
  return { servers: catalogs.length, bytes: index.length, ...rows, ratio, problems };
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

export function print({ servers, bytes, built, loaded, ratio }) {
  printRows("ready", { "built from tools": built, "loaded from an index": loaded });
  const size = bytes.toLocaleString("en-US");
  console.log(`\nloading takes ${percent(ratio)} of building; the index of ${servers} servers takes ${size} bytes`);
}
