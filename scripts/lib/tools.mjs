/** Finds wasm-bindgen: on PATH when the version fits, else built once into the cache. */

import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { at, cacheDir } from "./paths.mjs";
import { intoPlace } from "./place.mjs";
import { ask, Problem, run } from "./run.mjs";

/**
 * The tools take a fraction of a second either way; built without optimization they are ready three times as fast.
 */
const FAST_BUILD = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  // Flags meant for the project, such as a linker for one target, must not reach the tools.
  RUSTFLAGS: "",
};

/**
 * wasm-bindgen's command, which must have exactly the version of the library that the crate links. `--locked` is left out because
 * its published lock file names a version that the registry does not have.
 */
export const wasmBindgen = () => ({
  crate: "wasm-bindgen-cli",
  program: "wasm-bindgen",
  version: lockedVersion("wasm-bindgen"),
  flags: [],
});

/** The version of a crate in Cargo.lock. */
function lockedVersion(crate) {
  const found = readFileSync(at("Cargo.lock"), "utf8").match(new RegExp(`name = "${crate}"\nversion = "([^"]+)"`));
  if (!found) throw new Problem(`Cargo.lock does not name ${crate}`);
  return found[1];
}

/** The folder that holds a tool, or null where it is on PATH. `step` shows the build of a missing one. */
export async function provideTool({ crate, program, version, flags }, step) {
  if (await answers(program, version)) return null;
  const home = join(cacheDir, "tools", `${crate}-${version}`);
  const bin = join(home, "bin");
  if (!(await answers(join(bin, program), version))) {
    await step(`building ${crate} ${version}, once for all clones (some minutes)`, () =>
      build(`${crate}@${version}`, flags, home),
    );
  }
  return bin;
}

/** Whether a program is there and has exactly a version. */
async function answers(program, version) {
  return (await ask(program, ["--version"])) === `${basename(program)} ${version}`;
}

async function build(spec, flags, home) {
  // What stands there did not answer.
  rmSync(home, { recursive: true, force: true });
  await intoPlace(home, (folder) => run("cargo", ["install", spec, ...flags, "--root", folder], { env: FAST_BUILD }));
}
