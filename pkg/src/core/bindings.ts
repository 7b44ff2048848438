/** Starts the wasm module of the entry point: synchronously, once, on first use. */

import * as bindings from "../../core/toolsift_bg.js";
import { ToolSiftError } from "../base/errors.js";

/** The exports of the started Rust core. */
export type Glue = Omit<typeof bindings, "__wbg_set_wasm">;

/** The core's class, as wasm-bindgen describes it. */
export type Core = InstanceType<Glue["Core"]>;

/** The module name of the compiled core's imports. */
const IMPORTS = "./toolsift_bg.js";

let source: (() => WebAssembly.Module) | undefined;
let started: Glue | undefined;

/**
 * Sets the source of the compiled core. Every entry point of the package calls this once. The core is compiled on first use;
 * after that, another call changes nothing.
 */
export function provide(module: () => WebAssembly.Module): void {
  source = module;
}

/** Returns the running core. The first call compiles and starts it. */
export function core(): Glue {
  started ??= start();
  return started;
}

/** Starts the core. The caller stores only a core that started completely, so that a call after a failure tries again. */
function start(): Glue {
  if (source === undefined) {
    throw new ToolSiftError(
      "wasm_unavailable",
      "the wasm core was not loaded: with `toolsift/slim`, call `await init()` before anything else",
    );
  }
  try {
    const instance = new WebAssembly.Instance(source(), { [IMPORTS]: bindings as unknown as WebAssembly.ModuleImports });
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports["__wbindgen_start"] as () => void)();
    return bindings;
  } catch (cause) {
    throw wasmUnavailable(cause);
  }
}

/** Makes the error for a core that cannot be loaded, compiled or started, with advice if there is any. */
export function wasmUnavailable(cause: unknown): ToolSiftError {
  if (ToolSiftError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  const message = `the wasm core could not be started: ${reason}${advice === undefined ? "" : ` (${advice})`}`;
  return new ToolSiftError("wasm_unavailable", message, { cause });
}

/** Advice, by the words of engines' error messages. */
const ADVICE: [RegExp, string][] = [
  [
    /content.security.policy|\bCSP\b|unsafe-eval|code generation/i,
    "a page's Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src; in a worker that may not compile, " +
      "import the package by its condition `workerd` or `edge-light`",
  ],
  [/WebAssembly is not defined|Can't find variable: WebAssembly/, "this runtime has no WebAssembly"],
  [/terminated|network|aborted/i, "the file did not come through; init() can be called again"],
  [
    /magic|section|unexpected end|fell off|has status|another build|is not a function|\bimport\b/i,
    "check that what a bundler or a server hands out as toolsift.wasm is that file, and of the same version",
  ],
];
