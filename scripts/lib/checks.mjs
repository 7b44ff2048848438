/**
 * The steps of `npm test`, the most urgent ones first: those on which much waits, cargo's, which run one after the other, and then
 * the longest, so that nothing long is left for the end, when it would run alone.
 */

import { existsSync, readdirSync } from "node:fs";
import { provideBrowser } from "../browser.mjs";
import { build } from "../build.mjs";
import { capture, TITLE } from "../capture.mjs";
import { provideRedis } from "../redis.mjs";
import { isFull } from "./full.mjs";
import { shared } from "./installed.mjs";
import { at } from "./paths.mjs";
import { buildPlayground } from "./playground.mjs";
import { preparePython, testPython, testSdks } from "./python-package/environment.mjs";
import { node, Problem, run } from "./run.mjs";
import { reproducible } from "./wasm.mjs";

/** Where a step hangs, its test is named after this time instead of the whole run being cut off. */
const TEST_TIMEOUT = 300_000;

/**
 * Each check has a name for `--only`, a title, and `run`, which answers what its programs printed. `needs` names what
 * must have run before, `holds` what only one can use at a time; `talks` marks those that report their own progress. One that `isRepeated` runs in
 * `npm run test:all` alone; what else that command adds, the tests take from full.mjs.
 */
export const CHECKS = [
  {
    name: "format",
    title: "formatting of Rust by cargo fmt, of JavaScript and TypeScript by Biome",
    run: async () => {
      await cargo("fmt", "--all", "--check", "--", "--color=never");
      await biome("format");
    },
  },
  {
    name: "lint",
    title: "what Biome and knip ask of JavaScript and TypeScript",
    run: () => lint(),
  },
  {
    name: "build",
    title: "the npm package",
    talks: true,
    // It does not hold cargo: it has folders of its own there, and clippy runs beside it while everything else waits for it.
    run: () => build(),
  },
  {
    name: "clippy",
    title: "clippy",
    holds: "cargo",
    // In the long form also the benchmarks.
    run: () => {
      const benches = isFull ? ["-p", "toolsift", "-p", "toolsift-pattern", "-p", "toolsift-bench"] : [];
      return cargo("clippy", "--locked", ...benches, "--all-targets", "--", "-D", "warnings");
    },
  },
  {
    name: "docs",
    title: "Rust documentation",
    holds: "cargo",
    // Private items too: the documentation of a stage leads its readers to the files that do the work.
    run: () => {
      const args = ["doc", "--locked", "--no-deps", "--document-private-items"];
      return run("cargo", args, { env: { RUSTDOCFLAGS: "-D warnings -A rustdoc::private_intra_doc_links" } });
    },
  },
  {
    name: "rust",
    title: "Rust tests: unit, integration, documentation",
    holds: "cargo",
    run: () => cargo("test", "--locked"),
  },
  {
    name: "rust-sdks",
    // They compile some two hundred crates, and nothing else of the project uses them.
    isRepeated: true,
    title: "the crates for rmcp and rig, and the programs that use them with axum",
    holds: "cargo",
    run: async () => {
      const packages = ["-p", "toolsift-rmcp", "-p", "toolsift-rig", "-p", "toolsift-examples"];
      await cargo("clippy", "--locked", ...packages, "--all-targets", "--", "-D", "warnings");
      await run("cargo", ["doc", "--locked", "--no-deps", ...packages], { env: { RUSTDOCFLAGS: "-D warnings" } });
      return cargo("test", "--locked", ...packages);
    },
  },
  {
    name: "clippy-wasm",
    title: "clippy for what JavaScript calls",
    // The build has compiled the macros of wasm-bindgen and serde. Under other flags than these it would compile all anew.
    needs: ["build"],
    holds: "cargo",
    run: async () => {
      const args = ["--locked", "--release", "-p", "toolsift-wasm", "--target", "wasm32-unknown-unknown"];
      return run("cargo", ["clippy", ...args, "--", "-D", "warnings"], { env: await reproducible() });
    },
  },
  {
    name: "find-browser",
    title: "Chrome or Chromium for the browser tests",
    talks: true,
    run: async () => void (process.env.CHROME_PATH = await provideBrowser()),
  },
  {
    name: "capture",
    title: TITLE,
    run: () => capture(),
  },
  {
    name: "pack",
    title: "packing and installing the package, once for all checks",
    needs: ["build"],
    run: async () => void Object.assign(process.env, await shared()),
  },
  {
    name: "types",
    title: "type checks of the package and the playground",
    needs: ["build"],
    run: async () => {
      const tsc = at("node_modules", "typescript", "bin", "tsc");
      for (const project of ["pkg", "www"]) await node(tsc, ["--noEmit", "-p", at(project)]);
    },
  },
  {
    name: "playground",
    title: "building the playground",
    needs: ["build", "capture"],
    run: () => buildPlayground(),
  },
  {
    name: "adapters",
    title: "the adapters, with the SDKs themselves and the tools of real MCP servers",
    needs: ["pack", "capture"],
    run: () => together("adapters"),
  },
  {
    name: "browser",
    title: "the playground in a real browser",
    needs: ["build", "capture", "playground", "find-browser"],
    // Much of their time is waiting.
    run: () => together("browser", 2),
  },
  {
    name: "cli",
    title: "the command line and the gateway",
    needs: ["pack"],
    // Most of them wait for processes.
    run: () => together("cli", 2),
  },
  {
    name: "red-team",
    title: "attacks, each with the promise of SECURITY.md that it tries",
    needs: ["pack"],
    run: () => together("red-team"),
  },
  {
    name: "proxy",
    title: "tool search on the wire: every vendor's API, whole and streamed",
    needs: ["pack", "capture"],
    run: () => together("proxy"),
  },
  {
    name: "package",
    title: "the package, packed and installed",
    needs: ["pack", "capture"],
    run: () => together("package"),
  },
  {
    name: "site",
    title: "the site: documents, reference and playground, and every link between them",
    needs: ["playground", "find-browser"],
    run: () => together("site"),
  },
  {
    name: "find-redis",
    title: "Redis for the tests of stored sessions",
    talks: true,
    run: async () => void (process.env.REDIS_SERVER = await provideRedis()),
  },
  {
    name: "store",
    title: "sessions in stores, shared by processes",
    needs: ["pack", "find-redis"],
    run: () => together("store"),
  },
  {
    name: "find-python",
    title: "Python with what the Python package is checked with",
    talks: true,
    run: async () => void (await preparePython()),
  },
  {
    name: "python",
    title: "the Python package: its tests, and the answers of the npm package",
    needs: ["build", "capture", "find-python"],
    holds: "cargo",
    run: () => testPython(),
  },
  {
    name: "python-sdks",
    // The conversations of the contract go over one SDK in every run.
    isRepeated: true,
    title: "the adapters in Python with the oldest and the latest SDKs, and strict type checkers",
    needs: ["python", "find-redis"],
    run: () => testSdks(),
  },
  {
    name: "faults",
    title: "the package where something is missing, forbidden or broken",
    needs: ["pack", "find-browser"],
    run: () => together("faults"),
  },
  {
    name: "properties",
    title: "data that nobody expects, from models, vendors, servers and users",
    needs: ["pack"],
    run: () => together("properties"),
  },
  {
    name: "memory",
    title: "memory levels off, in short loads",
    needs: ["build"],
    run: () => together("memory"),
  },
  {
    name: "history",
    title: "sessions rebuilt from their conversations, in every format",
    needs: ["pack"],
    run: () => together("history"),
  },
  {
    name: "examples",
    title: "the examples, with the installed package",
    needs: ["pack"],
    run: () => together("examples"),
  },
  {
    name: "runtimes",
    title: "the same answers in Node, Bun, Deno, workerd and Chromium",
    needs: ["pack", "capture", "find-browser"],
    run: () => together("runtimes"),
  },
  {
    name: "vectors",
    title: "recorded vectors of the published systems, through the package",
    needs: ["build"],
    run: () => together("vectors"),
  },
  {
    name: "golden",
    title: "search quality on the golden sets, and the limits of sizes",
    needs: ["build"],
    run: () => together("golden"),
  },
];

