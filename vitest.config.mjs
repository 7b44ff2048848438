import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { at } from "./scripts/lib/paths.mjs";
import { alias, define, peers, provided, touched } from "./tests/lib/sources.mjs";

/** A project for each folder of tests: what its files share, such as an SDK, is loaded once. */
const FOLDERS = readdirSync(at("tests")).filter((name) => {
  const path = at("tests", name);
  return !name.includes(".") && existsSync(path) && readdirSync(path).some((file) => file.endsWith(".test.mjs"));
});

export default defineConfig({
  plugins: [provided, peers, touched],
  resolve: { alias },
  define,
  test: {
    globalSetup: [at("tests", "lib", "setup.mjs")],
    pool: "forks",
    isolate: false,
    // One more than there are cores: tests wait for other processes now and then.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    // What passes says so in one line a file.
    slowTestThreshold: 300_000,
    silent: "passed-only",
    // Where a step hangs, its test is named after this time instead of the whole run being cut off.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Applications that tests make load their packages as Node does.
    server: { deps: { external: [/\/ts-\w{6}\//] } },
    projects: FOLDERS.map((name) => ({ extends: true, test: { name, include: [`tests/${name}/*.test.mjs`] } })),
  },
});
