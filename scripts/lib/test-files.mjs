/** Runs single test files against the sources as they are now, and again whenever something changes. */

import { spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { capture } from "../capture.mjs";
import { buildBundles } from "./bundle.mjs";
import { buildCli } from "./cli.mjs";
import { linked } from "./installed.mjs";
import { at } from "./paths.mjs";
import { dim, duration } from "./progress.mjs";
import { Problem } from "./run.mjs";
import { coreDir } from "./wasm.mjs";

/** Where a change means that the tests run again. */
const WATCHED = ["pkg/src", "cli/src", "scripts", "tests"];
/** An editor writes several files at once. */
const SETTLE_MS = 100;

/**
 * Builds the JavaScript of both packages, unchecked, links it as an installed package, and captures the tools of real servers where
 * that has not been done. Returns the environment of tests.
 */
export async function fromSource() {
  if (!existsSync(join(coreDir, "toolsift_bg.wasm"))) throw new Problem("the core is not built yet: npm run build");
  await buildBundles({ types: false });
  await buildCli({ types: false });
  await capture();
  return linked();
}

/** Runs test files. Returns whether all passed. */
export async function testFiles(files, { signal, reporter = "spec" } = {}) {
  const begin = Date.now();
  // Set where a test starts this; Node would skip the files.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, ...(await fromSource()) };
  const built = Date.now();
  const flags = ["--test", `--test-reporter=${reporter}`, `--test-concurrency=${availableParallelism()}`];
  const child = spawn(process.execPath, [...flags, ...files.map((file) => resolve(file))], {
    env,
    signal,
    stdio: "inherit",
  });
  const code = await new Promise((done) => child.on("error", () => done(1)).on("close", done));
  if (!signal?.aborted) console.log(dim(`built in ${duration(built - begin)}, tested in ${duration(Date.now() - built)}`));
  return code === 0;
}

/** Runs test files at every change, until the process is ended. A change while they run starts them anew. */
export async function watchFiles(files) {
  let [run, timer] = [new AbortController(), undefined];
  const again = () => {
    run.abort();
    run = new AbortController();
    testFiles(files, { signal: run.signal }).catch((error) => console.error(error.message));
  };
  for (const folder of WATCHED) {
    watch(at(folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(again, SETTLE_MS);
    });
  }
  again();
  await new Promise(() => {});
}
