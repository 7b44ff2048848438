/** Measures what each crate weighs in the wasm, by the same build once more with the names of its functions kept. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unlessFresh } from "./fresh.mjs";
import { stateDir } from "./paths.mjs";
import { readWasm } from "./wasm-file.mjs";
import { bindgen, coreDir, OPTIMIZE, reproducible, wasmOpt } from "./wasm.mjs";

/** Crates of the standard library, and what comes with it. */
const STD = ["alloc", "compiler_builtins", "core", "dlmalloc", "std", "__rustc"];
const STD_FUNCTIONS = /^(mem(cpy|set|move|cmp)|bcmp|rust_|__rust|__multi3|<(char|str|bool|[iuf]\d+|[iu]size|\[\w+\])>::)/;
/** What wasm-bindgen wraps around an exported function takes the function's code in. */
const WRAPPER = / multivalue shim$/;

/**
 * The crate that a function belongs to, as far as its name tells: the first path in it. A generic function counts to the
 * crate that wrote it, not to the one that needed it.
 */
export function crateOf({ name, exported }) {
  const crate = name.match(/(?:^|[^\w:])([A-Za-z_]\w*)(?:\[[0-9a-f]+\])?::/)?.[1];
  if (STD.includes(crate) || STD_FUNCTIONS.test(name)) return "std";
  if (crate) return crate;
  if (/^__wb|^__externref|wasm_bindgen/.test(name)) return "wasm_bindgen";
  return exported || WRAPPER.test(name) ? "toolsift" : "other";
}

/** Bytes of code by crate, the heaviest first, and those of data and of everything else. */
export async function byCrate() {
  const { functions, code, data, rest } = readWasm(readFileSync(await namedBuild()));
  const sums = new Map();
  for (const one of functions) sums.set(crateOf(one), (sums.get(crateOf(one)) ?? 0) + one.bytes);
  const crates = [...sums].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
  return { crates, code, data, rest };
}

/** cargo keeps the names; the published file loses them only at the end. */
async function namedBuild() {
  const folder = join(stateDir, "named");
  const named = join(folder, "named.wasm");
  await unlessFresh("named", { inputs: [coreDir], outputs: [folder] }, async () => {
    mkdirSync(folder, { recursive: true });
    await bindgen(folder, await reproducible(), ["--no-typescript"]);
    await wasmOpt([...OPTIMIZE, "--debuginfo", join(folder, "toolsift_bg.wasm"), "-o", named]);
  });
  return named;
}
