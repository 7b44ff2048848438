/** Measures what a request costs in the proxy itself: with a new list of tools, and with an unchanged one. */

import { right } from "../lib/columns.mjs";
import { median } from "../eval/metrics.mjs";
import { bold } from "../../scripts/lib/progress.mjs";
import { catalogsOf } from "./catalog.mjs";
import { inFresh } from "./fresh.mjs";

const TOOLS = 1_000;
/** Fresh threads. */
const RUNS = 5;
/** What a request with an unchanged list may take, in milliseconds. */
const AIM = 3;
/** How the figures are called, in the order in which they are printed. */
const ROWS = {
  first: "a new list",
  same: "an unchanged list",
  streamed: "the same, streamed",
  searched: "the same, with a search",
};

export const title = `the time of a request in the proxy, with ${TOOLS.toLocaleString("en-US")} tools`;

/** Medians in milliseconds of each API, and problems. */
export async function measure({ data, runs = RUNS, strict }) {
  const module = new URL("./proxy-once.mjs", import.meta.url).href;
  const measured = await inFresh(module, { catalogs: catalogsOf(data, TOOLS) }, runs);
  const wires = Object.keys(measured[0].wires);
  const rows = wires.map((wire) => {
    const of = (key) => median(measured.map(({ wires }) => wires[wire][key]));
    return {
      wire,
      bytes: measured[0].wires[wire].bytes,
      ...Object.fromEntries(Object.keys(ROWS).map((key) => [key, of(key)])),
    };
  });
  const slow = rows
    .filter(({ same }) => same > AIM)
    .map(({ wire, same }) => `${wire}: ${same.toFixed(1)} ms with an unchanged list; the aim is ${AIM}`);
  return { tools: TOOLS, aim: AIM, rows, problems: strict ? slow : [] };
}

export function print({ rows, aim }) {
  console.log(bold(`${"milliseconds".padEnd(20)}${right(Object.values(ROWS), 26)}${"body".padStart(12)}`));
  for (const { wire, bytes, ...figures } of rows) {
    const values = Object.keys(ROWS).map((key) => figures[key].toFixed(2));
    console.log(`${wire.padEnd(20)}${right(values, 26)}${`${Math.round(bytes / 1_000)} KB`.padStart(12)}`);
  }
  const missed = rows.filter(({ same }) => same > aim).map(({ wire }) => wire);
  console.log(
    `\nthe aim of ${aim} ms with an unchanged list is ${missed.length === 0 ? "reached" : `missed by ${missed.join(", ")}`}`,
  );
}
