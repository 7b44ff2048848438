/** Serves the built playground from a path below the root, as a host of static files would. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../../www/dist", import.meta.url));

/** Below the root, since the page must not rely on being at it. */
const BASE = "/some/where/";

/** `npm run test:browser -- --slow`: by how many milliseconds at most a file of the page, or an answer of its core, comes late. */
export const LATE_BY = Number(process.env.TOOLSIFT_SLOW_PAGE ?? 0);

const CAPTURED = "captured/index.json";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** Starts the server. With `captured: false` it has no tools of real servers, so that the page opens with its example. */
export async function serveSite({ captured = true } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname.startsWith(BASE) ? pathname.slice(BASE.length) || "index.html" : null;
    const file = name === null ? null : normalize(join(dist, name));
    if (LATE_BY) await delay(Math.random() * LATE_BY);
    try {
      if (file === null || !file.startsWith(dist + sep)) throw new Error("no such file");
      const content = name === CAPTURED && !captured ? '{"servers":[]}' : await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const origin = `http://127.0.0.1:${port}`;
  return { origin, address: origin + BASE, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A file of the built page, or null. */
export async function builtFile(name) {
  return readFile(join(dist, name), "utf8").catch(() => null);
}
