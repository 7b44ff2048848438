/** Starts the wasm: synchronously, once, on first use, from a module that the entry point provides. */

import * as bindings from "../../core/toolsift_bg.js";
import { ToolSiftError } from "../base/errors.js";

/** What the Rust core exports, started and ready to be called. */
export type Glue = Omit<typeof bindings, "__wbg_set_wasm">;

/** The core's class, as wasm-bindgen describes it. */
export type Core = InstanceType<Glue["Core"]>;

/** The name under which the compiled core imports its JavaScript side. */
const IMPORTS = "./toolsift_bg.js";

let source: (() => WebAssembly.Module) | undefined;
let started: Glue | undefined;

/**
 * Says where the compiled core comes from. Every entry point of the package calls this once; nothing is compiled before
 * the first use. Once the core runs, a later call changes nothing.
 */
export function provide(module: () => WebAssembly.Module): void {
  source = module;
}

/** The running core; the first call compiles and starts it. */
export function core(): Glue {
  started ??= start();
  return started;
}

/** Only a core that started completely is kept, so that a call after a failure begins anew. */
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

/** The error for a core that cannot be loaded, compiled or started, with what helps where that is known. */
export function wasmUnavailable(cause: unknown): ToolSiftError {
  if (ToolSiftError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  const message = `the wasm core could not be started: ${reason}${advice === undefined ? "" : ` (${advice})`}`;
  return new ToolSiftError("wasm_unavailable", message, { cause });
}

/** What helps, by the words that engines use. */
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
