/**
 * The bill of a conversation:
 *
 * 1. Every request has everything that it sends: tools and prompt, and all calls and answers before it. An answer that
 *    reveals nothing still costs.
 * 2. Cached tokens, prices and totals are worked out here once more, from the package's own sizes; prices can be changed.
 * 3. Everything in full needs fewer requests, and is priced in the same way.
 * 4. A request that the model has not answered yet is neither charged nor counted.
 * 5. Prices are those of a model, with date and source; what cannot be an amount is refused with a word.
 * 6. The verdict says from when on tool search pays, or that it does not pay here. Calls that did not run are no saving.
 * 7. It says what a constant surface would cost, and up to which price of a cached token it is cheaper; nothing where the profile
 *    has none.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dropFiles, withPage } from "./lib/browser.mjs";
import { exampleServers, filled } from "./lib/example.mjs";
import { act, chooseProfile, play, search, withSettings } from "./lib/model.mjs";
import { billOf } from "./lib/reading.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { undoneIn } = await pageModule("model/bill.ts");
const { verdictText } = await pageModule("model/verdict-text.ts");

const RATES = { input: 3, cached: 0.3, write: 3.75, output: 15 };
const [CONTEXT, RESULT, WORDS, LEAST] = [500, 300, 60, 1024];
const tokens = (text) => Math.ceil([...text].length / 4);

/** The bill of some calls, written down as plainly as possible. */
function expected(session, calls, cachedRate = RATES.cached) {
  const rows = [];
  let said = CONTEXT;
  let before = null;
  const count = calls.length + 1;
  for (let index = 0; index < count; index += 1) {
    const { tools, systemPrompt, size } = session.assemble();
    const input = size.request.tokens + said;
    const same = before !== null && before.text === JSON.stringify([tools, systemPrompt]);
    const common = same ? before.input : Math.floor(size.prefix.bytes / 4);
    const cached = index > 0 && common >= LEAST ? common : 0;
    const call = calls[index];
    const output = call ? tokens(JSON.stringify({ name: call[0], arguments: call[1] })) : WORDS;
    const rate = input >= LEAST ? RATES.write : RATES.input;
    const price = (cached * cachedRate + (input - cached) * rate + output * RATES.output) / 1e6;
    // The last request is still open.
    if (call) rows.push({ input, cached, output, price });
    before = { text: JSON.stringify([tools, systemPrompt]), input };
    if (call) {
      const outcome = session.call(...call);
      said += output + (outcome.kind === "dispatch" ? RESULT : tokens(outcome.content));
    }
  }
  return rows;
}

const dollars = (value) => `$${value.toFixed(value >= 1 ? 2 : 4)}`;

const CALLS = [
  ["search_tools", { query: "post a message to a channel" }],
  ["show_all_tools", {}],
  ["mcp__slack__send_message", { channel: "example", text: "example" }],
];

async function played(page) {
  await search(page, CALLS[0][1].query);
  await page.getByRole("radio", { name: "show_all_tools" }).check();
  await act(page, () => page.getByRole("button", { name: "Call show_all_tools" }).click());
  await page.getByRole("radio", { name: "a tool of the catalog" }).check();
  await page.locator("#call-tool").fill(CALLS[2][0]);
  await page.locator(".call").getByLabel("arguments").fill(JSON.stringify(CALLS[2][1]));
  await act(page, () => page.locator(".call").getByRole("button", { name: "Call", exact: true }).click());
}

test("the bill is that of the package's sizes, and prices can be changed", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await played(page);
    const rows = expected(filled().session("A"), CALLS);
    const shown = await billOf(page);
    assert.deepEqual(
      shown,
      rows.map((row) => ({ ...row, price: dollars(row.price) })),
    );
    const [, , third] = shown;
    assert.ok(third.input > shown[1].input + 200, "the answer of show_all_tools is in the next request");
    assert.ok(shown.some((row) => row.cached > 0));

    const total = (name) => page.locator(`[data-total='${name}'] td`).allInnerTexts();
    const sum = rows.reduce((all, row) => all + row.price, 0);
    assert.equal((await total("with tool search")).at(-1), dollars(sum));
    assert.equal((await total("all tools in full"))[0], "1", "one call; the answer is not there yet");

    const { full } = filled().session("s").assemble().size;
    const call = tokens(JSON.stringify({ name: CALLS[2][0], arguments: CALLS[2][1] }));
    // What the model searches with is too short to be cached.
    const warm = (full.tokens * 0.3 + CONTEXT * 3.75 + call * 15) / 1e6;
    const told = await page.getByTestId("verdict").innerText();
    const saved = 1 - sum / warm;
    const share = `${Math.round(Math.abs(saved) * 100)} % ${saved > 0 ? "less" : "more"}`;
    assert.ok(told.replaceAll("\u00a0", " ").endsWith(`With a warm cache it costs ${share}.`), `${told} ${sum} ${warm}`);

    await page.getByText("Prices and what is assumed").click();
    await page.getByLabel("The vendor’s prompt cache is used").uncheck();
    await page.getByLabel("Input", { exact: true }).fill("10");
    await page.getByLabel("Output", { exact: true }).fill("0");
    assert.doesNotMatch(await page.getByTestId("verdict").innerText(), /warm cache/);
    const plain = rows.reduce((all, row) => all + (row.input * 10) / 1e6, 0);
    assert.equal((await total("with tool search")).at(-1), dollars(plain));
    const inFull = ((full.tokens + CONTEXT) * 10) / 1e6;
    assert.equal((await total("all tools in full")).at(-1), dollars(inFull));
    await page.getByText("At prices of your own").first().waitFor();
    await page.waitForURL(/prices=/);
    await page.getByLabel("Input", { exact: true }).fill("-5");
    await page.getByText("It is a number from 0 to 1,000,000; 10 stays.").waitFor();
    await page.getByLabel("Prices of").selectOption("Claude Opus 4.6");
    await page
      .getByText(/At the prices of Claude Opus 4\.6, \w+ \d{4}: platform\.claude\.com/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "First prices again" }).click();
    assert.equal((await total("with tool search")).at(-1), dollars(sum));
    assert.ok(call > 0);
  });
});

