/**
 * The picture of the page, made while it is built:
 *
 * 1. The README has it as it is built, and says what it shows; its numbers are the package's.
 * 2. A link to the page has it as PNG, in the size and with the tags that are asked for.
 * 3. The font of the page weighs less than 40 KB, is fetched early, and is used.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { at } from "../../scripts/lib/paths.mjs";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { withPage } from "./lib/browser.mjs";
import { builtFile } from "./lib/site.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

test("the README has the picture as it is built", async () => {
  const built = await builtFile("scene.svg");
  assert.equal(readFileSync(at("docs", "scene.svg"), "utf8"), built, "npm run figures writes it");
  assert.match(readFileSync(at("README.md"), "utf8"), /!\[Every tool .+\]\(docs\/scene\.svg\)/);
  const sift = new ToolSift();
  for (const { server, tools } of readCatalogs(at("www", "public", "captured"))) sift.register(tools, { server });
  const full = sift.session("s").assemble().size.full.tokens.toLocaleString("en-US");
  assert.ok(built.includes(`>${full}<`), full);
  assert.ok((await builtFile("index.html")).includes(full), "the page opens with the same number");
  sift.dispose();
});

test("a link to the page has a picture", async () => {
  const png = readFileSync(at("www", "dist", "og.png"));
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  const html = await builtFile("index.html");
  for (const tag of ["og:image", "og:image:width", "og:image:alt", "og:title", "og:description"])
    assert.ok(html.includes(`property="${tag}"`), tag);
});

test("the page has a font of its own", async () => {
  await withPage(stage, { hash: "" }, async (page) => {
    const font = await page.evaluate(async () => {
      await document.fonts.ready;
      const [entry] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2"));
      return { used: document.fonts.check("16px Geist"), bytes: entry.encodedBodySize, by: entry.initiatorType };
    });
    assert.deepEqual([font.used, font.by], [true, "link"]);
    assert.ok(font.bytes > 5_000 && font.bytes < 40_000, `${font.bytes} bytes`);
  });
});
