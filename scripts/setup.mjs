/**
 * Prepares a bare clone for a build. Everything here is checked first and only done when it is missing, so that a second run
 * takes a moment.
 */

import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { modulesFit } from "./lib/modules.mjs";
import { at } from "./lib/paths.mjs";
import { checkPrerequisites, checkRustParts } from "./lib/prerequisites.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { npm, Problem, run } from "./lib/run.mjs";
import { provideTool, wasmBindgen } from "./lib/tools.mjs";

let ready;

/** Sets the machine up, once in a process; afterwards the right wasm-bindgen is the first on PATH. */
export const setUp = () => (ready ??= prepare());

async function prepare() {
  await checkPrerequisites();
  await checkRustParts((title, args) => step(title, () => run("rustup", args)));
  if (!modulesFit()) {
    // No package here needs its install script; without them nothing runs that the lock file does not describe.
    await step("installing the npm packages", () => npm(["ci", "--ignore-scripts"]));
    if (!modulesFit()) {
      throw new Problem(
        "node_modules does not fit package-lock.json after `npm ci`; if another npm has run meanwhile, try again",
      );
    }
  }
  const folder = await provideTool(wasmBindgen(), step);
  if (folder) process.env.PATH = [folder, process.env.PATH].join(delimiter);
}

if (isCommand(import.meta.url)) {
  await main(async () => {
    await setUp();
    console.log(`ready: ${existsSync(at("pkg", "dist")) ? "" : "npm run build · "}npm start · npm test`);
  });
}
