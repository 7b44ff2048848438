/** Tests that `npm run site` makes a site that works under any path. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { buildSite, SITE } from "../../scripts/lib/site.mjs";
import { startBrowser } from "../browser/lib/browser.mjs";
import { serveSite } from "../browser/lib/site.mjs";

const BASE = "/some/where/";

/** A test of the built site, which takes a minute to build: `npm run test:all` does it. */
const ofSite = test.runIf(isFull);

beforeAll(() => isFull && buildSite({ base: BASE }));

ofSite("every document is a page and stands in llms.txt, and the playground is there", () => {
  const documents = readdirSync(at("docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
  const places = documents.map((name) => name.replace("README.md", "index.md").replace(/\.md$/, ".html"));
  assert.deepEqual(
    places.filter((place) => !existsSync(join(SITE, "docs", place))),
    [],
  );
  assert.ok(existsSync(join(SITE, "playground", "index.html")));
  const listed = readFileSync(join(SITE, "llms.txt"), "utf8");
  assert.deepEqual(
    places.filter((place) => !listed.includes(`(docs/${place})`)),
    [],
  );
  assert.match(readFileSync(join(SITE, "index.html"), "utf8"), new RegExp(`href="${BASE}playground/index.html"`));
});

ofSite("the playground leads to the documents beside it", async ({ onTestFinished }) => {
  const { origin, close } = await serveSite(SITE, BASE);
  onTestFinished(close);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1366, height: 844 } });
  await page.goto(`${origin}${BASE}playground/index.html`);
  const href = await page
    .getByRole("link", { name: "Docs", exact: true })
    .first()
    .evaluate((link) => link.href);
  assert.equal(href, `${origin}${BASE}index.html`);
  await page.close();
});

ofSite("the pages are quiet, fit a phone, and can be dark", async ({ onTestFinished }) => {
  const { origin, close } = await serveSite(SITE, BASE);
  onTestFinished(close);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const paths = ["index.html", "docs/profiles.html", "docs/adapters/ai-sdk.html", "reference/toolsift/classes/Session.html"];
  for (const [colorScheme, width] of [
    ["light", 1366],
    ["dark", 390],
  ]) {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    const noise = [];
    page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => request.url().startsWith(`${origin}${BASE}`) || noise.push(`request: ${request.url()}`));
    for (const path of paths) {
      await page.goto(`${origin}${BASE}${path}`, { waitUntil: "networkidle" });
      const look = await page.evaluate(() => ({
        sideways: document.documentElement.scrollWidth - window.innerWidth,
        dark: document.documentElement.classList.contains("dark"),
        heading: document.querySelector("h1")?.textContent.trim() ?? "",
      }));
      assert.ok(look.sideways <= 0 && look.heading.length > 0, `${path} at ${width}: ${JSON.stringify(look)}`);
      assert.equal(look.dark, colorScheme === "dark", path);
    }
    assert.deepEqual(noise, []);
    await page.close();
  }
});
