/**
 * Tests what a visit loads: first a complete page without the wasm. The wasm and the tools are loaded when the visitor does
 * something, and nothing else is loaded. Without scripts, the page still shows the first answer.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { gzipSync } from "node:zlib";
import { ask, dropFiles, onStage, withPage } from "./lib/browser.mjs";
import { builtFile } from "./lib/site.mjs";

const stage = onStage();

/** The names of files, without the icon, for which browsers ask when they have time. */
const namesOf = (addresses) =>
  addresses
    .map((address) => address.replace(/^.*\/|-[\w-]{8}(?=\.)/g, ""))
    .filter((name) => name !== "icon.svg")
    .toSorted();

/** What these addresses weigh as a host sends them, in KB, without the wasm: `npm run size` has a limit for that. */
async function weight(addresses) {
  const files = await Promise.all([...new Set(addresses)].filter((one) => !one.endsWith(".wasm")).map(builtFile));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1000;
}

test("the first load is small, the core comes when it is needed, and nothing else does", async () => {
  await withPage({}, async (page, { requests }) => {
    await page.waitForLoadState("networkidle");
    const first = [...requests];
    assert.ok((await weight(first)) < 60, `${await weight(first)} KB before anything is done`);
    await ask(page, "catch up on what people said yesterday");
    await page.waitForLoadState("networkidle");
    // What the worker shares with the packs, which it loads on demand, is a file of its own.
    const loaded = namesOf(requests.slice(first.length)).filter((name) => !name.startsWith("shared-"));
    assert.deepEqual(loaded, ["sample.json", "toolsift.wasm", "worker.js"]);
    assert.ok((await weight(requests)) < 125, `${await weight(requests)} KB with the core`);
    const known = requests.length;
    await ask(page, "order a pizza");
    assert.deepEqual(namesOf(requests.slice(known)), []);
    await dropFiles(page, [
      {
        name: "mcp.json",
        text: '{ "mcpServers": { "notes": { "command": "npx", "args": ["@notionhq/notion-mcp-server"] } } }',
      },
    ]);
    await page.getByText("Your 1 server").waitFor();
    assert.deepEqual(namesOf(requests.slice(known)), ["notion.js", "packs.js", "servers.json", "translations.en.js"]);
  });
});

test("without scripts the first answer is there", async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(stage.site.address);
  await page.locator(".timeline > li", { hasText: "The model calls create_issue" }).waitFor();
  assert.equal(await page.locator(".block.loaded").count(), 2);
  await context.close();
});
