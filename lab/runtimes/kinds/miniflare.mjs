/** Runs the package in Miniflare, bundled as Cloudflare's own tool does it, with the wasm as a separate module. */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { versionOf } from "../../../scripts/lib/modules.mjs";
import { appFolder, programData } from "../../../tests/runtimes/lib/app.mjs";
import { gzipped } from "../../../tests/runtimes/lib/page.mjs";
import { COMPATIBILITY_DATE, HANDLER } from "../../../tests/runtimes/lib/worker.mjs";

export const miniflare = {
  name: "miniflare",
  runtime: "Miniflare",
  loader: "bundled",
  start: async () => {
    const folder = await appFolder();
    writeFileSync(join(folder, "worker.mjs"), HANDLER);
    const modules = await bundle(folder);
    return {
      version: versionOf("miniflare"),
      bytes: () => modules.reduce((sum, { contents }) => sum + gzipped(contents), 0),
      once: () => ask(modules),
    };
  },
};

async function bundle(folder) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(folder, "worker.mjs")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    external: ["*.wasm"],
    write: false,
    logLevel: "silent",
  });
  const require = createRequire(join(folder, "worker.mjs"));
  const wasm = readFileSync(require.resolve("toolsift/core.wasm"));
  return [
    { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
    { type: "CompiledWasm", path: "toolsift.wasm", contents: wasm },
  ];
}

/** Starts a new worker, sends it one request, and ends it. */
async function ask(modules) {
  const { Miniflare } = await import("miniflare");
  // Without `cf: false`, Miniflare would look up its location over the network.
  const worker = new Miniflare({ modules, compatibilityDate: COMPATIBILITY_DATE, cf: false });
  try {
    const body = JSON.stringify(programData());
    const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body });
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
    return await response.json();
  } finally {
    await worker.dispose();
  }
}
