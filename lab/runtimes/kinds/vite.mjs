/** Runs the package with Vite: in a page during development, and in a worker of a page. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, by, common } from "../../../tests/runtimes/lib/kinds/vite.mjs";
import { pageKind } from "../../../tests/runtimes/lib/page.mjs";

export const viteDev = pageKind("vite-dev", "Vite, in development", develop, { by });

async function develop(root) {
  const vite = await import("vite");
  const server = await vite.createServer({ ...common(root), server: { host: "127.0.0.1" } });
  await server.listen();
  return { origin: server.resolvedUrls.local[0].replace(/\/$/, ""), close: () => server.close() };
}

/** The page that passes data to the worker and returns the worker's answer. */
const PAGE_OF_WORKER = `
globalThis.toolsiftStart = (data) => new Promise((resolve, reject) => {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = (event) => resolve(event.data);
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage(data);
});
`;
const WORKER = `import { start } from "./start.mjs";
onmessage = async (event) => postMessage(await start(event.data));
`;

export const webWorker = pageKind(
  "web-worker",
  "Vite, in a Worker",
  async (root) => {
    writeFileSync(join(root, "worker.mjs"), WORKER);
    return build(root);
  },
  { by, page: PAGE_OF_WORKER },
);
