/** The steps of `npm test` in their order, from what is quick to what needs everything before it. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { provideBrowser } from "../browser.mjs";
import { build } from "../build.mjs";
import { capture } from "../capture.mjs";
import { provideRedis } from "../redis.mjs";
import { install } from "./installed.mjs";
import { at } from "./paths.mjs";
import { buildPlayground } from "./playground.mjs";
import { node, Problem, run } from "./run.mjs";

/** Where a step hangs, its test is named after this time instead of the whole run being cut off. */
const TEST_TIMEOUT = 180_000;

/**
 * Each check has a name for `--only`, a title, and `run`, which answers what its programs printed. `needs` names what
 * must have run before; `talks` marks those that report their own progress.
 */
export const CHECKS = [
  {
    name: "format",
    title: "Rust formatting",
    run: () => cargo("fmt", "--all", "--check", "--", "--color=never"),
  },
  {
    name: "clippy",
    title: "clippy, for this machine and for wasm",
    run: async () => {
      const deny = ["--", "-D", "warnings"];
      await cargo("clippy", "--locked", "--all-targets", ...deny);
      return cargo("clippy", "--locked", "--lib", ...wasmTests(), "--target", "wasm32-unknown-unknown", ...deny);
    },
  },
  {
    name: "docs",
    title: "Rust documentation",
    // Private items too: the documentation of a stage leads its readers to the files that do the work.
    run: () => {
      const args = ["doc", "--locked", "--no-deps", "--document-private-items"];
      return run("cargo", args, { env: { RUSTDOCFLAGS: "-D warnings -A rustdoc::private_intra_doc_links" } });
    },
  },
  {
    name: "rust",
    title: "Rust tests: unit, integration, documentation",
    run: () => cargo("test", "--locked"),
  },
  {
    name: "build",
    title: "the npm package",
    talks: true,
    run: () => build(),
  },
  {
    name: "wasm",
    title: "the same tests as wasm, in Node",
    run: () => run("wasm-pack", ["test", "--node", "--mode", "no-install", "--", "--locked", ...wasmTests()]),
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
    name: "capture",
    title: "capturing the tools of real MCP servers",
    run: () => capture(),
  },
  {
    name: "find-browser",
    title: "Chrome or Chromium for the browser tests",
    talks: true,
    run: async () => void (process.env.CHROME_PATH = await provideBrowser()),
  },
  {
    name: "package",
    title: "the package, packed and installed",
    needs: ["build", "capture", "find-browser"],
    run: () => nodeTests("package"),
  },
  {
    name: "cli",
    title: "the command line and the gateway",
    needs: ["build"],
    // Most of them wait for processes.
    run: () => nodeTests("cli", {}, 2),
  },
  {
    name: "faults",
    title: "the package where something is missing, forbidden or broken",
    needs: ["build", "find-browser"],
    run: () => nodeTests("faults"),
  },
  {
    name: "runtimes",
    title: "the same answers in Node, Bun, Deno, workerd and Chromium",
    needs: ["build", "capture", "find-browser"],
    run: () => nodeTests("runtimes"),
  },
  {
    name: "history",
    title: "sessions rebuilt from their conversations, in every format",
    needs: ["build"],
    run: () => nodeTests("history"),
  },
  {
    name: "adapters",
    title: "the adapters, with the SDKs themselves and the tools of real MCP servers",
    needs: ["build", "capture"],
    run: async () => nodeTests("adapters", { TOOLSIFT_INSTALLED: (await install()).home }),
  },
  {
    name: "proxy",
    title: "tool search on the wire: every vendor's API, whole and streamed",
    needs: ["build", "capture"],
    run: async () => nodeTests("proxy", { TOOLSIFT_INSTALLED: (await install()).home }),
  },
  {
    name: "examples",
    title: "the examples, with the installed package",
    needs: ["build"],
    run: () => nodeTests("examples"),
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
    needs: ["build", "find-redis"],
    run: () => nodeTests("store"),
  },
  {
    name: "conformance",
    title: "recorded vectors of the published systems, through the package",
    needs: ["build"],
    run: () => nodeTests("conformance"),
  },
  {
    name: "eval",
    title: "the measurement of search quality, on sets worked out by hand",
    needs: ["build"],
    run: () => nodeTests("eval"),
  },
  {
    name: "simulate",
    title: "the simulation of tasks, on costs worked out by hand",
    needs: ["build"],
    run: () => nodeTests("simulate"),
  },
  {
    name: "prompt-size",
    title: "the cost of a conversation, on requests worked out by hand",
    needs: ["build", "capture"],
    run: () => nodeTests("prompt-size"),
  },
  {
    name: "bench",
    title: "the benchmark, in which everything must give the same answers",
    needs: ["build"],
    run: () => nodeTests("bench"),
  },
  {
    name: "golden",
    title: "search quality on the golden sets, through the package",
    needs: ["build"],
    run: () => nodeTests("golden"),
  },
  {
    name: "agents",
    title: "agents with real MCP servers",
    needs: ["build"],
    run: () => nodeTests("agents"),
  },
  {
    name: "playground",
    title: "building the playground",
    needs: ["build", "capture"],
    run: () => buildPlayground(),
  },
  {
    name: "site",
    title: "the site: documents, reference and playground, and every link between them",
    needs: ["playground", "find-browser"],
    run: () => nodeTests("site"),
  },
  {
    name: "browser",
    title: "the playground in a real browser",
    needs: ["build", "capture", "playground", "find-browser"],
    run: () => nodeTests("browser"),
  },
];

const cargo = (...args) => run("cargo", args);

/** cargo's flags for the integration tests that are written to run as wasm too. */
function wasmTests() {
  const files = readdirSync(at("tests")).filter((name) => name.endsWith(".rs"));
  const both = files.filter((name) => readFileSync(at("tests", name), "utf8").includes("wasm_bindgen_test"));
  if (both.length === 0) throw new Problem("no file in tests/ uses wasm_bindgen_test");
  return both.flatMap((name) => ["--test", name.slice(0, -".rs".length)]);
}

/** Runs every test file of a folder, one after the other: they start servers and browsers, and the machine is small. */
function nodeTests(folder, env = {}, atOnce = 1) {
  const path = at("tests", folder);
  const files = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".test.mjs")) : [];
  if (files.length === 0) throw new Problem(`tests/${folder} holds no *.test.mjs`);
  const flags = ["--test-reporter=spec", `--test-concurrency=${atOnce}`, `--test-timeout=${TEST_TIMEOUT}`];
  return node("--test", [...flags, ...files.sort().map((name) => at("tests", folder, name))], { env });
}
