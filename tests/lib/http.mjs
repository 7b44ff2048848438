/** HTTP servers on this machine, for tests. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

/** A server, until it is closed or the tests end: `{ url, close }`. `more` are listeners of other events. */
export async function httpServer(handler, more = {}) {
  const server = createServer(handler);
  for (const [name, listener] of Object.entries(more)) server.on(name, listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * Serves the files of a folder below a path, as a host of static files would: `{ origin, address, served, close }`, where `served` are
 * the contents that were asked for, by file. `headersOf(url)` are further headers of each answer.
 */
export async function serveFolder(folder, { base = "/", headersOf = () => ({}) } = {}) {
  const served = new Map();
  const { url: origin, close } = await httpServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const file = normalize(join(folder, url.pathname.slice(base.length).replace(/(^|\/)$/, "$1index.html")));
    const isInside = url.pathname.startsWith(base) && file.startsWith(folder + sep);
    const content = isInside ? await readFile(file).catch(() => null) : null;
    if (content === null) return void response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    served.set(file, content);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store", ...headersOf(url) }).end(content);
  });
  return { origin, address: origin + base, served, close };
}
