/** `npm run reproducible`: builds the core twice from nothing, in two folders, and compares the bytes. */

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder } from "./lib/fresh.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { isCommand, main, red, step } from "./lib/progress.mjs";
import { node } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run reproducible

Builds the wasm twice from nothing, in two folders of different names, and compares the bytes of everything that the build
writes. Also compares them with pkg/core, if that is built. Takes twice as long as a build.`;

/** All that a build of the core reads, and what Cargo.toml names beside it. */
const SOURCES = [
  "Cargo.toml",
  "Cargo.lock",
  "src",
  "crates",
  "examples",
  "lab/benches",
  "tests/all.rs",
  "scripts",
  "package.json",
  "package-lock.json",
];

/** Builds the core in the clone that it runs in. */
const BUILD = 'import("./scripts/lib/wasm.mjs").then(({ buildWasm }) => buildWasm({ force: true }))';

/** Copies what a build reads into a folder. */
function copyInto(folder) {
  mkdirSync(folder, { recursive: true });
  const isSource = (path) => !/[\\/](node_modules|\.vitepress|pages)$/.test(path);
  for (const name of SOURCES) cpSync(at(name), join(folder, name), { recursive: true, filter: isSource });
  symlinkSync(at("node_modules"), join(folder, "node_modules"), "junction");
}

/** Builds in a folder, and returns the hash of each file that was written. */
async function builtIn(folder) {
  // A target folder that both builds share would make the second one a copy.
  await node("--input-type=module", ["--eval", BUILD], { cwd: folder, env: { CARGO_TARGET_DIR: join(folder, "target") } });
  return hashesOf(join(folder, "pkg", "core"));
}

/** The hash of each file below a folder, by its path: what `sha256sum` prints. */
function hashesOf(folder) {
  const hash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
  return new Map(filesUnder(folder).map((file) => [relative(folder, file), hash(file)]));
}

/** The files that two builds do not have in common, or have with different bytes. */
function differing(one, other) {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name)).sort();
}

if (isCommand(import.meta.url)) {
  options({}, HELP);
  await main(async () => {
    await setUp();
    return inTemporary("reproducible", async (home) => {
      const folders = [join(home, "a"), join(home, "in", "another folder", "with-a-longer-name")];
      // Both before the first build, which takes minutes in which the sources here may change.
      folders.forEach(copyInto);
      const builds = [];
      for (const [index, folder] of folders.entries()) {
        await step(`build ${index + 1} of 2`, async () => void builds.push(await builtIn(folder)));
      }
      return report(builds);
    });
  });
}

/** Prints the comparison and returns the exit code. */
function report([first, second]) {
  const files = differing(first, second);
  if (files.length > 0) {
    console.log(red(`the builds differ in ${files.join(", ")}`));
    return 1;
  }
  for (const [name, digest] of first) console.log(`${digest}  ${name}`);
  console.log("both builds have the same bytes");
  const here = hashesOf(at("pkg", "core"));
  if (here.size > 0 && differing(first, here).length > 0)
    console.log("pkg/core is of other sources, or of another toolchain: npm run build");
  return 0;
}
