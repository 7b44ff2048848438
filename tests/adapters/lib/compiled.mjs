/** Compiles programs as a strict TypeScript project of an application. */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../../../scripts/lib/paths.mjs";

const OPTIONS = {
  strict: true,
  target: "es2022",
  module: "nodenext",
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ["es2022", "dom", "dom.iterable"],
};

/**
 * What the compiler says of some files, by their names, in the folder of an application; empty where all of them compile.
 * `options` are added to those of a strict project.
 */
export function compiled(folder, files, options = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const project = { compilerOptions: { ...OPTIONS, ...options }, files: Object.keys(files) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const tsc = at("node_modules", "typescript", "bin", "tsc");
  try {
    return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8", maxBuffer: 2 ** 28 });
  } catch ({ stdout }) {
    return stdout;
  }
}
