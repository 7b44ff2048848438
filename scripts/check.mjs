/** `npm run check`: what a change has to hold, in less than a minute: formatting, linters, types, and the unit tests that it touches. */

import { biome, lint } from "./lib/checks.mjs";
import { changed, touched } from "./lib/touched.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { dim, isCommand, main, step, tell } from "./lib/progress.mjs";
import { node, Problem, run } from "./lib/run.mjs";
import { testFiles } from "./lib/test-files.mjs";

const HELP = `npm run check [-- --since COMMIT]

Checks the formatting, lints, checks the types, and runs the tests that import what has changed, the nearest first, until half a minute is over.
  --since COMMIT   what has changed after this commit; without it, what is not committed`;

/** How long tests may begin to run. */
const TESTS_MS = 30_000;
/** Test files that run at once before the time is looked at again. */
const AT_ONCE = 4;

/** The types of both packages and of the page. The command line and the page see the package as it is built. */
async function types() {
  const tsc = at("node_modules", "typescript", "bin", "tsc");
  for (const project of ["pkg", "cli", "cli/src/watch/browser", "www"]) await node(tsc, ["--noEmit", "-p", at(project)]);
}

/** Runs the nearest test files first. Returns whether all that ran passed. */
async function test(files) {
  const end = Date.now() + TESTS_MS;
  let [passed, ran] = [true, 0];
  for (; ran < files.length && Date.now() < end; ran += AT_ONCE) {
    passed = (await testFiles(files.slice(ran, ran + AT_ONCE), { reporter: "dot" })) && passed;
  }
  const left = files.length - Math.min(ran, files.length);
  if (left > 0) tell(dim(`${left} more test files import what has changed; npm test runs them`));
  return passed;
}

if (isCommand(import.meta.url)) {
  const { since = "HEAD" } = options({ since: { type: "string" } }, HELP);
  await main(async () => {
    const files = await changed(since);
    if (files.some((file) => file.endsWith(".rs"))) {
      await step("Rust formatting", () => run("cargo", ["fmt", "--all", "--check"]));
    }
    await step("formatting", () => biome("format"));
    await Promise.all([step("linting", lint), step("checking the types", types)]);
    const tests = await step("finding the tests that a change touches", () => touched(files));
    if (!(await test(tests))) throw new Problem("tests failed: npm test -- FILE runs one alone");
  });
}
