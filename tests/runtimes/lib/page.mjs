/** Shared code for pages: a folder, a build step, and a browser that opens the result. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { appFolder } from "./app.mjs";
import { chromiumVersion, html, PAGE, visit } from "./chromium.mjs";
import { serveFolder } from "../../lib/http.mjs";

/** Bytes of code as a server sends it. */
export const gzipped = (content) => gzipSync(content, { level: 9 }).length;

/** Bytes, compressed, of the code among files that were asked for. */
const codeIn = (served) =>
  [...served].reduce((sum, [file, content]) => sum + (/\.(m?js|wasm)$/.test(file) ? gzipped(content) : 0), 0);

/**
 * A kind of page. `make` gets the folder with `main.mjs` and `index.html`, and answers what is to be served: a folder, or
 * `{ origin, close }` of a server of its own. `page` is the source of `main.mjs`, `by` names the tool that made it.
 */
export const pageKind = (name, loader, make, { program, page = PAGE, document = html("/main.mjs"), by } = {}) => ({
  name,
  runtime: "Chromium",
  loader,
  start: async () => {
    const folder = await appFolder({ program });
    writeFileSync(join(folder, "main.mjs"), page);
    writeFileSync(join(folder, "index.html"), document);
    const site = await make(folder);
    const server = typeof site === "string" ? await serveFolder(site) : site;
    return {
      version: [await chromiumVersion(), await by?.()].filter(Boolean).join(", "),
      bytes: server.served && (() => codeIn(server.served)),
      once: () => visit(`${server.origin}/`),
      close: () => server.close(),
    };
  },
});
