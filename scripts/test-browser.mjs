/**
 * `npm run test:browser`: every test of the playground in a real browser, also the long ones of tests/browser/full, which
 * use ../shared/catalogs when they are there and take pictures of every view. `npm test` runs the short ones.
 */

import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { ALL } from "./lib/full.mjs";
import { provideBrowser } from "./browser.mjs";
import { build } from "./build.mjs";
import { captureStep } from "./capture.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { buildPlayground } from "./lib/playground.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { node, Problem } from "./lib/run.mjs";

const HELP = `npm run test:browser [-- --only NAME] [--slow]

Builds the playground and runs every test of it in a real browser, the long ones too.
  --only NAME   only test files whose name holds this
  --slow        files of the page and answers of its core come late, each by another while: what a test reads without
                waiting for it is then not there yet`;

/** As on a machine where everything waits for its turn, in milliseconds. */
const SLOW_MS = 500;

/** A test that hangs is named after this time. */
const TEST_TIMEOUT = 240_000;

const filesIn = (...folder) =>
  readdirSync(at(...folder))
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => at(...folder, name));

if (isCommand(import.meta.url)) {
  const { only = "", slow = false } = options({ only: { type: "string" }, slow: { type: "boolean" } }, HELP);
  await main(async () => {
    const files = [...filesIn("tests", "browser"), ...filesIn("tests", "browser", "full")].filter((file) =>
      basename(file).includes(only),
    );
    // Without files Node would run every test that it finds.
    if (files.length === 0)
      throw new Problem(`no test of the playground has ${JSON.stringify(only)} in the name of its file`);
    await build();
    await captureStep();
    await step("building the playground", () => buildPlayground());
    process.env.CHROME_PATH = await provideBrowser();
    const flags = ["--test-reporter=spec", "--test-concurrency=1", `--test-timeout=${TEST_TIMEOUT}`];
    const env = slow ? { ...ALL, TOOLSIFT_SLOW_PAGE: String(SLOW_MS) } : ALL;
    await node("--test", [...flags, ...files], { show: true, env });
  });
}
