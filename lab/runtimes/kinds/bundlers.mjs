/** Bundles the package with webpack, esbuild and rollup, each with the smallest possible configuration. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "../../../scripts/lib/modules.mjs";
import { html } from "../../../tests/runtimes/lib/chromium.mjs";
import { importTool, toolVersion } from "../tools.mjs";
import { pageKind } from "../../../tests/runtimes/lib/page.mjs";

/** The page for webpack, which makes a classic script and not a module. */
const CLASSIC = html("main.js").replace('type="module"', "defer");

const by = (name) => ({ by: async () => `${name} ${await toolVersion(name)}` });

export const webpack = pageKind("webpack", "webpack", withWebpack, by("webpack"));

async function withWebpack(folder) {
  const { default: compile } = await importTool("webpack");
  const out = join(folder, "dist");
  await new Promise((resolve, reject) => {
    const options = { context: folder, entry: "./main.mjs", mode: "production", output: { path: out } };
    compile(options, (error, stats) => {
      if (error) reject(error);
      else if (stats.hasErrors()) reject(new Error(stats.toString("errors-only")));
      else resolve();
    });
  });
  writeFileSync(join(out, "index.html"), CLASSIC);
  return out;
}

export const esbuild = pageKind("esbuild", "esbuild", withEsbuild, { by: () => `esbuild ${versionOf("esbuild")}` });

async function withEsbuild(folder) {
  const { build } = await import("esbuild");
  const out = join(folder, "dist");
  await build({ entryPoints: [join(folder, "main.mjs")], bundle: true, minify: true, outdir: out, logLevel: "silent" });
  writeFileSync(join(out, "index.html"), html("/main.js"));
  return out;
}

export const rollup = pageKind("rollup", "rollup", withRollup, by("rollup"));

async function withRollup(folder) {
  const { rollup: bundle } = await importTool("rollup");
  const { nodeResolve } = await importTool("@rollup/plugin-node-resolve");
  const out = join(folder, "dist");
  const bundled = await bundle({ input: join(folder, "main.mjs"), plugins: [nodeResolve()], logLevel: "silent" });
  await bundled.write({ dir: out });
  await bundled.close();
  writeFileSync(join(out, "index.html"), html("/main.js"));
  return out;
}
