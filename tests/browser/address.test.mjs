/**
 * What a link holds:
 *
 * 1. The view with its part, prices and the conversation, for whoever opens it.
 * 2. What it cannot hold is said to the sender before copying, and to the receiver.
 * 3. The link of a card holds names and numbers, no definition, and draws the same card elsewhere.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dropFiles, withPage } from "./lib/browser.mjs";
import { dropExample } from "./lib/example.mjs";
import { follow, openMenu } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { readCard } = await pageModule("model/card.ts");

test("the part of a view and the prices are in the address", async () => {
  await withPage(stage, { hash: "#/conversation?prices=input:10,cache:0&tab=request" }, async (page) => {
    await page.locator("[role=tab][aria-selected=true]", { hasText: "Request" }).waitFor();
    await page.getByRole("tab", { name: "Bill" }).click();
    await page.getByText("At prices of your own").first().waitFor();
    await page.waitForURL((url) => !url.hash.includes("tab="));
    await follow(page, "#/catalog?tab=doctor");
    await page.locator(".doctor").waitFor();
    await follow(page, "#/search?tab=many&prices=input:-5");
    await page.locator("textarea.lines").waitFor();
    await page.locator(".notice-line", { hasText: "The prices in the address cannot be read." }).waitFor();
  });
});

test("a link says what it lacks, to its sender and to its receiver", async () => {
  let hash;
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
    ({ hash } = new URL(page.url()));
  });
  await withPage(stage, { hash }, async (page) => {
    await page.locator(".notice-line", { hasText: "The sender of this link had 1\u00a0tool of their own" }).waitFor();
  });
});

test("a card's link draws the same card elsewhere, and holds no definition", async () => {
  const picture = (page) =>
    page.locator(".receipt-picture").evaluate((canvas) => [canvas.width, canvas.height, canvas.toDataURL()]);
  let mine;
  let hash;
  await withPage(stage, { hash: "" }, async (page, context) => {
    await context.grantPermissions(["clipboard-write", "clipboard-read"]);
    await dropExample(page);
    await page.locator(".receipt-picture[aria-label*='The definitions have grade']").waitFor();
    await page.getByRole("button", { name: "Copy its link" }).click();
    await page.getByText("The link is copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    ({ hash } = new URL(link));
    assert.equal(link, stage.site.address + hash);
    mine = await picture(page);
    assert.deepEqual(mine.slice(0, 2), [1200, 630]);
  });
  await withPage(stage, { hash }, async (page) => {
    await page.getByText("Somebody’s tools").waitFor();
    assert.deepEqual(await picture(page), mine, "the same picture");
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator(".receipt").waitFor({ state: "detached" });
  });
  const card = JSON.stringify(await readCard(new URLSearchParams(hash.split("?")[1]).get("card")));
  assert.match(card, /"grade":"[A-E]"/);
  assert.ok(card.includes("calendar") && !/description|inputSchema|find_free/.test(card), card.slice(0, 300));
  assert.equal(await readCard("nonsense"), null);
});
