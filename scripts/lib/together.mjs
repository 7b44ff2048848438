/**
 * Runs test files one after the other in one process: an SDK, the core and what else they share are loaded once, which takes a
 * second for each file in a process of its own. A test that hangs is named and ends the process.
 */

import hooks from "node:async_hooks";
import { pathToFileURL } from "node:url";

// Node's test runner follows every promise, to tell which test an error belongs to that nobody caught: a sixth of the time of tests
// that wait much. Such an error fails the run all the same, and is printed where it happens.
const { createHook } = hooks;
hooks.createHook = () => ({ enable() {}, disable() {} });
const { before, beforeEach } = await import("node:test");
hooks.createHook = createHook;
for (const event of ["uncaughtExceptionMonitor", "unhandledRejection"]) process.on(event, (error) => console.error(error));

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