/** Checks by their names, with all that they need. */
export function withNeeds(names) {
  const all = new Set(names);
  for (const name of all) CHECKS.find((check) => check.name === name).needs?.forEach((need) => all.add(need));
  return [...all];
}

/** Mistakes that the types allow, such as a promise that nobody awaits; and what is exported for nobody. */
export async function lint() {
  await Promise.all([biome("lint", "--error-on-warnings"), node(at("node_modules", "knip", "bin", "knip.js"), [])]);
}

const cargo = (...args) => run("cargo", args);

/** Runs a command of Biome. */
export const biome = (...args) => node(at("node_modules", "@biomejs", "biome", "bin", "biome"), args);

/** Runs the test files of a folder in one process, or in some at the same time: what the files share is loaded once. */
async function together(folder, atOnce = 1) {
  const files = filesOf(folder);
  const program = [at("scripts", "lib", "together.mjs"), String(TEST_TIMEOUT)];
  const shares = Array.from({ length: atOnce }, (_, share) => files.filter((_, place) => place % atOnce === share));
  const runs = await Promise.allSettled(shares.map((some) => node("--test-reporter=spec", [...program, ...some])));
  const failures = runs.flatMap(({ reason }) => reason ?? []);
  if (failures.length > 0) throw Object.assign(failures[0], { output: failures.map(({ output }) => output).join("\n") });
  return { stdout: runs.map(({ value }) => value.stdout).join("\n") };
}

function filesOf(folder) {
  const path = at("tests", folder);
  const files = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".test.mjs")) : [];
  if (files.length === 0) throw new Problem(`tests/${folder} holds no *.test.mjs`);
  return files.sort().map((name) => at("tests", folder, name));
}
