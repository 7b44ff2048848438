/**
 * Runs test files one after the other in one process: an SDK, the core and what else they share are loaded once, which takes a
 * second for each file in a process of its own. A test that hangs is named and ends the process.
 */

import { before, beforeEach } from "node:test";
import { pathToFileURL } from "node:url";

/** Of tests that replace them, none disturbs these. */
const { clearTimeout, setTimeout } = globalThis;
const [timeout, ...files] = process.argv.slice(2);

let loaded;
const loading = new Promise((resolve) => (loaded = resolve));
// What files prepare together, such as programs to be compiled, is known in full before the first test runs.
before(() => loading);

let hanging;
beforeEach(({ name }) => {
  clearTimeout(hanging);
  hanging = setTimeout(() => {
    console.error(`the test ${JSON.stringify(name)} has not ended after ${timeout} ms`);
    process.exit(1);
  }, Number(timeout)).unref();
});

for (const file of files) await import(pathToFileURL(file).href);
loaded();
