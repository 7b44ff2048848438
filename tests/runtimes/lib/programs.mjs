/** Finds the program of a runtime that is distributed as an npm package, in the package for this platform. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../../../scripts/lib/paths.mjs";
import { Problem } from "../../../scripts/lib/run.mjs";

const exe = process.platform === "win32" ? ".exe" : "";
const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;

const BUN = { win32: "windows", arm64: "aarch64" };
const named = (names, name) => names[name] ?? name;

/** The package and the path inside it. */
const PLACES = {
  bun: (platform, arch) => [`@oven/bun-${named(BUN, platform)}-${named(BUN, arch)}${musl ? "-musl" : ""}`, "bin", "bun"],
  deno: (platform, arch) => [`@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`, "deno"],
};

/** `{ file, version }` of `bun` or `deno`. Their install scripts only put the file elsewhere, and are not run. */
export function programOf(name) {
  const [package_, ...path] = PLACES[name](process.platform, process.arch);
  const home = at("node_modules", package_);
  // Where somebody ran them all the same, Bun's has moved it, under this name on every platform.
  const moved = at("node_modules", "bun", "bin", "bun.exe");
  if (name === "bun" && !existsSync(`${join(home, ...path)}${exe}`) && existsSync(moved)) {
    return { file: moved, version: versionIn(home) };
  }
  return inside(home, path, name);
}

/** The same of a program in the folder of a package. */
export function inside(home, path, name) {
  const file = `${join(home, ...path)}${exe}`;
  if (!existsSync(file)) throw new Problem(`npm has no ${name} for ${process.platform} on ${process.arch}`);
  return { file, version: versionIn(home) };
}

function versionIn(home) {
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version;
}
