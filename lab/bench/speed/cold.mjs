/** Measures a cold start in Node and in workerd: CPU time of import, loading a prebuilt index, and the first search. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { step } from "../../../scripts/lib/progress.mjs";
import { node } from "../../../scripts/lib/run.mjs";
import { readCatalog, readRest } from "./material.mjs";
import { limitsFor, packageOf, registerAll } from "./ours.mjs";
import { medianOrNull } from "./timing.mjs";
import { coldInWorkerd, writeWorker } from "./workerd.mjs";

const START = fileURLToPath(new URL("./cold-node.mjs", import.meta.url));

/** Milliseconds by runtime: `cpu` and `wall`, medians of fresh processes, or `{ skipped }`. */
export async function coldStarts(folder, runs) {
  const { tools, queries } = readRest(folder);
  const { ToolSift } = await packageOf();
  const sift = new ToolSift({ limits: limitsFor(tools) });
  for (const catalog of readCatalog(folder)) registerAll(sift, catalog, new Map());
  const start = { index: join(folder, "cold.bin"), query: queries["3-words"][0] };
  const bytes = sift.exportIndex();
  writeFileSync(start.index, bytes);
  sift.dispose();
  return step(`${tools.toLocaleString("en-US")} tools: cold starts in Node and workerd`, async () => {
    const inNode = [];
    for (let run = 0; run < runs; run++) {
      const { stdout } = await node(START, [start.index, start.query]);
      inNode.push(JSON.parse(stdout));
    }
    const workerd = await inWorkerd(folder, start, runs);
    return { tools, bytes: bytes.length, node: medians(inNode), workerd };
  });
}

const medians = (starts) => ({
  cpu: medianOrNull(starts.map(({ cpu }) => cpu)),
  wall: medianOrNull(starts.map(({ wall }) => wall)),
  count: starts.length,
});

async function inWorkerd(folder, start, runs) {
  try {
    const config = writeWorker(folder, start);
    const starts = [];
    for (let run = 0; run < runs; run++) starts.push(await coldInWorkerd(config));
    return medians(starts);
  } catch (error) {
    return { skipped: error.message.split("\n")[0] };
  }
}
