/** Measures the memory of a process: the JavaScript heap after garbage collection, and the memory of the wasm. */

import { setTimeout as after } from "node:timers/promises";

const memories = new Set();

/** Remembers the memory object of every wasm that starts later, because its size cannot be read in any other way. */
export function watchWasm() {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const instance = Reflect.construct(target, args);
      for (const one of Object.values(instance.exports)) if (one instanceof WebAssembly.Memory) memories.add(one);
      return instance;
    },
  });
}

/** The most garbage collections. Memory that remains after them counts as used. */
const MOST_COLLECTIONS = 10;

/**
 * Returns bytes: `heap` (with external memory of JavaScript objects), `wasm`, and `rss`, the resident memory. Node counts
 * the memory of a wasm as external memory; here it is counted only once. It collects garbage until the heap no longer
 * shrinks, because one collection does not free objects with finalizers and compiled code.
 */
export async function memory() {
  let [now, before] = [used(), Infinity];
  for (let collected = 0; now.heap < before && collected < MOST_COLLECTIONS; collected++) {
    before = now.heap;
    globalThis.gc?.();
    await after(1);
    now = used();
  }
  return now;
}

function used() {
  const { rss, heapUsed, external } = process.memoryUsage();
  const wasm = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed + external - wasm, wasm, rss };
}
