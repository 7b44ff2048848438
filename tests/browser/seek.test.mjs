/**
 * The search for everything on the page:
 *
 * 1. Ctrl+K, ⌘K and a button open it, Escape closes it, and the focus returns. It works by keyboard alone.
 * 2. Views, parts of views, ways to bring tools, profiles, every setting that is offered, servers and tools are reached by name.
 * 3. Tools are also found by what they do; any text can be taken to the search lab.
 * 4. What begins with the text comes first, and entries must have every word.
 * 5. An address leads to one tool.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ready, withPage } from "./lib/browser.mjs";
import { openMenu } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { matching } = await pageModule("model/everything.ts");

const field = (page) => page.getByRole("combobox", { name: "What to go to" });
const chosen = (page) => page.locator(".seek-dialog [aria-selected=true]");

/** Types a text and goes to what it finds first. */
async function reach(page, text, first = text) {
  await page.keyboard.press("Control+k");
  await field(page).fill(text);
  await chosen(page).filter({ hasText: first }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".seek-dialog").waitFor({ state: "detached" });
}

test("keys and a button open it, Escape closes it, and arrows choose", async () => {
  await withPage(stage, {}, async (page) => {
    const button = page.getByRole("button", { name: "Go to anything on this page" });
    await button.focus();
    for (const open of [() => page.keyboard.press("Meta+k"), () => page.keyboard.press("Control+k"), () => button.click()]) {
      await open();
      await field(page).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".seek-dialog").waitFor({ state: "detached" });
      await button.and(page.locator(":focus")).waitFor();
    }
    await page.keyboard.press("Control+k");
    assert.equal(await field(page).getAttribute("aria-activedescendant"), await chosen(page).getAttribute("id"));
    const first = await chosen(page).innerText();
    await page.keyboard.press("ArrowDown");
    await chosen(page).filter({ hasText: "Conversation" }).waitFor();
    assert.equal(await field(page).getAttribute("aria-activedescendant"), await chosen(page).getAttribute("id"));
    await page.keyboard.press("ArrowUp");
    assert.equal(await chosen(page).innerText(), first);
  });
});

test("everything is reached by its name", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await reach(page, "Compare");
    await page.locator("main[data-view=compare]").waitFor();
    await reach(page, "doctor what", "Doctor: what is wrong");
    await page.locator("main[data-view=catalog] .doctor").waitFor();
    await reach(page, "tools gallery", "Gallery");
    await page.locator(".own .gallery").waitFor();
    await reach(page, "select-load");
    await page.locator("[data-menu=profile] .menu-main", { hasText: /^select-load$/ }).waitFor();
    await reach(page, "slack");
    await page.locator("main[data-view=catalog] .crumbs", { hasText: "slack" }).waitFor();
    await reach(page, "mcp__weather__get_tides");
    await page.locator("[data-tool=mcp__weather__get_tides] .tool-details").waitFor();
    await page.reload();
    await ready(page);
    await page.locator("[data-tool=mcp__weather__get_tides] .tool-details").waitFor();
  });
});

test("every setting that is offered gets the focus", async () => {
  await withPage(stage, {}, async (page) => {
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    const titles = page.locator(".seek-dialog li", { has: page.locator(".seek-sort", { hasText: "setting" }) });
    const names = await titles.locator("span:first-child").allInnerTexts();
    await page.keyboard.press("Escape");
    await page.locator(".seek-dialog").waitFor({ state: "detached" });
    assert.ok(names.length >= 12, names.join());
    for (const name of names) {
      await reach(page, name);
      await page.locator(".settings").getByLabel(name, { exact: true }).and(page.locator(":focus")).waitFor();
    }
    await openMenu(page, "profile");
  });
});

test("tools are found by what they do, and any text goes to the search lab", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await page.keyboard.press("Control+k");
    await field(page).fill("tell everybody in the channel");
    await page.locator(".seek-dialog li", { hasText: "mcp__slack__send_message" }).waitFor();
    await page.locator(".seek-dialog li", { hasText: "with every ranker" }).click();
    await page.locator("main[data-view=search]").waitFor();
    assert.equal(await page.locator(".lab-query").inputValue(), "tell everybody in the channel");
  });
});

test("what begins with the text comes first, and every word must be there", () => {
  const entries = ["reissue", "list_issues", "Issues", "other"].map((title) => ({ title, detail: "tool" }));
  const titles = (text) => matching(entries, text).map(({ title }) => title);
  assert.deepEqual(titles("issue"), ["Issues", "list_issues", "reissue"]);
  assert.deepEqual(titles("ISSUE list"), ["list_issues"]);
  assert.deepEqual(titles("tool oth"), ["other"]);
  assert.equal(titles(" ").length, 4);
});
