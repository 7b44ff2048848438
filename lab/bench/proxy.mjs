/** Measures what a request costs in the proxy itself: with a new list of tools, and with an unchanged one. */

import { right } from "../lib/columns.mjs";
import { median } from "../eval/metrics.mjs";
import { bold } from "../../scripts/lib/progress.mjs";
import { inFresh } from "./fresh.mjs";
import { madeUpCatalogs } from "./speed/generate.mjs";

const TOOLS = 1_000;
/** Fresh threads. */
const RUNS = 5;
/** How the figures are called, in the order in which they are printed. */
const ROWS = {
  first: "a new list",
  same: "an unchanged list",
  streamed: "the same, streamed",
  searched: "the same, with a search",
};

export const title = `the time of a request in the proxy, with ${TOOLS.toLocaleString("en-US")} tools`;

/** Medians in milliseconds of each API. */
export async function measure({ runs = RUNS }) {
  const module = new URL("./proxy-once.mjs", import.meta.url).href;
  const measured = await inFresh(module, { catalogs: [...madeUpCatalogs(TOOLS)] }, runs);
  const wires = Object.keys(measured[0].wires);
  const rows = wires.map((wire) => {
    const of = (key) => median(measured.map(({ wires }) => wires[wire][key]));
    return {
      wire,
      bytes: measured[0].wires[wire].bytes,
      ...Object.fromEntries(Object.keys(ROWS).map((key) => [key, of(key)])),
    };
  });
  return { tools: TOOLS, rows };
}

export function print({ rows }) {
  console.log(bold(`${"milliseconds".padEnd(20)}${right(Object.values(ROWS), 26)}${"body".padStart(12)}`));
  for (const { wire, bytes, ...figures } of rows) {
    const values = Object.keys(ROWS).map((key) => figures[key].toFixed(2));
    console.log(`${wire.padEnd(20)}${right(values, 26)}${`${Math.round(bytes / 1_000)} KB`.padStart(12)}`);
  }
}
