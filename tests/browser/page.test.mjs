/** Tests that every part of the page shows the values of the library. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { ToolSift } from "toolsift";
import { packsFor } from "toolsift/packs";
import { at } from "../../scripts/lib/paths.mjs";
import { ask, dropFiles, onStage, shown, withPage } from "./lib/browser.mjs";

onStage();

/** The tools of the page in the core, as `toolsift()` registers them. */
async function sample() {
  const sift = new ToolSift();
  const { servers } = JSON.parse(readFileSync(at("www", "captured", "index.json"), "utf8"));
  for (const { server, file } of servers) {
    const { tools } = JSON.parse(readFileSync(at("www", "captured", file), "utf8"));
    sift.register(tools, { server, names: "alias", enrichment: (await packsFor(tools)).entries });
  }
  return sift;
}

const sift = await sample();

/** What the core says to a request, and what it would send. */
function coreSays(query) {
  sift.closeSession(query);
  const session = sift.session(query);
  const ahead = session.prefetch(query);
  if (ahead.length === 0) session.call("search_tools", { query });
  const { request, full } = session.assemble({ format: "openai" }).size;
  return { confidence: sift.search(query).confidence, ahead, loaded: session.revealed, request, full };
}

const SAVING = /times fewer/;

test("it opens with an answer that agrees with itself, before anything else is fetched", async () => {
  await withPage({}, async (page, { requests }) => {
    const { claim, numbers, lines, hits, loaded, found, blocks } = await shown(page);
    const core = coreSays("report that the login page is broken");
    assert.match(
      claim,
      new RegExp(`^Your agent sends ${core.full.tools} tool definitions with every request\\. It needs \\w+\\.$`),
    );
    assert.equal(blocks, core.full.tools);
    assert.deepEqual(loaded.toSorted(), core.loaded.toSorted());
    assert.deepEqual(
      [...loaded, ...found].filter((name) => !hits.includes(name)),
      [],
    );
    assert.match(numbers, new RegExp(` ${core.request.tokens} tokens of tools in a request, \\d+ times fewer$`));
    assert.equal(lines.length, 4);
    assert.match(lines[2], new RegExp(`^${loaded.length} tools? loaded, \\+\\d+ tokens`));
    assert.match(lines[3], new RegExp(`^The model calls ${hits.find((name) => loaded.includes(name))}\\(`));
    assert.ok(!requests.some((one) => /wasm|worker|sample/.test(one)), "the core waits until somebody does something");
  });
});

test("typing searches, Enter plays, the arrow keys step", async () => {
  await withPage({ reducedMotion: "no-preference" }, async (page) => {
    const box = page.getByLabel("What should the agent do?");
    await box.fill("catch up on what people said yesterday");
    await page.locator(".hit", { hasText: "slack_get_channel_history" }).waitFor();
    const typed = await shown(page);
    assert.ok(typed.found.includes("slack_get_channel_history"));
    assert.deepEqual(typed.loaded, []);
    assert.match(typed.claim, /This one finds \w+\.$/);
    assert.equal(await page.locator(".hit .loaded").count(), 0);
    await box.press("Enter");
    for (const step of [1, 2, 3, 4]) await page.locator(`.timeline > li:nth-child(${step})[aria-current=step]`).waitFor();
    const played = await shown(page);
    assert.deepEqual(played.loaded, coreSays("catch up on what people said yesterday").loaded);
    assert.match(played.numbers, SAVING);
    await box.blur();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const before = await shown(page);
    assert.deepEqual(before.loaded, []);
    assert.doesNotMatch(before.numbers, SAVING);
    await page.getByRole("button", { name: "A step on" }).click();
    assert.deepEqual((await shown(page)).loaded, played.loaded);
  });
});

/** Requests that a page praised wrongly once, others that nothing serves, and some that are found in each way. */
const ASKED = [
  "Create one invoice.",
  "who is on call",
  "send Lena a message",
  "tell the team the login page is broken",
  "stop the nightly job",
  "the new release is broken, go back",
];

test("it says of each request what the core says", async () => {
  await withPage({}, async (page) => {
    for (const query of ASKED) {
      const core = coreSays(query);
      const { claim, numbers, lines, loaded } = await ask(page, query);
      const [, searched, load, call] = lines;
      const what = `${query}: ${lines.join(" | ")}`;
      assert.match(searched, core.ahead.length > 0 ? /^toolsift searches ahead/ : /^The model searches/, what);
      if (core.confidence === "high") {
        assert.match(claim, /This one gets \w+\.$/, what);
        assert.match(call, /^The model calls \w+.*, if it takes the best match/, what);
        for (const name of core.loaded) assert.ok(loaded.includes(name), what);
      } else {
        assert.match(claim, core.confidence === "none" ? /Nothing fits this one\.$/ : /Nothing fits this one well\.$/, what);
        assert.match(searched, core.confidence === "none" ? /Nothing fits\./ : /Nothing fits well\./, what);
        assert.match(call, /^No call/, what);
        assert.doesNotMatch(numbers, SAVING, what);
        assert.deepEqual(loaded.toSorted(), core.loaded.toSorted(), what);
      }
      if (loaded.length === 0) assert.match(load, /^Nothing is loaded/, what);
      assert.doesNotMatch(lines.join(" "), /confidence/i, what);
    }
  });
});

test("a few tools are all sent, and that is said", async () => {
  await withPage({}, async (page) => {
    const tools = ["lamp_on", "lamp_off", "lamp_dim"].map((name) => ({ name, inputSchema: { type: "object" } }));
    await dropFiles(page, [{ name: "lamps.json", text: JSON.stringify({ tools }) }]);
    await page.locator("h1", { hasText: "Only 3 tools" }).waitFor();
    const { numbers, lines, loaded } = await shown(page);
    assert.equal(loaded.length, 3);
    assert.doesNotMatch(numbers, SAVING);
    assert.match(lines[1], /all 3 tools are sent/);
    const asked = await ask(page, "order a pizza");
    assert.match(asked.lines[3], /only a model can decide/, "the model has every tool");
  });
});

test("a line opens what was sent, and a hit opens why", async () => {
  await withPage({}, async (page) => {
    await page.getByText("The request as it is sent").click();
    const request = await page.getByRole("region", { name: /^The request: \d+\stools instead of 159/ }).innerText();
    const sent = JSON.parse(request).map((tool) => tool.function.name);
    assert.deepEqual(sent, [
      "search_tools",
      "add_tool",
      "show_all_tools",
      ...coreSays("report that the login page is broken").loaded,
    ]);
    assert.match(await page.getByRole("region", { name: "In the system prompt" }).innerText(), /^## Finding tools/);
    await page.locator(".hit").first().locator("summary").click();
    assert.match(await page.locator(".hit").first().locator(".reasons").innerText(), /what people ask|description/);
    await ask(page, "book a flight to Lisbon");
    await page.getByText("The search as it is sent").click();
    assert.match(await page.getByRole("region", { name: "The answer that it reads" }).innerText(), /^No tool clearly fits/);
  });
});
