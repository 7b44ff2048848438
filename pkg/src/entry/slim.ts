/** The entry without wasm, for hosts that stream it or bring it along: `await init()` first, then the same package. */

import { reasonOf } from "../base/values.js";
import { core, provide, wasmUnavailable } from "../core/bindings.js";

/** What `init` takes: where the wasm is, or the wasm itself. */
export type WasmSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Names the build: a hash of the wasm, which its file has too. Filled in by the build. */
declare const BUILD: string;

let pending: Promise<void> | undefined;

/**
 * Loads, compiles and starts the core; call and await it once before anything else. Further calls wait for the first one
 * and change nothing, unless it failed.
 *
 * Without an argument the file `toolsift.wasm` next to this module is streamed, which suits pages. Anything else can be
 * passed: its address, a `Response`, its bytes (in Node: `await readFile(...)` of `toolsift/core.wasm`), or a module
 * that is already compiled (in Workers: `import wasm from "toolsift/core.wasm"`).
 *
 * @throws ToolSiftError `wasm_unavailable`: with what could not be loaded, and what helps
 */
export function init(source?: WasmSource): Promise<void> {
  pending ??= load(source).catch((cause: unknown) => {
    pending = undefined;
    throw wasmUnavailable(cause);
  });
  return pending;
}

async function load(source: WasmSource | undefined): Promise<void> {
  // Written out in one expression: bundlers look for exactly this to ship the file along.
  const module = await compile(source ?? new URL("./toolsift.wasm", import.meta.url));
  checkBuild(module);
  provide(() => module);
  // Started at once, so that a file which is not this package's core fails here, and another can be passed.
  core();
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  const given = await source;
  // By tag instead of `instanceof`, which fails for values of another realm.
  const tag = Object.prototype.toString.call(given).slice(8, -1);
  if (tag === "WebAssembly.Module") return given as WebAssembly.Module;
  if (tag === "Response") return stream(given as Response);
  if (tag === "URL" || tag === "String") return stream(await fetched(String(given)));
  return WebAssembly.compile(given as BufferSource);
}

/**
 * A file of another build, as a cache may keep it, must not even start: the bindings would remember its memory. Where
 * somebody's optimizer took the name out, only the start itself can tell.
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
  // Streaming insists on the media type, which not every server knows.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm");
  try {
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw new Error(`${from} could not be compiled: ${reasonOf(cause)}`, { cause });
  }
}

export * from "../index.js";
