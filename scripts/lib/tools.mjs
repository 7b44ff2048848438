/** Finds wasm-pack and wasm-bindgen on PATH if their versions are right. Otherwise builds them once into the cache. */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { at, cacheDir } from "./paths.mjs";
import { inTemporary, intoPlace } from "./place.mjs";
import { ask, Problem, run } from "./run.mjs";

/**
 * The build settings of the tools. Without optimization they compile three times as fast, and they are fast enough anyway.
 */
const FAST_BUILD = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  // Flags for the project, such as a linker for one target, must not apply to the tools.
  RUSTFLAGS: "",
};

/**
 * Returns the tools that build the wasm. The command of wasm-bindgen must have exactly the version of the library in the
 * crate. It is built without `--locked`, because its published lock file names a version that the registry does not have.
 */
const tools = () => [
  { crate: "wasm-bindgen-cli", program: "wasm-bindgen", version: lockedVersion("wasm-bindgen"), flags: [] },
  { crate: "wasm-pack", program: "wasm-pack", version: "0.15.1", flags: ["--locked"] },
];

/** Returns the version of a crate in Cargo.lock. */
function lockedVersion(crate) {
  const found = readFileSync(at("Cargo.lock"), "utf8").match(new RegExp(`name = "${crate}"\nversion = "([^"]+)"`));
  if (!found) throw new Problem(`Cargo.lock does not name ${crate}`);
  return found[1];
}

/** Returns the folders of the tools that are not on PATH, and builds missing tools. `step` shows the build. */
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

/** Returns true if a program exists and has exactly this version. */
async function answers(program, version) {
  return (await ask(program, ["--version"]))?.endsWith(` ${version}`) === true;
}

/** Builds the missing tools one after the other in one target folder, so that common crates are compiled once. */
function build(missing) {
  return inTemporary("tools", async (target) => {
    for (const { crate, version, flags, home } of missing) {
      // The existing tool does not work, so it is removed.
      rmSync(home, { recursive: true, force: true });
      const env = { ...FAST_BUILD, CARGO_TARGET_DIR: target };
      await intoPlace(home, (root) => run("cargo", ["install", `${crate}@${version}`, ...flags, "--root", root], { env }));
    }
  });
}
