/**
 * Runs one load in a process of its own and prints samples of its memory: `node --expose-gc measure.mjs LOAD CYCLES
 * SAMPLES`.
 */

import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { LOADS } from "./loads.mjs";

const [name, cycles, samples] = process.argv.slice(2);

/** The memory of the core, which the package keeps to itself: caught where it is made. */
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args);
    memory ??= instance.exports.memory;
    return instance;
  },
});

const dist = (file) => import(pathToFileURL(at("pkg", "dist", file)).href);
const [core, store] = await Promise.all(["index.js", "store.js"].map(dist));
const cycle = await LOADS[name].make({ ...core, ...store });
core.ToolSift.profiles();

/** What is in use after everything was collected that can be. Finalizers run between two collections. */
async function sample(done) {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ cycle: done, heap: heapUsed, wasm: memory.buffer.byteLength, rss });
}

const every = Math.max(1, Math.floor(Number(cycles) / Number(samples)));
await sample(0);
for (let done = 1; done <= Number(cycles); done++) {
  await cycle(done);
  if (done % every === 0) await sample(done);
}
