/**
 * `npm test`: sets up the machine, builds, and runs all tests, Rust tests in parallel. With arguments, runs only some test
 * files or one test.
 */

import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { provideBrowser } from "./browser.mjs";
import { build } from "./build.mjs";
import { capture } from "./capture.mjs";
import { testAll } from "./lib/full.mjs";
import { shared } from "./lib/installed.mjs";
import { format, lint, types, vitest } from "./lib/javascript.mjs";
import { options } from "./lib/options.mjs";
import { at, root } from "./lib/paths.mjs";
import { buildPlayground } from "./lib/playground.mjs";
import { bold, duration, isCommand, main, red, report, step } from "./lib/progress.mjs";
import { pytest, testPython, testSdks } from "./lib/python-package.mjs";
import { CommandFailed, Problem, run } from "./lib/run.mjs";
import { cargo, cargoTest, clippy, documented } from "./lib/rust.mjs";
import { coreDir, reproducible } from "./lib/wasm.mjs";
import { provideRedis } from "./redis.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm test [-- --only PART[,PART]]
npm test -- FILE… [-t NAME] [--watch]
npm test -- --project NAME… [-t NAME]

Sets the machine up, builds, and runs everything: a part that fails is shown, and the others go on.
With files, runs these alone: JavaScript by vitest from the sources as they are, Rust by cargo, Python by pytest.
  -t NAME         only the tests whose name has this text
  --watch         runs the JavaScript files again whenever a source or a test changes
  --project NAME  the JavaScript tests of a folder of tests/
  --only PART     only these parts: style, rust, js, python
  --all           also what runs the same code once more: older SDKs, other clients, other runtimes (npm run test:all)`;

const PARTS = ["style", "rust", "js", "python"];

/** The sums over all test runners, and the titles of failed parts. */
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

/** Matches the summary lines of cargo test, nextest, pytest and vitest. */
const SUMMARY = /^(test result:|\s*Summary \[| +Tests +|=* ?\d+ (passed|failed|skipped)).*$/gm;

/** Counts the tests in the output of one or several runners. */
function tally(output) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const [line] of output.matchAll(SUMMARY)) {
    for (const [, number, word] of line.matchAll(/(\d+) (passed|failed|skipped|ignored)/g)) {
      count[word === "ignored" ? "skipped" : word] += Number(number);
    }
  }
  return count;
}

const inWords = (count) =>
  Object.entries(count)
    .flatMap(([word, number]) => (number > 0 ? `${number} ${word}` : []))
    .join(", ");

/**
 * Runs one part of all tests and counts its tests. Returns whether the part passes; a compile error counts as one failed
 * test. With `hasSteps`, the part shows its own steps and is not a step itself.
 */
async function part(title, work, { hasSteps = false } = {}) {
  const add = (count) => Object.keys(total).forEach((key) => (total[key] += count[key]));
  try {
    const counted = async () => {
      const count = tally((await work())?.stdout ?? "");
      add(count);
      return { summary: inWords(count) };
    };
    await (hasSteps ? counted() : step(title, counted));
    return true;
  } catch (error) {
    report(error);
    const count = tally(error instanceof CommandFailed ? error.output : "");
    add({ ...count, failed: Math.max(count.failed, 1) });
    failures.push(title);
    return false;
  }
}

async function rust(isFull) {
  const benches = isFull ? ["-p", "toolsift", "-p", "toolsift-pattern", "-p", "toolsift-bench"] : [];
  await part("clippy", () => clippy(...benches));
  await part("Rust tests: unit, integration, documentation", () => cargoTest());
  await part("Rust documentation", () => documented());
  if (!isFull) return;
  // These compile about two hundred crates that nothing else in the project uses.
  const sdks = ["-p", "toolsift-rmcp", "-p", "toolsift-rig", "-p", "toolsift-examples"];
  await part("the crates for rmcp and rig, and the programs that use them with axum", async () => {
    await clippy(...sdks);
    await documented(...sdks);
    return cargoTest(...sdks);
  });
}

/** Uses the flags of the build, so that the macros of wasm-bindgen and serde are not compiled again. */
async function clippyOfWasm() {
  const args = ["--locked", "--release", "-p", "toolsift-wasm", "--target", "wasm32-unknown-unknown"];
  return run("cargo", ["clippy", ...args, "--", "-D", "warnings"], { env: await reproducible() });
}

async function style() {
  await part("formatting of Rust, JavaScript and TypeScript", async () => {
    await cargo("fmt", "--all", "--check");
    await format();
  });
  await part("what Biome and knip ask of JavaScript and TypeScript", lint);
}

/** Prepares the JavaScript tests: programs, pages, and one packed package. */
async function prepared() {
  process.env.CHROME_PATH = await provideBrowser();
  process.env.REDIS_SERVER = await provideRedis();
  await capture();
  await buildPlayground();
  Object.assign(process.env, await shared());
}

/** Runs all parts or the named parts. Parts that compile with cargo run in parallel with the others. */
async function everything(parts, isFull) {
  await setUp();
  const has = (name) => parts.includes(name);
  const needsBuild = has("js") || has("python") || has("style");
  const native = has("rust") ? rust(isFull) : undefined;
  if (has("style")) await style();
  if (needsBuild && (await part("the npm packages", build, { hasSteps: true }))) {
    if (has("style")) await part("types of the packages and the playground", types);
    if (has("js") && (await part("what the JavaScript tests need", prepared))) {
      await part("JavaScript tests", () => vitest(["run", "--no-color"], { show: true }));
    }
    await native;
    if (has("rust")) await part("clippy for what JavaScript calls", clippyOfWasm);
    if (has("python")) {
      await part("Python tests", testPython);
      if (isFull) await part("Python with the oldest and the latest SDKs, and strict type checkers", testSdks);
    }
  }
  await native;
}

/** Returns the arguments with which cargo runs the tests of one file, or the tests with a name. */
function ofRust(file, name) {
  const [, crate, inner = file] = /^crates\/(\w+)\/(.*)$/.exec(file) ?? [];
  const module = inner
    .replace(/^(src|tests)\//, "")
    .replace(/(\/mod|\/lib|^lib|^all|^main)?\.rs$/, "")
    .replaceAll("/", "::");
  const target = inner.startsWith("src/") ? ["--lib"] : crate === undefined ? ["--test", "all"] : [];
  return [...(crate === undefined ? [] : ["-p", `toolsift-${crate}`]), ...target, name ?? module];
}

/** Runs test files, each with the test runner of its language. */
async function some(files, { name, projects, watch }) {
  const paths = files.map((file) => relative(root, resolve(file)));
  const missing = paths.find((path) => !existsSync(at(path)));
  if (missing !== undefined) throw new Problem(`there is no file ${missing}`);
  const of = (...ends) => paths.filter((path) => ends.some((end) => path.endsWith(end)));
  const [inRust, inPython] = [of(".rs"), of(".py")];
  const others = paths.filter((path) => !inRust.includes(path) && !inPython.includes(path));
  const codes = [];
  const ran = async (work) => codes.push((await work({ inherit: true, fails: false })).code);
  for (const file of inRust) await ran((how) => run("cargo", ["test", ...ofRust(file, name)], how));
  if (inPython.length > 0) {
    await ran((how) => pytest([...inPython.map((path) => at(path)), ...(name ? ["-k", name] : [])], how));
  }
  if (others.length + projects.length > 0 || paths.length === 0) {
    if (!existsSync(coreDir)) throw new Problem("the core is not built yet: npm run build");
    await capture();
    const folders = new Set([...projects, ...others.flatMap((path) => /^tests\/([^/]+)/.exec(path)?.[1] ?? [])]);
    const flags = [...[...folders].flatMap((folder) => ["--project", folder]), ...(name ? ["-t", name] : [])];
    await ran((how) => vitest([...(watch ? ["watch"] : ["run"]), ...flags, ...others], how));
  }
  return codes.every((code) => code === 0) ? 0 : 1;
}

if (isCommand(import.meta.url)) {
  const spec = {
    only: { type: "string" },
    project: { type: "string", multiple: true, default: [] },
    testNamePattern: { type: "string", short: "t" },
    watch: { type: "boolean" },
    all: { type: "boolean" },
  };
  const asked = options(spec, HELP, { operands: "files" });
  if (asked.all) testAll();
  const { testNamePattern: name, project: projects, watch } = asked;
  await main(async () => {
    if (asked.files.length + projects.length > 0 || name !== undefined) return some(asked.files, { name, projects, watch });
    const parts = asked.only?.split(",") ?? PARTS;
    const unknown = parts.find((one) => !PARTS.includes(one));
    if (unknown !== undefined) throw new Problem(`there is no part ${unknown}; there are ${PARTS.join(", ")}`);
    const begin = Date.now();
    await everything(parts, asked.all);
    if (failures.length > 0) console.log(red(`failed: ${failures.join(", ")}`));
    console.log(`${bold(failures.length > 0 ? "failed" : "everything holds")} after ${duration(Date.now() - begin)}`);
    console.log(`${total.passed} passed, ${total.failed} failed`);
    return failures.length > 0 ? 1 : 0;
  });
}
