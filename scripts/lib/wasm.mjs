/** Builds the Rust library to wasm with wasm-pack, without paths of this machine in it. */

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { at, root } from "./paths.mjs";
import { ask, run } from "./run.mjs";

/** The output folder of wasm-pack. It contains nothing else. */
export const coreDir = at("pkg", "core");

/** Builds pkg/core unless it is up to date. */
export async function buildWasm({ force } = {}) {
  const env = await reproducible();
  const versions = [await ask("rustc", ["-vV"]), await ask("wasm-pack", ["--version"]), versionOf("binaryen")];
  const settings = [JSON.stringify(env), ...versions];
  const inputs = [
    at("Cargo.toml"),
    at("Cargo.lock"),
    at("src"),
    at("crates", "pattern"),
    at("crates", "wasm"),
    at("scripts", "lib", "wasm.mjs"),
  ];
  return unlessFresh("wasm", { inputs, settings, outputs: [coreDir], force }, async () => {
    rmSync(coreDir, { recursive: true, force: true });
    // Uses binaryen from npm. The versions of some distributions miscompile without an error.
    const PATH = [at("node_modules", ".bin"), process.env.PATH].join(delimiter);
    const how = ["--release", "--target", "bundler", "--no-pack", "--no-gitignore", "--mode", "no-install"];
    const where = ["--out-dir", coreDir, "--out-name", "toolsift"];
    await run("wasm-pack", ["build", at("crates", "wasm"), ...how, ...where, "--", "--locked"], { env: { ...env, PATH } });
    finish();
  });
}

/**
 * Removes wasm-bindgen's entry file (toolsift.js), which imports the wasm file: few runtimes can do that.
 * pkg/src/core/bindings.ts replaces it. The file with the bindings gets the types of the removed file.
 */
function finish() {
  for (const name of ["toolsift.js", "toolsift_bg.wasm.d.ts"]) rmSync(join(coreDir, name));
  const types = readFileSync(join(coreDir, "toolsift.d.ts"), "utf8");
  const setWasm = "export function __wbg_set_wasm(exports: WebAssembly.Exports): void;\n";
  writeFileSync(join(coreDir, "toolsift_bg.d.ts"), `${types}\n${setWasm}`);
  rmSync(join(coreDir, "toolsift.d.ts"));
}

/**
 * Returns build flags with which the wasm has the same bytes in any folder, on any machine, and with any registry mirror.
 */
export async function reproducible() {
  // This makes the folders of the registries, whose names contain the name of the mirror.
  await run("cargo", ["tree", "--locked", "--target", "wasm32-unknown-unknown"]);
  const home = process.env.CARGO_HOME || join(homedir(), ".cargo");
  const registries = readdirSync(join(home, "registry", "src")).map((name) => join(home, "registry", "src", name));
  const sysroot = await ask("rustc", ["--print", "sysroot"]);
  const commit = (await ask("rustc", ["-vV"]))?.match(/commit-hash: (\w+)/)?.[1];
  // rustc uses the last prefix that matches, so the more specific prefixes come later.
  const paths = [
    [homedir(), "~"],
    [root, "toolsift"],
    [home, "cargo"],
    ...registries.map((folder) => [folder, "crates"]),
    [join(sysroot, "lib", "rustlib", "src", "rust"), `/rustc/${commit}`],
  ];
  const own = process.env.CARGO_ENCODED_RUSTFLAGS?.split("\x1f") ?? process.env.RUSTFLAGS?.split(" ") ?? [];
  const flags = [...own.filter(Boolean), ...paths.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)];
  return { CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
}
