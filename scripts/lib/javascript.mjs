/** Runs the checks of JavaScript and TypeScript: Biome, knip, the TypeScript compiler and vitest. */

import { buildBundles } from "./bundle.mjs";
import { at } from "./paths.mjs";
import { node } from "./run.mjs";

const program = (...path) => at("node_modules", ...path);
const biome = (...args) => node(program("@biomejs", "biome", "bin", "biome"), args);

export const format = () => biome("format");

/** Finds mistakes that the types allow, such as a promise that nobody awaits, and unused exports. */
export const lint = () => Promise.all([biome("lint", "--error-on-warnings"), node(program("knip", "bin", "knip.js"), [])]);

/** Checks the types of both packages and of the pages. The command line and the playground use the built package. */
export async function types() {
  await buildBundles();
  const tsc = program("typescript", "bin", "tsc");
  for (const project of ["pkg", "cli", "www"]) await node(tsc, ["--noEmit", "-p", at(project)]);
}

export const vitest = (args, options) => node(program("vitest", "vitest.mjs"), args, options);
