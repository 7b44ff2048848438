/** Runs the package in Vercel's edge runtime, bundled as Vercel does it: an import with `?module` gives compiled wasm. */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../../scripts/lib/run.mjs";
import { appFolder, programData } from "../../../tests/runtimes/lib/app.mjs";
import { gzipped } from "../../../tests/runtimes/lib/page.mjs";
import { provideTools, toolVersion } from "../tools.mjs";

/** The program that compiles the wasm, starts the runtime with the bundle and the wasm, and sends one request. */
const LAUNCH = (edgeRuntime) => `
import { readFileSync } from "node:fs";
import { EdgeRuntime } from ${JSON.stringify(edgeRuntime)};
const compiled = new WebAssembly.Module(readFileSync("toolsift.wasm"));
const extend = (context) => Object.assign(context, { toolsiftWasm: compiled });
const runtime = new EdgeRuntime({ initialCode: readFileSync("bundle.js", "utf8"), extend });
const body = readFileSync("data.json", "utf8");
const response = await runtime.dispatchFetch("http://localhost/", { method: "POST", body });
console.log(await response.text());
`;

const HANDLER = `import { start } from "./start.mjs";
addEventListener("fetch", (event) => {
  event.respondWith((async () => Response.json(await start(await event.request.json())))());
});
`;

export const edgeRuntime = {
  name: "edge-runtime",
  runtime: "edge-runtime",
  loader: "bundled",
  start: async () => {
    const tools = await provideTools();
    const folder = await appFolder();
    const wasm = await bundle(folder);
    writeFileSync(join(folder, "toolsift.wasm"), wasm);
    writeFileSync(join(folder, "data.json"), JSON.stringify(programData()));
    const entry = createRequire(join(tools, "package.json")).resolve("edge-runtime");
    writeFileSync(join(folder, "launch.mjs"), LAUNCH(pathToFileURL(entry).href));
    return {
      version: await toolVersion("edge-runtime"),
      bytes: () => gzipped(readFileSync(join(folder, "bundle.js"))) + gzipped(wasm),
      once: async () => JSON.parse((await run(process.execPath, ["launch.mjs"], { cwd: folder })).stdout),
    };
  },
};

/** Bundles a handler, and returns the wasm file that it imports. */
async function bundle(folder) {
  const { build } = await import("esbuild");
  let wasm;
  const compiled = {
    name: "wasm-module",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => {
        wasm = readFileSync(resolve(resolveDir, path.replace("?module", "")));
        return { path, namespace: "wasm-module" };
      });
      onLoad({ filter: /.*/, namespace: "wasm-module" }, () => ({ contents: "export default globalThis.toolsiftWasm;" }));
    },
  };
  writeFileSync(join(folder, "handler.mjs"), HANDLER);
  await build({
    entryPoints: [join(folder, "handler.mjs")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    conditions: ["edge-light"],
    plugins: [compiled],
    outfile: join(folder, "bundle.js"),
    logLevel: "silent",
  });
  return wasm;
}
