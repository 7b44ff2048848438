/** The entry point without wasm, for programs that stream or pass it: `await init()` first, then use the package. */

import { reasonOf } from "../base/values.js";
import { core, provide, wasmUnavailable } from "../core/bindings.js";

/** The argument of `init`: the address of the wasm, or the wasm itself. */
export type WasmSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** The hash of the wasm, which the wasm file contains too. Inserted by the build. */
declare const BUILD: string;

let pending: Promise<void> | undefined;

/**
 * Loads, compiles and starts the core. Call and await it once before anything else. Further calls wait for the first one and
 * change nothing, unless it failed.
 *
 * Without an argument, the file `toolsift.wasm` next to this module is streamed, which suits pages. You can also pass its
 * address, a `Response`, its bytes (in Node: `await readFile(...)` of `toolsift/core.wasm`), or a compiled module (in
 * Workers: `import wasm from "toolsift/core.wasm"`).
 *
 * @throws ToolSiftError `wasm_unavailable`, with the reason and advice
 */
export function init(source?: WasmSource): Promise<void> {
  pending ??= load(source).catch((cause: unknown) => {
    pending = undefined;
    throw wasmUnavailable(cause);
  });
  return pending;
}

async function load(source: WasmSource | undefined): Promise<void> {
  // Keep this in one expression: bundlers look for exactly this to copy the file.
  const module = await compile(source ?? new URL("./toolsift.wasm", import.meta.url));
  checkBuild(module);
  provide(() => module);
  // Started here, so that a file which is not this package's core fails now, and `init` can be called with another file.
  core();
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  const given = await source;
  // Checks the tag instead of `instanceof`, which fails for values of another realm.
  const tag = Object.prototype.toString.call(given).slice(8, -1);
  if (tag === "WebAssembly.Module") return given as WebAssembly.Module;
  if (tag === "Response") return stream(given as Response);
  if (tag === "URL" || tag === "String") return stream(await fetched(String(given)));
  return WebAssembly.compile(given as BufferSource);
}

/**
 * Refuses a file of another build, for example from a cache. It must not even start, because the bindings would remember its
 * memory. If an optimizer removed the section with the hash, only the start itself can detect a wrong file.
 */
function checkBuild(module: WebAssembly.Module): void {
  const [section] = WebAssembly.Module.customSections(module, "toolsift");
  if (section === undefined) return;
  const build = new TextDecoder().decode(section);
  if (build !== BUILD) throw new Error(`the wasm is of another build, ${build.slice(0, 80)}, than the package, ${BUILD}`);
}

async function fetched(address: string): Promise<Response> {
  try {
    return await fetch(address);
  } catch (cause) {
    throw new Error(`${address} could not be fetched; where fetch reads no files, as in Node, pass the bytes`, { cause });
  }
}

async function stream(response: Response): Promise<WebAssembly.Module> {
  const from = response.url || "the response";
  if (!response.ok) throw new Error(`${from} has status ${response.status}`);
  // Streaming requires the media type, which not every server sends.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm");
  try {
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw new Error(`${from} could not be compiled: ${reasonOf(cause)}`, { cause });
  }
}

export * from "../index.js";
