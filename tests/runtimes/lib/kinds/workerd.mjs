/** Runs the package in Cloudflare's workerd, bundled as wrangler does it, with the wasm as a separate module. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "../../../../scripts/lib/modules.mjs";
import { bundleWorker, runWorker } from "../../../lib/workerd.mjs";
import { appFolder, programData } from "../app.mjs";
import { gzipped } from "../page.mjs";

const HANDLER = `import { start } from "./start.mjs";
export default { fetch: async (request) => Response.json(await start(await request.json())) };
`;

export const workerd = {
  name: "workerd",
  runtime: "workerd",
  loader: "bundled",
  start: async () => {
    const folder = await appFolder();
    const dist = join(folder, "dist");
    const file = join(dist, "worker.js");
    writeFileSync(join(folder, "worker.mjs"), HANDLER);
    await bundleWorker(join(folder, "worker.mjs"), file, { minify: true });
    return {
      version: versionOf("workerd"),
      bytes: () => readdirSync(dist).reduce((sum, name) => sum + gzipped(readFileSync(join(dist, name))), 0),
      once: () => askWorker(file, programData()),
    };
  },
};

/** Starts a worker in a process of its own, sends it one request, and ends it. Returns the response's JSON. */
export async function askWorker(file, body) {
  const worker = runWorker(file);
  try {
    const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
    return await response.json();
  } finally {
    await worker.dispose();
  }
}
