/**
 * Prepares a new clone for a build. Each step is skipped if it is done already, so that a second run takes only a moment.
 */

import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { modulesFit } from "./lib/modules.mjs";
import { at } from "./lib/paths.mjs";
import { checkPrerequisites, checkRustParts } from "./lib/prerequisites.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { npm, Problem, run } from "./lib/run.mjs";
import { provideTools } from "./lib/tools.mjs";

let ready;

/** Sets the machine up, once per process. Afterwards, the right wasm-pack and wasm-bindgen are the first on PATH. */
export const setUp = () => (ready ??= prepare());

async function prepare() {
  await checkPrerequisites();
  await checkRustParts((title, args) => step(title, () => run("rustup", args)));
  // Both run in parallel: npm mostly waits for the network, and cargo compiles.
  const [folders] = await Promise.all([provideTools(step), installPackages()]);
  process.env.PATH = [...folders, process.env.PATH].join(delimiter);
}

/** Install scripts are switched off: no package needs one, and so no code runs that the lock file does not describe. */
async function installPackages() {
  if (modulesFit()) return;
  await step("installing the npm packages", () => npm(["ci", "--ignore-scripts"]));
  if (modulesFit()) return;
  throw new Problem(
    "node_modules does not fit package-lock.json after `npm ci`; if another npm has run meanwhile, try again",
  );
}

if (isCommand(import.meta.url)) {
  await main(async () => {
    await setUp();
    console.log(`ready: ${existsSync(at("pkg", "dist")) ? "" : "npm run build · "}npm start · npm test`);
  });
}
