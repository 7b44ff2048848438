/**
 * The playground with 46 servers and 1,130 tools: those of ../shared/catalogs where they are, or as many made up.
 *
 * 1. All files are taken at once, each server from its own file, and every tool is on the map.
 * 2. A search is answered while the comparison of all profiles still runs.
 * 3. Every view and every profile shows what it has to say about them, quietly.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { dropFiles, finished, withPage } from "../lib/browser.mjs";
import { catalogFiles } from "../lib/catalogs.mjs";
import { chooseProfile, goTo, openMenu, play, search } from "../lib/model.mjs";
import { catalogSize, turnsOf } from "../lib/reading.mjs";
import { onStage } from "../lib/stage.mjs";

const stage = onStage();

const { files } = catalogFiles();

async function dropAll(page) {
  await dropFiles(page, files);
  await page.locator("[data-menu=catalog] .menu-main", { hasText: /^1,\d+/ }).waitFor();
}

test("all files at once", async () => {
  await withPage(stage, { hash: "#/overview" }, async (page) => {
    await dropAll(page);
    await openMenu(page, "catalog");
    const sources = await page.locator(".source").evaluateAll((all) => all.map((one) => one.textContent));
    assert.ok(sources.length >= files.length - 1, `${sources.length} servers`);
    for (const text of sources)
      assert.ok((text.match(/\.json/g) ?? []).length <= 1, `one source each: ${text.slice(0, 80)}`);
    await page.keyboard.press("Escape");
    await page.locator(".scene-head").getByRole("radio", { name: "With tool search" }).check();
    const blocks = await page.locator(".scene path.deferred").getAttribute("d");
    assert.equal(blocks.split("M").length - 1, await catalogSize(page));
  });
});

test("a search is answered while the comparison runs", async () => {
  await withPage(stage, {}, async (page) => {
    await dropAll(page);
    await goTo(page, "Compare");
    await page.locator("[role=status]", { hasText: "Playing" }).waitFor();
    await goTo(page, "Conversation");
    await search(page, "create an issue");
    await goTo(page, "Compare");
    const waiting = await page.locator(".compare [role=status]").innerText();
    assert.match(waiting, /Playing/, "the search came first");
    await page.locator("[data-price-bar='all tools in full']", { hasText: "$" }).waitFor();
  });
});

test("every view and profile, quietly", async () => {
  await withPage(stage, {}, async (page) => {
    await dropAll(page);
    for (const view of ["Overview", "Search lab", "Catalog & doctor", "Use it", "Conversation"]) {
      await goTo(page, view);
      await page.locator("main > section, main > div").first().waitFor();
      await finished(page);
    }
    await page.getByLabel("Script").selectOption({ index: 1 });
    await play(page);
    await page.locator(".verdict.dispatch").nth(1).waitFor({ timeout: 40_000 });
    for (const { name } of ToolSift.profiles()) {
      await chooseProfile(page, name);
      assert.equal(await page.locator(".verdict.refused, .verdict.wrong").count(), 0, name);
      assert.ok((await turnsOf(page)).length > 3, name);
    }
  });
});
