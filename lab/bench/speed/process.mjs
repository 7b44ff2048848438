/**
 * Measures one library at one catalog size in a process of its own. The process reports each step before it starts and after
 * it ends.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalog, readRest } from "./material.mjs";
import { memory, watchWasm } from "./memory.mjs";
import { OWN_KINDS } from "./queries.mjs";
import { timesOf } from "./timing.mjs";

/** The number of hits of each search: as many as a model sees. */
const LIMIT = 10;

const tell = (message) => new Promise((done) => process.send(message, done));
/** Reports the step that begins now. The parent process knows the time limit of each step. */
const begin = (step) => tell({ begin: step });
const found = (row, figures) => tell({ row, figures });

/** Builds the index of a library, then runs every query of every kind for each requested row. */
async function measure({ library, rows, kinds, folder, steps }) {
  const rest = readRest(folder);
  // This comes before the import, because the import may start a wasm.
  watchWasm();
  const { open } = await import(`./libraries/${library}.mjs`);
  const before = await memory();
  await begin("build");
  const built = await build(open, rest, folder, rest.queries["3-words"][0], rows[0]);
  const { countOf = ({ length }) => length } = built;
  const after = await memory();
  const { wasm, rss } = after;
  // A library without an index uses less memory than the normal variation of the heap, so the difference can be negative.
  const memoryTaken = { bytes: Math.max(0, after.heap - before.heap) + wasm, wasm, rss };
  await found(rows[0], { build: built.build, ready: built.ready, memory: memoryTaken, refused: built.refused });
  // Stories are measured last: if they take too long, the other figures are known already.
  const order = [...kinds].sort((a, b) => (a === "story") - (b === "story"));
  for (const row of rows) {
    for (const kind of order) {
      if (OWN_KINDS.includes(kind) && library !== "toolsift") continue;
      await begin(`${row}: ${kind}`);
      let answer;
      const times = await timesOf(rest.queries[kind], (query) => (answer = built.searches[row](query)));
      // The number of hits is recorded, because a library that finds nothing would look fast.
      await found(row, { [kind]: { times, hits: countOf(await answer) } });
    }
  }
  for (const [name, step] of Object.entries(steps ? (await import("./ours.mjs")).STEPS : {})) {
    await begin(name);
    await found(rows[0], await step({ ...rest, ...built }));
  }
  if (!steps) return;
  await begin("export");
  writeFileSync(join(folder, "index.bin"), built.sift.exportIndex());
}

/** Builds the index. Reading the file and making documents of tools is not timed. */
async function build(open, { tools, sample }, folder, query, row) {
  const start = performance.now();
  const opened = open({ limit: LIMIT, tools, sample });
  let ms = performance.now() - start;
  let from = 0;
  let refused = 0;
  for (const catalog of readCatalog(folder)) {
    const input = opened.prepare?.(catalog, from) ?? catalog;
    from += catalog.tools.length;
    const begin = performance.now();
    refused += opened.add(input) || 0;
    ms += performance.now() - begin;
  }
  const end = performance.now();
  opened.finish?.();
  const build = ms + performance.now() - end;
  const first = performance.now();
  await opened.searches[row](query);
  return { ...opened, build, ready: build + performance.now() - first, refused };
}

/** Loads toolsift's prebuilt index and runs the first search. */
async function load({ folder }) {
  const { queries, tools } = readRest(folder);
  const bytes = readFileSync(join(folder, "index.bin"));
  const { limitsFor, packageOf } = await import("./ours.mjs");
  const { ToolSift } = await packageOf();
  // Compiles the wasm before the timing, because this takes the same time in every case.
  void ToolSift.version;
  await begin("load");
  const start = performance.now();
  const sift = ToolSift.fromIndex(bytes, { limits: limitsFor(tools) });
  const loaded = performance.now();
  sift.search(queries["3-words"][0]);
  const ready = performance.now() - start;
  await found("toolsift", { load: loaded - start, "load and search": ready, index: bytes.length });
}

const JOBS = { measure, load };

process.once("message", async (job) => {
  await JOBS[job.do](job);
  await tell({ done: true });
  process.disconnect();
});
