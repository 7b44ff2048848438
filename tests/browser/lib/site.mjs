/** Serves a built site from a path below the root, as a host of static files would. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { at } from "../../../scripts/lib/paths.mjs";

const DIST = at("www", "dist");

/** Below the root, since the page must not rely on being at it. */
const BASE = "/some/where/";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

export async function serveSite(dist = DIST, base = BASE) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = normalize(join(dist, pathname.slice(base.length).replace(/(^|\/)$/, "$1index.html")));
    const known = pathname.startsWith(base) && file.startsWith(dist + sep);
    const content = known ? await readFile(file).catch(() => null) : null;
    if (content === null) return void response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, address: origin + base, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A file of the built page, as a request for its address gets it. */
export const builtFile = (address) => readFile(join(DIST, new URL(address).pathname.slice(BASE.length) || "index.html"));
