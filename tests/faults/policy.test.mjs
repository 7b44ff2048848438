/** What if a page's Content-Security-Policy is strict? */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, provideBrowser } from "../../scripts/browser.mjs";
import { install, pack } from "../package/installed.mjs";
import { expected, TOUR } from "../package/tour.mjs";

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const WITHOUT_WASM = "default-src 'none'; script-src 'self'; connect-src 'self'";

const TOLD = `const told = ({ code, message }) => ({ code, message });
const attempt = (use) => { try { return use(); } catch (error) { return told(error); } };`;

const SCRIPTS = {
  import: `import { ToolSift } from "/dist/index.js";\n${TOUR}\nglobalThis.told = tour;`,
  slim: `import { init, ToolSift } from "/dist/slim.js";\nawait init();\n${TOUR}\nglobalThis.told = tour;`,
  "import-uses": `import { ToolSift } from "/dist/index.js";\n${TOLD}
    globalThis.told = [attempt(() => new ToolSift()), attempt(() => ToolSift.profiles()), attempt(() => new ToolSift())];`,
  "slim-uses": `import { init, ToolSift } from "/dist/slim.js";\n${TOLD}
    globalThis.told = [await init().catch(told), await init().catch(told)];
    globalThis.unready = attempt(() => new ToolSift());`,
};

let server;
let browser;

beforeAll(async () => {
  const { home } = await install();
  for (const [name, source] of Object.entries(SCRIPTS)) writeFileSync(join(home, `policy-${name}.mjs`), source);
  server = createServer(async ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/") {
      const headers = { "content-type": "text/html", "content-security-policy": searchParams.get("policy") };
      const script = `<script type="module" src="/policy-${searchParams.get("script")}.mjs"></script>`;
      return void response.writeHead(200, headers).end(script);
    }
    try {
      const content = await readFile(join(home, pathname));
      response.writeHead(200, { "content-type": TYPES[extname(pathname)] }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
});

afterAll(async () => {
  await browser?.close();
  server.close();
});

/** What a script leaves under a policy. */
async function under(policy, script) {
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/?${new URLSearchParams({ policy, script })}`);
    // Asked for again and again from outside: what waits inside of the page would be evaluated there, which is forbidden.
    for (let patience = 200; patience > 0; patience--) {
      const { told, unready } = await page.evaluate(() => ({ told: globalThis.told, unready: globalThis.unready }));
      if (told !== undefined) return { told, unready };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the script ${script} left nothing`);
  } finally {
    await page.close();
  }
}

for (const script of ["import", "slim"]) {
  test(`${script} under a strict policy that allows wasm`, async () => {
    const { told } = await under(STRICT, script);
    assert.deepEqual(told, expected((await pack()).version));
  });

  test(`${script} under one that does not, again and again`, async () => {
    const { told, unready } = await under(WITHOUT_WASM, `${script}-uses`);
    for (const { code, message } of told) {
      assert.equal(code, "wasm_unavailable");
      assert.match(message, /Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src/);
      assert.equal(message, told[0].message);
    }
    assert.ok(told.length >= 2);
    if (script === "slim") assert.match(unready.message, /call `await init\(\)`/);
  });
}
