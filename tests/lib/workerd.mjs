/** Runs Workers as wrangler does: bundled by esbuild, and run in workerd by Miniflare. */

import { dirname } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { at } from "../../scripts/lib/paths.mjs";

/** Bundles a worker into a file. `entry` is a file, or esbuild's `stdin`; `more` are further settings of esbuild. */
export const bundleWorker = (entry, outfile, { loader, ...more } = {}) =>
  build({
    ...(typeof entry === "string" ? { entryPoints: [entry] } : { stdin: entry }),
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    // By wrangler's rules, wasm and assets stay files of their own.
    loader: { ".wasm": "copy", ".index": "copy", ...loader },
    nodePaths: [at("node_modules")],
    logLevel: "silent",
    ...more,
  });

/** Runs a bundled worker; `more` are further settings of Miniflare. */
export const runWorker = (file, more = {}) =>
  new Miniflare({
    cf: false,
    modules: true,
    scriptPath: file,
    modulesRoot: dirname(file),
    modulesRules: [
      { type: "CompiledWasm", include: ["**/*.wasm"] },
      { type: "Data", include: ["**/*.index"] },
      { type: "ESModule", include: ["**/*.js"] },
    ],
    compatibilityDate: "2026-04-01",
    ...more,
  });
