/** The entry point for Node, Bun, Deno, browsers and bundlers: the wasm is part of the JavaScript. */

import { provide } from "../core/bindings.js";
import { fromHex } from "./hex.js";
// One file serves `import` and `require`. It stores the hex text on the global object, because ES modules, CommonJS modules
// and pages without a bundler share no other way to pass a value.
import "toolsift:hex";

/** The key of the hex text, inserted by the build. It has a hash of the wasm, so that versions do not mix. */
declare const HEX_KEY: string;

provide(() => new WebAssembly.Module(fromHex(hexText())));

function hexText(): string {
  const text = (globalThis as Record<symbol, unknown>)[Symbol.for(HEX_KEY)];
  if (typeof text !== "string") throw new Error("the package's file dist/cjs/wasm.js did not run");
  return text;
}

export * from "../index.js";
