/** The entry for Node, Bun, Deno, browsers and bundlers: the wasm travels inside the JavaScript. */

import { provide } from "../core/bindings.js";
import { fromHex } from "./hex.js";
// One file serves `import` and `require`. It leaves the hex text on the global object: the only way of handing over a
// value that an ES module, a CommonJS module and a page without a bundler have in common.
import "toolsift:hex";

/** Filled in by the build. It holds a hash of the wasm, so that two versions of the package keep apart. */
declare const HEX_KEY: string;

provide(() => new WebAssembly.Module(fromHex(hexText())));

function hexText(): string {
  const text = (globalThis as Record<symbol, unknown>)[Symbol.for(HEX_KEY)];
  if (typeof text !== "string") throw new Error("the package's file dist/cjs/wasm.js did not run");
  return text;
}

export * from "../index.js";
