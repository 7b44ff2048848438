/** Serves one folder to the browser, and counts what a page loads. */

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const CODE = [".js", ".mjs", ".wasm"];

/** Bytes of code as a server sends it. */
export const gzipped = (content) => gzipSync(content, { level: 9 }).length;

/** Serves a folder; `loaded` answers the bytes, compressed, of the code that was asked for. */
export async function serve(folder) {
  const code = new Map();
  const server = createServer(({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void response.writeHead(404).end();
    const content = readFileSync(file);
    if (CODE.includes(extname(file)) && !code.has(file)) code.set(file, gzipped(content));
    const type = TYPES[extname(file)] ?? "text/plain";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    loaded: () => [...code.values()].reduce((sum, bytes) => sum + bytes, 0),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
