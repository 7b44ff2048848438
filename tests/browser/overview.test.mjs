/**
 * The first screen:
 *
 * 1. It opens with the captured tools, or with the example catalog where nothing was captured.
 * 2. It is painted before any script has run, with the numbers of the opening catalog.
 * 3. Its number is what the package says; Play changes it, without a network; the scene shows what is revealed.
 * 4. The page works offline after the first visit, from any path.
 * 5. With many servers the map stays inside itself, and each of its blocks is a tool.
 * 6. Without any tool the page says so.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { dropFiles, ready, withPage } from "./lib/browser.mjs";
import { openMenu } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { catalogSize } from "./lib/reading.mjs";
import { builtFile } from "./lib/site.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { openingCatalog } = await pageModule("model/source.ts");

const OVERVIEW = { hash: "" };

const headline = async (page) => (await page.locator("#headline").innerText()).replaceAll(/\s+/g, " ");

/** The service worker has every file that it keeps. */
async function keptAll(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
}

async function captured() {
  const { servers } = JSON.parse(await builtFile("captured/index.json"));
  const sift = new ToolSift({ contextWindow: 200_000 });
  for (const { server, file } of servers) {
    sift.register(JSON.parse(await builtFile(`captured/${file}`)).tools, { server });
  }
  return sift;
}

test("opens with the tools that were captured", async () => {
  // Then it shows a request with tool search by itself.
  await withPage(stage, { ...OVERVIEW, reducedMotion: "no-preference" }, async (page) => {
    const sift = await captured();
    if (sift.size().tools === 0) return;
    assert.equal(await catalogSize(page), sift.size().tools);
    const { request, full, saved } = sift.session("s").assemble().size;
    const share = `${Math.round(saved.share * 100)} % saved`;
    await page
      .locator("#headline", {
        hasText: `${written(request.tokens)} tokens of tools instead of ${written(full.tokens)}: ${share.replace(" ", "\u00a0")}`,
      })
      .waitFor();
    assert.match(page.url(), /#\/overview$/);
    await page.getByText("npm install toolsift").waitFor();
  });
});

test("opens with the example catalog where nothing was captured", async () => {
  for (const read of [async () => ({ servers: [] }), () => Promise.reject(new Error("captured/index.json: 404"))]) {
    const { kind, sources } = await openingCatalog(read);
    assert.equal(kind, "example");
    assert.equal(sources.flatMap(({ tools }) => tools).length, 60);
  }
});

test("is painted before any script has run", async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(stage.site.address);
    const { full } = (await captured()).session("s").assemble().size;
    if (JSON.parse(await builtFile("captured/index.json")).servers.length > 0) {
      assert.ok((await headline(page)).startsWith(written(full.tokens)));
    }
    assert.ok((await page.locator(".cell.sent").first().getAttribute("d")).length > 1000);
    await page.getByText("npm install toolsift").waitFor();
  } finally {
    await context.close();
  }
});

test("Play shows what is revealed, without a network", async () => {
  await withPage(stage, { ...OVERVIEW, keeps: true }, async (page, context) => {
    await keptAll(page);
    await context.setOffline(true);
    const before = await headline(page);
    await page.getByRole("button", { name: "Play a conversation" }).click();
    await page.locator(".cell.revealed").first().waitFor();
    assert.notEqual(await headline(page), before);
    await page.locator(".headline-span", { hasText: "Scripted so far" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.getByRole("button", { name: "Play a conversation" }).waitFor();
    assert.match(page.url(), /script=/, "what was played is in the address");
    const size = await catalogSize(page);
    await page.reload();
    await ready(page);
    assert.equal(await catalogSize(page), size, "the page opens without a network as well");
  });
});

test("the map of many servers stays inside itself, and each block is a tool", async () => {
  await withPage(stage, OVERVIEW, async (page) => {
    const schema = { type: "object", properties: { id: { type: "string" } } };
    const files = Array.from({ length: 40 }, (_, server) => {
      const tools = Array.from({ length: server === 0 ? 260 : 25 }, (_, index) => ({
        name: `tool_${server}_${index}`,
        description: `Does thing ${index} of server ${server}.`,
        inputSchema: schema,
      }));
      return { name: `server-${server}.json`, text: JSON.stringify(tools) };
    });
    await dropFiles(page, files);
    await page.locator("[data-menu=catalog] .menu-main", { hasText: "1,235" }).waitFor();
    await openMenu(page, "catalog");
    const from = await page.locator(".source").evaluateAll((all) => all.length);
    assert.equal(from, 40);
    await page.keyboard.press("Escape");
    await page.locator(".scene-head").getByRole("radio", { name: "With tool search" }).check();
    await page.locator(".scene[data-mode=with]").waitFor();
    const { inside, blocks } = await page.locator(".scene-frame").evaluate((scene) => {
      const frame = scene.getBoundingClientRect();
      const boxes = [...scene.querySelectorAll("path, text")].map((one) => one.getBoundingClientRect());
      return {
        inside: boxes.every(
          (box) => box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1 && box.left >= frame.left - 1,
        ),
        blocks: [...scene.querySelectorAll("path.deferred")].reduce(
          (sum, path) => sum + path.getAttribute("d").split("M").length - 1,
          0,
        ),
      };
    });
    assert.ok(inside);
    assert.equal(blocks, 1235, "each block is a tool");
    // In the largest server, whose tools leave no gap at any width.
    await page.locator(".map svg[role=img]").hover({ position: { x: 60, y: 200 } });
    const named = page.locator(".map-text", { hasText: /tool_\d+_\d+ \(deferred\): \d+.tokens/ });
    await named.waitFor();

    // The blocks are laid out anew under a pointer that rests: what it rests on is still named.
    const before = await page.locator(".map svg[role=img]").getAttribute("width");
    const { width, height } = page.viewportSize();
    await page.setViewportSize({ width: width - 60, height });
    await page.waitForFunction((was) => document.querySelector(".map svg[role=img]").getAttribute("width") !== was, before);
    await named.waitFor();
  });
});

test("without any tool the page says so", async () => {
  await withPage(stage, { ...OVERVIEW, example: true }, async (page) => {
    await openMenu(page, "catalog");
    for (let left = await page.locator(".source").count(); left > 0; left -= 1) {
      await page.locator(".source .button", { hasText: "Remove" }).first().click();
      await page
        .locator(".source")
        .nth(left - 1)
        .waitFor({ state: "detached" });
    }
    await page.keyboard.press("Escape");
    assert.match(await headline(page), /there are no tools.*nothing to save/);
  });
});

function written(number) {
  return number.toLocaleString("en-US");
}
