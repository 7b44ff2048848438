/** Helpers for tests of the installed package: its path, and the output of programs that use it. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install } from "../../scripts/lib/installed.mjs";
import { node } from "../../scripts/lib/run.mjs";

export { install, linkTree, pack } from "../../scripts/lib/installed.mjs";

/** Writes a program into the application, runs it with Node and answers what it printed, as JSON. */
export async function runProgram(name, source, args = []) {
  const { app } = await install();
  const path = join(app, name);
  writeFileSync(path, source);
  return JSON.parse((await node(path, args, { cwd: app })).stdout);
}

/** A file of the installed package as text. */
export async function fileOf(path) {
  return readFileSync(join((await install()).home, path), "utf8");
}