test("the bill names the cheaper surface", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await played(page);
    const line = page.getByTestId("cheaper-surface");
    // What loads nothing is no part of a conversation whose list never changes.
    const wrapped = ["call_destructive_tool", { name: CALLS[2][0], arguments: CALLS[2][1] }];
    const totals = (cached) => {
      const priceOf = (rows) => rows.reduce((sum, { price }) => sum + price, 0);
      const [session, constant] = [filled().session("A"), filled({ surface: "constant" }).session("A")];
      return [priceOf(expected(session, CALLS, cached)), priceOf(expected(constant, [CALLS[0], wrapped], cached))];
    };
    const more = (cached) => totals(cached).reduce((grows, stays) => stays / grows - 1);
    const difference = (cached) => `${Math.round(Math.abs(more(cached)) * 100)} % ${more(cached) > 0 ? "more" : "less"}`;
    const [at0, at1] = [0, RATES.input].map((cached) => totals(cached).reduce((grows, stays) => stays - grows));
    const below = at0 >= 0 ? "at any price" : at1 <= 0 ? "without a cache" : `${Math.round((at0 / (at0 - at1)) * 100)} %`;
    await line.waitFor();
    const said = async () => (await line.innerText()).replaceAll("\u00a0", " ");
    assert.ok((await said()).includes(`would cost ${difference(RATES.cached)}.`), await said());
    assert.ok((await said()).includes(below), await said());

    await page.getByText("Prices and what is assumed").click();
    await page.getByLabel("Cached input", { exact: true }).fill("2.5");
    assert.ok((await said()).includes(`would cost ${difference(2.5)}.`), await said());
    await chooseProfile(page, "bridge");
    await line.waitFor({ state: "detached" });
  });
});

test("the verdict says from when on it pays, or that it does not", async () => {
  await withPage(stage, {}, async (page) => {
    const verdict = page.getByTestId("verdict");
    assert.equal(await verdict.count(), 0);
    await page.getByLabel("Script").selectOption({ label: "Report a bug" });
    await play(page);
    await page.locator("[data-turn='9']").waitFor();
    assert.match(
      await verdict.innerText(),
      /^In this conversation tool search costs \d+.% less than all tools in full\. With a warm cache it costs \d+.% (less|more)\.$/,
    );

    const [{ tools }] = exampleServers;
    await dropFiles(page, [{ name: "few.json", text: JSON.stringify({ tools: tools.slice(0, 3) }) }]);
    await page.locator("[data-menu=catalog] .menu-main", { hasText: /^3/ }).waitFor();
    // As in the code that the page hands out, so few tools are not deferred, and cost nothing more.
    assert.match(await page.locator(".running").innerText(), /^First request: (\d+) instead of \1 tokens/);
    await withSettings(page, (form) => form.getByLabel("Tool search is").selectOption("on"));
    await search(page, "create issue");
    await act(page, async () => {
      await page.getByRole("radio", { name: "the user" }).check();
      await page.getByLabel("What the user says").fill("Thanks.");
      await page.getByRole("button", { name: "Say it" }).click();
    });
    assert.match(
      await verdict.innerText(),
      /^In this conversation tool search costs \d+.% more than all tools in full\. .*would cost less from about \d+ tools of this size on; there are 3/,
    );
  });
});

test("the chart has a bar for each request, by part", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await played(page);
    const bars = page.locator(".chart svg g[data-bar]");
    await bars.nth(CALLS.length).waitFor();
    const parts = await bars.evaluateAll((all) => all.map((bar) => bar.querySelectorAll("rect.part.revealed").length));
    assert.deepEqual(parts.slice(0, 2), [1, 1], "each bar has its parts");
    const heights = await bars.evaluateAll((all) =>
      all.map((bar) => Number(bar.querySelector("rect.part.revealed").getAttribute("height"))),
    );
    assert.equal(heights[0], 0);
    assert.ok(heights[1] > 0, "what is revealed is drawn");
    // The newest request is not sent yet: neither the bill nor the chart counts it.
    assert.deepEqual(await bars.locator(".turn-label").allTextContents(), ["1", "2", "3", "next"]);
    assert.match(await page.locator(".bill-span").innerText(), /^3.requests so far\. The next is not sent yet\.$/);
  });
});

test("a call that never ran is no saving, and one that ran at last is none of these", () => {
  const call = (tool, outcome) => ({ does: { tool, outcome, query: null } });
  const refused = call("create_invoice", { kind: "refused", error: { code: "tool_unknown" } });
  const ran = call("create_invoice", { kind: "dispatch", modelName: "create_invoice" });
  assert.deepEqual(
    [[refused, { does: "answer" }], [refused, ran], [ran, refused], [{ does: null }]].map(undoneIn),
    [1, 0, 1, 0],
  );
  const { head } = verdictText({ pays: true, undone: 1, share: 0.87, warm: null, from: 1, unit: "request" }, 10);
  assert.match(head, /^1\s+call did not run/);
});
