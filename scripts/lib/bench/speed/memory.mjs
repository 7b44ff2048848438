/** Reads how much memory a process uses: the heap of JavaScript after a collection, and the memory of the wasm. */

const memories = new Set();

/** Notes the memory of every wasm that starts from now on; nothing else says how large it is. */
export function watchWasm() {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const instance = Reflect.construct(target, args);
      for (const one of Object.values(instance.exports)) if (one instanceof WebAssembly.Memory) memories.add(one);
      return instance;
    },
  });
}

/**
 * Bytes: `heap` (with what JavaScript holds outside of it), `wasm`, and `rss`, what the operating system counts. Node counts
 * the memory of a wasm as held outside of the heap; here it counts once.
 */
export function memory() {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const wasm = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed + external - wasm, wasm, rss };
}
