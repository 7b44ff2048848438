/** Builds the crate to wasm: cargo and wasm-bindgen build it, binaryen shrinks it, and no path of this machine stays in it. */

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { withLessLibrary } from "./rust-library.mjs";
import { at, root } from "./paths.mjs";
import { ask, node, run } from "./run.mjs";

/** Where wasm-bindgen writes; nothing else lives there. */
export const coreDir = at("pkg", "core");

/** npm's build of binaryen. Some distributions ship versions that end well and miscompile. */
export const wasmOpt = (args) => node(at("node_modules", "binaryen", "bin", "wasm-opt"), args);

/**
 * The fastest code that binaryen makes, in a form that compresses well. A function that is put into its only caller gets
 * other numbers for its locals there and no longer looks like its likes, so only tiny ones are. Functions in the order of
 * their names, which cargo leaves in and binaryen drops, have their likes next to them, where gzip still sees them.
 */
export const OPTIMIZE = [
  "-O3",
  "--converge",
  // Nothing stands below address 1,024: it is the far end of the stack.
  "--low-memory-unused",
  "--one-caller-inline-max-function-size=12",
  "--flexible-inline-max-function-size=10",
  "--reorder-functions-by-name",
  "--strip-producers",
  "--strip-target-features",
];

/**
 * Where LLVM stops to copy code, with thresholds that are made for native processors: functions are put into their callers,
 * also every small one of the standard library, loops are unrolled, what follows a branch is repeated in both of its arms,
 * functions and calls are repeated for constant arguments, and copies of a few words are written out.
 */
const LLVM = [
  "-inline-threshold=5",
  "-inlinehint-threshold=30",
  "-locally-hot-callsite-threshold=5",
  "-inlinecold-threshold=0",
  "-inline-cold-callsite-threshold=0",
  "-unroll-threshold=0",
  "-unroll-runtime=false",
  "-unswitch-threshold=0",
  "-jump-threading-threshold=1",
  "-funcspec-max-clones=0",
  "-callsite-splitting-duplication-threshold=0",
  "-max-store-memcpy=2",
  "-max-store-memmove=2",
  "-max-store-memset=2",
].map((arg) => `-Cllvm-args=${arg}`);

/** Builds pkg/core unless it is up to date. */
export async function buildWasm({ force } = {}) {
  const env = await reproducible();
  const versions = [await ask("rustc", ["-vV"]), await ask("wasm-bindgen", ["--version"]), versionOf("binaryen")];
  const settings = [JSON.stringify(env), ...versions];
  const inputs = [
    at("Cargo.toml"),
    at("Cargo.lock"),
    at("src"),
    at("scripts", "lib", "wasm.mjs"),
    at("scripts", "lib", "rust-library.mjs"),
  ];
  return unlessFresh("wasm", { inputs, settings, outputs: [coreDir], force }, async () => {
    rmSync(coreDir, { recursive: true, force: true });
    await bindgen(coreDir, env);
    await shrink(join(coreDir, "toolsift_bg.wasm"));
    finish();
  });
}

/** Compiles the crate and writes it, with what JavaScript needs around it, into a folder. */
export async function bindgen(folder, env, options = []) {
  const target = ["--target", "wasm32-unknown-unknown"];
  // Not in Cargo.toml: a Rust program that uses the crate would link a library that nobody loads. Without `rlib`, functions that
  // rust-library.mjs looks for are put into their callers.
  await run("cargo", ["rustc", "--release", "--lib", "--locked", "--crate-type", "cdylib,rlib", ...target], { env });
  const { stdout } = await run("cargo", ["metadata", "--no-deps", "--format-version", "1", "--offline"]);
  const built = join(JSON.parse(stdout).target_directory, target[1], "release", "toolsift.wasm");
  await run("wasm-bindgen", ["--target", "bundler", ...options, "--out-dir", folder, built]);
}

async function shrink(wasm) {
  const silent = `${wasm}.silent`;
  writeFileSync(silent, await withLessLibrary(readFileSync(wasm)));
  await wasmOpt([...OPTIMIZE, silent, "-o", wasm]);
  rmSync(silent);
}

/**
 * wasm-bindgen's own starter (toolsift.js) imports the wasm file, which few runtimes can; pkg/src/core.ts takes its
 * place. It goes away, and the file that does the work gets the types that wasm-bindgen gives to the starter.
 */
function finish() {
  for (const name of ["toolsift.js", "toolsift_bg.wasm.d.ts"]) rmSync(join(coreDir, name));
  const types = readFileSync(join(coreDir, "toolsift.d.ts"), "utf8");
  const setWasm = "export function __wbg_set_wasm(exports: WebAssembly.Exports): void;\n";
  writeFileSync(join(coreDir, "toolsift_bg.d.ts"), `${types}\n${setWasm}`);
  rmSync(join(coreDir, "toolsift.d.ts"));
}

/** The flags of the build, under which two folders, two machines and two mirrors of the registry give the same bytes. */
export async function reproducible() {
  // Afterwards the folders of the registries stand, whose names tell the mirror.
  await run("cargo", ["tree", "--locked", "--target", "wasm32-unknown-unknown"]);
  const home = process.env.CARGO_HOME || join(homedir(), ".cargo");
  const registries = readdirSync(join(home, "registry", "src")).map((name) => join(home, "registry", "src", name));
  const sysroot = await ask("rustc", ["--print", "sysroot"]);
  const commit = (await ask("rustc", ["-vV"]))?.match(/commit-hash: (\w+)/)?.[1];
  // rustc applies the last one that fits, so the more specific ones come later.
  const paths = [
    [homedir(), "~"],
    [root, "toolsift"],
    [home, "cargo"],
    ...registries.map((folder) => [folder, "crates"]),
    [join(sysroot, "lib", "rustlib", "src", "rust"), `/rustc/${commit}`],
  ];
  const own = process.env.CARGO_ENCODED_RUSTFLAGS?.split("\x1f") ?? process.env.RUSTFLAGS?.split(" ") ?? [];
  const flags = [...LLVM, ...own.filter(Boolean), ...paths.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)];
  return { CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
}
