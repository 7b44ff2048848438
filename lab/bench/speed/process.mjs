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

/** What a model is shown of a search. */
const LIMIT = 10;

const tell = (message) => new Promise((done) => process.send(message, done));
/** Says what begins now: the process that waits for it knows how long it may take. */
const begin = (step) => tell({ begin: step });
const found = (row, figures) => tell({ row, figures });

/** Builds a library from the catalog, then asks it every query of every kind in every way that is wanted. */
async function measure({ library, rows, kinds, folder, steps }) {
  const rest = readRest(folder);
  // Before the import, which may start a wasm.
  watchWasm();
  const { open } = await import(`./libraries/${library}.mjs`);
  const before = await memory();
  await begin("build");
  const built = await build(open, rest, folder, rest.queries["3-words"][0], rows[0]);
  const { countOf = ({ length }) => length } = built;
  const after = await memory();
  const { wasm, rss } = after;
  // A library that keeps no index takes less than the heap varies by.
  const memoryTaken = { bytes: Math.max(0, after.heap - before.heap) + wasm, wasm, rss };
  await found(rows[0], { build: built.build, ready: built.ready, memory: memoryTaken, refused: built.refused });
  // Stories last: where they take too long, the others are known.
  const order = [...kinds].sort((a, b) => (a === "story") - (b === "story"));
  for (const row of rows) {
    for (const kind of order) {
      if (OWN_KINDS.includes(kind) && library !== "toolsift") continue;
      await begin(`${row}: ${kind}`);
      let answer;
      const times = await timesOf(rest.queries[kind], (query) => (answer = built.searches[row](query)));
      // A library that finds nothing is not fast.
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

/** Only what the library does counts: not reading the file, nor making documents of tools. */
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

/** Loads toolsift's prebuilt index, and searches for the first time. */
async function load({ folder }) {
  const { queries, tools } = readRest(folder);
  const bytes = readFileSync(join(folder, "index.bin"));
  const { limitsFor, packageOf } = await import("./ours.mjs");
  const { ToolSift } = await packageOf();
  // Compiling the wasm takes the same time however it is used.
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
