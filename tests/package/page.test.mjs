/**
 * Does the installed package run in a page, as it is, without a bundler?
 * 1. `import` of its main file tells the same story as everywhere.
 * 2. `toolsift/slim` streams the wasm that lies beside it.
 * 3. A page whose policy forbids wasm gets `wasm_unavailable` and the word that it must allow.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, provideBrowser } from "../../scripts/browser.mjs";
import { install, pack } from "./installed.mjs";
import { expected, TOUR } from "./tour.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

const PAGES = {
  "/import": {
    policy: "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
    script: `import { ToolSift } from "/dist/index.js";\n${TOUR}\nwindow.told = tour;`,
  },
  "/slim": {
    policy: "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
    script: `import { init, ToolSift } from "/dist/slim.js";\nawait init();\n${TOUR}\nwindow.told = tour;`,
  },
  "/forbidden": {
    policy: "script-src 'self' 'unsafe-inline'",
    script: `import { ToolSift } from "/dist/index.js";
      try { new ToolSift(); } catch ({ code, message }) { window.told = { code, message }; }`,
  },
};

let server;
let browser;

before(async () => {
  const { home } = await install();
  server = createServer(async ({ url }, response) => {
    if (PAGES[url]) {
      const headers = { "content-type": "text/html", "content-security-policy": PAGES[url].policy };
      response.writeHead(200, headers).end(`<script type="module">${PAGES[url].script}</script>`);
      return;
    }
    try {
      const content = await readFile(join(home, url));
      response.writeHead(200, { "content-type": TYPES[extname(url)] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
});

after(async () => {
  await browser?.close();
  server.close();
});

/** Opens a page and answers what it left. */
async function told(path) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
  await page.waitForFunction(() => window.told !== undefined, undefined, { timeout: 20_000 }).catch(() => {});
  const value = await page.evaluate(() => window.told);
  await page.close();
  assert.deepEqual(errors, []);
  return value;
}

test("a page imports the package", async () => {
  assert.deepEqual(await told("/import"), expected((await pack()).version));
});

test("a page streams the wasm of the slim entry", async () => {
  assert.deepEqual(await told("/slim"), expected((await pack()).version));
});

test("a page whose policy forbids wasm is told what to allow", async () => {
  const { code, message } = await told("/forbidden");
  assert.equal(code, "wasm_unavailable");
  assert.match(message, /Content-Security-Policy must allow 'wasm-unsafe-eval'/);
});
