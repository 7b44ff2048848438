/** Finds wasm-pack and wasm-bindgen on PATH if their versions are right. Otherwise builds them once into the cache. */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { at, cacheDir } from "./paths.mjs";
import { inTemporary, intoPlace } from "./place.mjs";
import { ask, Problem, run } from "./run.mjs";

/** The tools take a fraction of a second either way. Built without optimization they are ready three times as fast. */
const FAST_BUILD = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  // Flags meant for the project, such as a linker for one target, must not reach the tools.
  RUSTFLAGS: "",
};

/**
 * What builds the wasm. wasm-bindgen's command must have exactly the version of the library that the crate links; it is built
 * without `--locked` because its published lock file names a version that the registry does not have.
 */
const tools = () => [
  { crate: "wasm-bindgen-cli", program: "wasm-bindgen", version: lockedVersion("wasm-bindgen"), flags: [] },
  { crate: "wasm-pack", program: "wasm-pack", version: "0.15.1", flags: ["--locked"] },
];

/** The version of a crate in Cargo.lock. */
function lockedVersion(crate) {
  const found = readFileSync(at("Cargo.lock"), "utf8").match(new RegExp(`name = "${crate}"\nversion = "([^"]+)"`));
  if (!found) throw new Problem(`Cargo.lock does not name ${crate}`);
  return found[1];
}

/** The folders of those tools that are not on PATH, which are built where they are missing. `step` shows the build. */
export async function provideTools(step) {
  const wanted = [];
  for (const tool of tools()) {
    if (await answers(tool.program, tool.version)) continue;
    const home = join(cacheDir, "tools", `${tool.crate}-${tool.version}`);
    wanted.push({ ...tool, home, isBuilt: await answers(join(home, "bin", tool.program), tool.version) });
  }
  const missing = wanted.filter(({ isBuilt }) => !isBuilt);
  if (missing.length > 0) {
    const names = missing.map(({ crate, version }) => `${crate} ${version}`).join(" and ");
    await step(`building ${names}, once for all clones (about two minutes)`, () => build(missing));
  }
  return wanted.map(({ home }) => join(home, "bin"));
}

/** Whether a program is there and has exactly a version. */
async function answers(program, version) {
  return (await ask(program, ["--version"]))?.endsWith(` ${version}`) === true;
}

/** One after the other in one target folder: crates that both need are compiled once. */
function build(missing) {
  return inTemporary("tools", async (target) => {
    for (const { crate, version, flags, home } of missing) {
      // What stands there did not answer.
      rmSync(home, { recursive: true, force: true });
      const env = { ...FAST_BUILD, CARGO_TARGET_DIR: target };
      await intoPlace(home, (root) => run("cargo", ["install", `${crate}@${version}`, ...flags, "--root", root], { env }));
    }
  });
}
