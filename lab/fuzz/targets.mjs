/** Lists the fuzz targets and their folders, and builds their programs. */

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";
import { ask, Problem, run } from "../../scripts/lib/run.mjs";

/** The compiler flags for coverage, as cargo-fuzz passes them: LLVM's coverage, without a sanitizer. */
const COVERAGE = [
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "--cfg fuzzing",
];

/** Returns the names of all targets. */
export const targets = () =>
  readdirSync(at("lab", "fuzz", "fuzz_targets"))
    .map((file) => file.replace(/\.rs$/, ""))
    .sort();

/** Returns the requested targets, or all targets. Throws for an unknown name. */
export function chosen(names) {
  const all = targets();
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Problem(`there is no target ${JSON.stringify(unknown)}; there are ${all.join(", ")}`);
  return names.length > 0 ? [...new Set(names)] : all;
}

/** Returns the folders of a target's inputs: those in the repository, those made on this machine, and those that fail. */
export function foldersOf(target) {
  const folders = {
    kept: at("lab", "fuzz", "corpus", target),
    grown: at("lab", "fuzz", "grown", target),
    broke: at("lab", "fuzz", "artifacts", target),
  };
  for (const folder of [folders.grown, folders.broke]) mkdirSync(folder, { recursive: true });
  const dictionary = at("lab", "fuzz", "dictionaries", `${target}.dict`);
  return { ...folders, dictionary: existsSync(dictionary) ? dictionary : undefined };
}

/**
 * Builds the programs and returns a function with their paths. It needs any Rust version, and a C++ compiler for libFuzzer.
 */
export async function buildTargets(names) {
  const host = /^host: (.+)$/m.exec((await ask("rustc", ["-vV"])) ?? "")?.[1];
  if (host === undefined) throw new Problem("missing: Rust with cargo (https://rustup.rs)");
  if (host.includes("windows-gnu")) throw new Problem("libFuzzer needs Linux, macOS, or Windows with MSVC");
  const compilers = [process.env.CXX, "c++", "g++", "clang++"].filter(Boolean);
  const found = await Promise.all(compilers.map((compiler) => ask(compiler, ["--version"])));
  if (!host.includes("msvc") && found.every((version) => version === null)) {
    throw new Problem("missing: a C++ compiler, with which libFuzzer is built (Debian and Ubuntu: apt-get install g++)");
  }
  const bins = names.flatMap((name) => ["--bin", name]);
  // With `--target`, cargo uses the flags only for the programs and not for build scripts.
  const args = ["build", "--locked", "--release", "--target", host, ...bins];
  await run("cargo", args, {
    cwd: at("lab", "fuzz"),
    env: { RUSTFLAGS: COVERAGE.join(" "), CARGO_TARGET_DIR: at("lab", "fuzz", "target") },
  });
  return (name) => at("lab", "fuzz", "target", host, "release", host.includes("windows") ? `${name}.exe` : name);
}
