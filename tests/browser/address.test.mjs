/**
 * What a link holds:
 *
 * 1. The view with its part, prices and the conversation, for whoever opens it.
 * 2. What it cannot hold is said to the sender before copying, and to the receiver.
 * 3. Back leaves a zoom of the map, and not the page.
 * 4. The link of a card holds names and numbers, no definition, and draws the same card elsewhere.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dropFiles, ready, withPage } from "./lib/browser.mjs";
import { dropExample } from "./lib/example.mjs";
import { openMenu } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { readCard } = await pageModule("model/card.ts");

const open = async (page, hash) => {
  await page.goto("about:blank");
  await page.goto(stage.site.address + hash);
  await ready(page);
};

test("the part of a view and the prices are in the address", async () => {
  await withPage(stage, { hash: "#/conversation?prices=input:10,cache:0&tab=request" }, async (page) => {
    await page.locator("[role=tab][aria-selected=true]", { hasText: "Request" }).waitFor();
    await page.getByRole("tab", { name: "Bill" }).click();
    await page.getByText("At prices of your own").first().waitFor();
    await page.waitForURL((url) => !url.hash.includes("tab="));
    await open(page, "#/catalog?tab=doctor");
    await page.locator(".doctor").waitFor();
    await open(page, "#/search?tab=many&prices=input:-5");
    await page.locator("textarea.lines").waitFor();
    await page.locator(".notice-line", { hasText: "The prices in the address cannot be read." }).waitFor();
  });
});

test("a link says what it lacks, to its sender and to its receiver", async () => {
  await withPage(stage, {}, async (page, context) => {
    await context.grantPermissions(["clipboard-write"]);
    await openMenu(page, "share");
    assert.equal(await page.locator(".share-lacks").count(), 0);
    await page.keyboard.press("Escape");
    await dropFiles(page, [
      { name: "mine.json", text: JSON.stringify([{ name: "mine", inputSchema: { type: "object" } }]) },
    ]);
    await page.locator("[data-menu=catalog] .menu-main", { hasText: /^1\s/ }).waitFor();
    await openMenu(page, "share");
    await page.locator(".share-lacks", { hasText: "Not in it: your 1\u00a0tool" }).waitFor();
    await page.getByRole("button", { name: "Copy the link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const { hash } = new URL(page.url());
    const other = await stage.browser.newContext({ serviceWorkers: "block" });
    const receiver = await other.newPage();
    await receiver.goto(stage.site.address + hash);
    await receiver.locator(".notice-line", { hasText: "The sender of this link had 1\u00a0tool of their own" }).waitFor();
    await other.close();
  });
});

test("Back leaves the zoom, and not the page", async () => {
  await withPage(stage, { hash: "#/catalog?tab=map" }, async (page) => {
    await dropExample(page);
    await page.locator(".big-map").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "All servers" }).waitFor();
    await page.waitForURL(/zoom=/);
    await page.goBack();
    await page.getByRole("button", { name: "All servers" }).waitFor({ state: "detached" });
    await page.locator(".big-map").waitFor();
  });
});

test("a card's link draws the same card elsewhere, and holds no definition", async () => {
  await withPage(stage, { hash: "", bypassCSP: true }, async (page, context) => {
    await context.grantPermissions(["clipboard-write", "clipboard-read"]);
    await dropExample(page);
    const picture = (from) =>
      from.locator(".receipt-picture").evaluate((canvas) => [canvas.width, canvas.height, canvas.toDataURL()]);
    await page.locator(".receipt-picture[aria-label*='The definitions have grade']").waitFor();
    await page.getByRole("button", { name: "Copy its link" }).click();
    await page.getByText("The link is copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const mine = await picture(page);
    assert.deepEqual(mine.slice(0, 2), [1200, 630]);
    const other = await stage.browser.newContext({ serviceWorkers: "block" });
    const receiver = await other.newPage();
    await receiver.goto(link);
    await receiver.getByText("Somebody’s tools").waitFor();
    const drawn = await picture(receiver);
    const holds = async (card) => JSON.stringify(await readCard(card));
    const card = await holds(new URLSearchParams(new URL(link).hash.split("?")[1]).get("card"));
    await receiver.getByRole("button", { name: "Close" }).click();
    await receiver.locator(".receipt").waitFor({ state: "detached" });
    await other.close();
    assert.equal(drawn[2], mine[2], "the same picture");
    assert.match(card, /"grade":"[A-E]"/);
    assert.ok(card.includes("calendar") && !/description|inputSchema|find_free/.test(card), card.slice(0, 300));
  });
  assert.equal(await readCard("nonsense"), null);
});
