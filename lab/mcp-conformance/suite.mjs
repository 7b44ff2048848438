/** Runs the server scenarios of the official conformance suite against a URL. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "../../tests/runtimes/lib/programs.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { inTemporary } from "../../scripts/lib/place.mjs";

const SUITE = at("lab", "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
/** The time limit of the suite, in ms. All scenarios together take some seconds. */
const PATIENCE_MS = 120_000;

// The suite uses fs.globSync, which needs Node 22 or later.
const runner = () => (fs.globSync === undefined ? programOf("bun").file : process.execPath);

/**
 * Runs the suite and returns its output from both streams. Its exit code is ignored, because the checks contain the results.
 */
export function suite(...args) {
  return new Promise((resolve, reject) => {
    const options = { cwd: at("."), timeout: PATIENCE_MS, maxBuffer: 1 << 26 };
    execFile(runner(), [SUITE, ...args], options, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(`${stdout}${stderr}`);
      else reject(new Error(`the conformance suite did not run: ${error.message}\n${stderr}`));
    });
  });
}

/**
 * Run once more where it fails: the SDK's clients forget a call with its answer, and lose the progress that came in one
 * piece with it, as it does where the machine is so busy that nobody reads for a while.
 */
const RACED = ["tools-call-with-progress"];

let listed;

/** Returns the names of the server scenarios, in the suite's order. */
export function scenarios() {
  listed ??= suite("list", "--server").then((text) => [...text.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name));
  return listed;
}

/**
 * Runs all scenarios. Returns `{ passes, warnings, says }` by scenario: whether no check failed, the number of warnings, and
 * the suite's messages about failed checks and warnings.
 */
export const runSuite = (url) =>
  inTemporary("conformance", async (folder) => {
    const [names] = await Promise.all([scenarios(), suite("server", "--url", url, "--suite", "all", "-o", folder)]);
    for (const name of RACED) {
      if (resultOf(checksOf(folder, name)).passes) continue;
      for (const one of foldersOf(folder, name)) rmSync(join(folder, one), { recursive: true });
      await suite("server", "--url", url, "--scenario", name, "-o", folder);
    }
    return Object.fromEntries(names.map((name) => [name, resultOf(checksOf(folder, name))]));
  });

/** Returns the folders with a scenario's checks. Their names contain the scenario's name and the time. */
const foldersOf = (folder, name) =>
  readdirSync(folder).filter((one) => new RegExp(`^server-${name}-\\d{4}-\\d\\d-\\d\\dT`).test(one));

function checksOf(folder, name) {
  const found = foldersOf(folder, name);
  if (found.length !== 1) throw new Error(`the suite wrote ${found.length} results of ${name}; there must be one`);
  return JSON.parse(readFileSync(join(folder, found[0], "checks.json"), "utf8"));
}

function resultOf(checks) {
  const of = (status) => checks.filter((check) => check.status === status);
  const says = [...of("FAILURE"), ...of("WARNING")].map(({ description, errorMessage }) => errorMessage ?? description);
  // A scenario without any check does not pass.
  const isChecked = of("SUCCESS").length + of("WARNING").length > 0;
  return { passes: isChecked && of("FAILURE").length === 0, warnings: of("WARNING").length, says };
}
