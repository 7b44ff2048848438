/** Tests the package on a page with a strict Content-Security-Policy. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, provideBrowser } from "../../scripts/browser.mjs";
import { serveFolder } from "../lib/http.mjs";
import { install, pack } from "../package/installed.mjs";
import { expected, TOUR } from "../package/tour.mjs";

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
  for (const [name, source] of Object.entries(SCRIPTS)) {
    writeFileSync(join(home, `policy-${name}.mjs`), source);
    writeFileSync(join(home, `policy-${name}.html`), `<script type="module" src="/policy-${name}.mjs"></script>`);
  }
  const headersOf = ({ searchParams }) => ({ "content-security-policy": searchParams.get("policy") ?? "" });
  server = await serveFolder(home, { headersOf });
  browser = await chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
});

afterAll(async () => {
  await browser?.close();
  await server.close();
});

/** What a script leaves under a policy. */
async function under(policy, script) {
  const page = await browser.newPage();
  try {
    await page.goto(`${server.address}policy-${script}.html?${new URLSearchParams({ policy })}`);
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
