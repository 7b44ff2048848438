/**
 * The bill of a conversation:
 *
 * 1. Every request has everything that it sends: tools and prompt, and all calls and answers before it. An answer that
 *    reveals nothing still costs.
 * 2. Cached tokens, prices and totals are worked out here once more, from the package's own sizes; prices can be changed.
 * 3. Everything in full needs fewer requests, and is priced in the same way.
 * 4. The verdict says from when on tool search pays, or that it does not pay here.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dropFiles, withPage } from "./lib/browser.mjs";
import { dropExample, exampleServers, filled } from "./lib/example.mjs";
import { act, search } from "./lib/model.mjs";
import { billOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

const RATES = { input: 3, cached: 0.3, write: 3.75, output: 15 };
const [CONTEXT, RESULT, WORDS, LEAST] = [500, 300, 60, 1024];
const tokens = (text) => Math.ceil([...text].length / 4);

/** The bill of some calls, written down as plainly as possible. */
function expected(session, calls) {
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
    const rate = index < count - 1 && input >= LEAST ? RATES.write : RATES.input;
    const price = (cached * RATES.cached + (input - cached) * rate + output * RATES.output) / 1e6;
    rows.push({ input, cached, output, price });
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
  await dropExample(page);
  await search(page, CALLS[0][1].query);
  await page.getByRole("radio", { name: "show_all_tools" }).check();
  await act(page, () => page.getByRole("button", { name: "Call show_all_tools" }).click());
  await page.getByRole("radio", { name: "a tool of the catalog" }).check();
  await page.locator("#call-tool").fill(CALLS[2][0]);
  await page.locator(".call").getByLabel("arguments").fill(JSON.stringify(CALLS[2][1]));
  await act(page, () => page.locator(".call").getByRole("button", { name: "Call", exact: true }).click());
}

test("the bill is that of the package's sizes, and prices can be changed", async () => {
  await withPage(stage, {}, async (page) => {
    await played(page);
    const rows = expected(filled().session("A"), CALLS);
    const shown = await billOf(page);
    assert.deepEqual(shown, rows.map((row) => ({ ...row, price: dollars(row.price) })));
    const [, , third] = shown;
    assert.ok(third.input > shown[1].input + 200, "the answer of show_all_tools is in the next request");
    assert.ok(shown.some((row) => row.cached > 0));

    const total = (name) => page.locator(`[data-total='${name}'] td`).allInnerTexts();
    const sum = rows.reduce((all, row) => all + row.price, 0);
    assert.equal((await total("with tool search")).at(-1), dollars(sum));
    assert.equal((await total("everything in full"))[0], "2", "one call and one answer");

    await page.getByText("Prices and what is assumed").click();
    await page.getByLabel("The vendor’s prompt cache is used").uncheck();
    await page.getByLabel("Input", { exact: true }).fill("10");
    await page.getByLabel("Output", { exact: true }).fill("0");
    const plain = rows.reduce((all, row) => all + (row.input * 10) / 1e6, 0);
    assert.equal((await total("with tool search")).at(-1), dollars(plain));
    const { full } = filled().session("s").assemble().size;
    const call = tokens(JSON.stringify({ name: CALLS[2][0], arguments: CALLS[2][1] }));
    const inFull = ((full.tokens + CONTEXT + full.tokens + CONTEXT + call + RESULT) * 10) / 1e6;
    assert.equal((await total("everything in full")).at(-1), dollars(inFull));
    await page.getByRole("button", { name: "Example prices again" }).click();
    assert.equal((await total("with tool search")).at(-1), dollars(sum));
  });
});

test("the verdict says from when on it pays, or that it does not", async () => {
  await withPage(stage, {}, async (page) => {
    const verdict = page.getByTestId("verdict");
    assert.match(await verdict.innerText(), /No call yet/);
    await page.getByLabel("Script").selectOption({ label: "Report a bug" });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.locator("[data-turn='9']").waitFor();
    assert.match(await verdict.innerText(), /Tool search pays here from the first turn on: \d+.% less\. .*from about \d+ tools of this size; there are/);

    const [{ tools }] = exampleServers;
    await dropFiles(page, [{ name: "few.json", text: JSON.stringify({ tools: tools.slice(0, 3) }) }]);
    await page.locator("[data-menu=catalog] .menu-main", { hasText: /^3/ }).waitFor();
    await search(page, "create issue");
    assert.match(await verdict.innerText(), /Tool search does not pay here\. It costs \d+.% more .*It would pay from about \d+ tools of this size; there are 3/);
  });
});

test("the chart has a bar for each request, by part", async () => {
  await withPage(stage, {}, async (page) => {
    await played(page);
    await page.getByText("Turn by turn as a chart").click();
    const bars = page.locator(".chart svg g:has(> rect.part)");
    await bars.nth(CALLS.length).waitFor();
    const parts = await bars.evaluateAll((all) => all.map((bar) => bar.querySelectorAll("rect.part.revealed").length));
    assert.deepEqual(parts.slice(0, 2), [1, 1], "each bar has its parts");
    const heights = await bars.evaluateAll((all) =>
      all.map((bar) => Number(bar.querySelector("rect.part.revealed").getAttribute("height"))),
    );
    assert.equal(heights[0], 0);
    assert.ok(heights[1] > 0, "what is revealed is drawn");
  });
});
