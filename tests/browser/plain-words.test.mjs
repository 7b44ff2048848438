/**
 * The default profile on the page, beside the package in Node:
 *
 * 1. What is said in plain words is loaded at once; the rest stands in the answer's order and is added by its name.
 * 2. A call that comes too early is told the parameters, and the second attempt runs.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./lib/browser.mjs";
import { dropExample, filled } from "./lib/example.mjs";
import { newestAnswer, search } from "./lib/model.mjs";
import { turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

test("what is said in plain words is loaded at once, and agrees with the package", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await search(page, "post a message to a channel");
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();
    const session = filled().session("A");
    const first = session.assemble();
    const { content, revealed } = session.call("search_tools", { query: "post a message to a channel" });
    const next = session.assemble();
    assert.ok(revealed.includes("mcp__slack__send_message"));
    assert.deepEqual(
      (await turnsOf(page)).map(({ tokens }) => tokens),
      [first, next].map(({ size }) => size.request.tokens),
    );
    assert.equal(await newestAnswer(page), content);
    const listed = [...content.matchAll(/^- ([^(]+)\(/gm)].map(([, name]) => name);
    const rows = await page.locator(".results .row").evaluateAll((all) => all.map((row) => row.dataset.row));
    assert.ok(rows.length > 1);
    assert.deepEqual(rows, listed.slice(0, rows.length));
    assert.equal(await page.locator(".tool .state.revealed").count(), revealed.length);
    const last = listed.at(-1);
    await page.getByRole("button", { name: /^Show all/ }).first().click();
    await page.getByRole("button", { name: `Add ${last}` }).click();
    await page.locator(`[data-tool='${last}'] .state.revealed`).waitFor();

    await page.getByRole("radio", { name: "show_all_tools" }).check();
    await page.getByRole("button", { name: "Call show_all_tools" }).click();
    await page.locator(".results-title", { hasText: /^60.tools$/ }).waitFor();
  });
});

test("a call that comes too early loads the tool, and the second attempt runs", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await page.getByLabel("Filter").fill("get_tides");
    await page.locator("[data-tool='mcp__weather__get_tides'] .tool-line").click();
    await page.getByRole("button", { name: "Call it" }).click();
    const call = page.locator(".call").getByRole("button", { name: "Call" });
    await call.click();
    await page.locator(".verdict.refused").waitFor();
    assert.match(await newestAnswer(page), /It is loaded now; its parameters are \{.*"harbour"/);
    await call.click();
    await page.locator(".verdict.dispatch").waitFor();
  });
});
