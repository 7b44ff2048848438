/**
 * The profiles in the playground, on the same catalog:
 *
 * 1. Every profile's first request is what the package assembles in Node, and its own discovery tools are offered.
 * 2. The comparison's figures are those of the package, for the conversation and for a script, and each row marks its best.
 * 3. A column puts its profile to work; settings in force are a column of their own, and can be kept as one.
 * 4. Each answer's tools have the next step that the profile has for them; a call through the bridge shows the real tool.
 * 5. A stub says what was left out of it, and is a full definition once the tool was found.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { dropFiles, eventually, finished, withPage } from "./lib/browser.mjs";
import { exampleServers, filled } from "./lib/example.mjs";
import { act, chooseProfile, newestAnswer, search, withSettings } from "./lib/model.mjs";
import { turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const PROFILES = ToolSift.profiles();

/** What the page adds to a profile's own settings, so that it defers tools. */
const AT_WORK = { select: { deferral: "opt-out" }, stub: { activation: "on" }, bridge: { activation: "on" } };

const stage = onStage();

const siftOf = (profile) => filled({ profile, ...AT_WORK[profile] });

const figure = (page, column, name) => page.locator(`[data-figure="${column} ${name}"]`);

const numberIn = (text) => Number(text.match(/[\d,]+/)[0].replaceAll(",", ""));

test("every profile's first request and discovery tools", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await page.getByRole("tab", { name: "Request" }).click();
    for (const { name, surface } of PROFILES) {
      await chooseProfile(page, name);
      const { size, systemPrompt, tools } = siftOf(name).session("A").assemble();
      await eventually(async () => {
        const [turn, ...more] = await turnsOf(page);
        assert.deepEqual(more, []);
        assert.deepEqual([turn.tokens, turn.tools], [size.request.tokens, tools.length], name);
        assert.deepEqual((await page.locator("#composer .segment").allInnerTexts()).slice(0, -2), surface);
        const prompts = await page.getByRole("region", { name: "System prompt" }).allTextContents();
        assert.deepEqual(prompts, systemPrompt === "" ? [] : [systemPrompt], name);
      });
    }
  });
});

/** Plays a search and the use of its tool in the package, and answers what the comparison should say. */
function expected({ name, surface }, query, tool) {
  const session = siftOf(name).session("s");
  const heads = [session.assemble().size.request.tokens];
  let answers = 0;
  const call = (called, args) => {
    const outcome = session.call(called, args);
    if (outcome.kind === "result") answers += Math.ceil(outcome.content.length / 4);
    heads.push(session.assemble().size.request.tokens);
    return outcome;
  };
  call(surface[0], { query });
  const sent = session.tools().find((one) => one.name === tool).state !== "deferred";
  if (surface.includes("tool_describe")) call("tool_describe", { name: tool });
  else if (!sent && surface.includes("add_tool")) call("add_tool", { tool_names: [tool] });
  const args = { channel: "…", text: "…" };
  const ran = surface.includes("tool_call") ? call("tool_call", { name: tool, arguments: args }) : call(tool, args);
  assert.equal(ran.kind, "dispatch", name);
  return { trips: heads.length, first: heads[0], last: heads.at(-1), answers };
}

const SCRIPT = [["search", "send message"], ["use", "mcp__slack__send_message"], ["answer"]];

test("the comparison says what the package says, and marks the best", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await page.evaluate(
      (script) => void (location.hash = `#/compare?${new URLSearchParams({ script })}`),
      JSON.stringify(SCRIPT),
    );
    await page.getByLabel("Script").and(page.locator("select")).waitFor();
    await page.getByText("Every figure").click();
    await figure(page, "bridge", "price").filter({ hasText: "$" }).waitFor();
    await page.locator("[data-figure='all tools in full price']", { hasText: "$" }).waitFor();
    const rows = ["trips", "first", "last", "answers"];
    const all = {};
    for (const profile of PROFILES) {
      const wanted = expected(profile, "send message", "mcp__slack__send_message");
      await figure(page, profile.name, "price").filter({ hasText: "$" }).waitFor();
      const shown = {};
      for (const row of rows) shown[row] = numberIn(await figure(page, profile.name, row).innerText());
      assert.deepEqual(shown, wanted, profile.name);
      all[profile.name] = shown;
    }
    const full = siftOf("sift").session("s").assemble().size.full.tokens;
    assert.equal(numberIn(await figure(page, "all tools in full", "first").innerText()), full);
    assert.equal(numberIn(await figure(page, "all tools in full", "trips").innerText()), 2);
    for (const row of rows) {
      const least = Math.min(
        ...Object.values(all).map((shown) => shown[row]),
        row === "answers" ? 0 : row === "trips" ? 2 : full,
      );
      const best = await page.locator("td.best").evaluateAll((cells) => cells.map((cell) => cell.dataset.figure));
      for (const { name } of PROFILES)
        assert.equal(best.includes(`${name} ${row}`), all[name][row] === least, `${name} ${row}`);
    }
    await figure(page, "bridge", "calls").getByText("tool_call(mcp__slack__send_message)").waitFor();

    await page.getByRole("button", { name: "bridge", exact: true }).click();
    await page.locator(".compare-name[aria-pressed=true]", { hasText: "bridge" }).waitFor();
    assert.equal(await page.locator("[data-menu=profile] .menu-main").innerText(), "bridge");
    await withSettings(page, (form) => form.getByLabel("What the model sees of a deferred tool").selectOption("names"));
    await figure(page, "bridge, as set", "price").filter({ hasText: "$" }).waitFor();
    await page.getByRole("button", { name: "Keep these settings as a column" }).click();
    await page.getByRole("button", { name: "sift", exact: true }).click();
    await figure(page, "kept 1: bridge", "price").filter({ hasText: "$" }).waitFor();
  });
});

test("bars by price say why the cheapest is so, and the slider from when on each pays", async () => {
  await withPage(stage, { hash: "#/compare", example: true }, async (page) => {
    const names = [...PROFILES.map(({ name }) => name), "sift, constant"];
    for (const name of names) await page.locator(`[data-break-even='${name}']`).waitFor();
    await page.locator(".compare [role=status]", { hasText: /used, / }).waitFor();
    await page.locator("[data-price-bar]").nth(names.length).waitFor();
    const bars = await page
      .locator("[data-price-bar]")
      .evaluateAll((all) => all.map((bar) => [bar.dataset.priceBar, Number(bar.querySelector("b").textContent.slice(1))]));
    assert.equal(bars.length, names.length + 1);
    assert.deepEqual(
      bars,
      bars.toSorted((a, b) => a[1] - b[1]),
    );
    assert.match(
      await page.getByTestId("why-cheapest").innerText(),
      new RegExp(
        `^${bars[0][0]} is cheapest here, \\d+.% less than all tools in full: .*; it needs \\d+.requests, all tools in full \\d+`,
      ),
    );
    const told = () => page.locator("[data-break-even='sift']").innerText();
    const before = await told();
    assert.match(before, /^sift \$[\d.]+ instead of \$[\d.]+: (cheaper|dearer)/);
    await page.getByRole("slider").fill("12");
    await page.locator("[data-break-even=sift]").filter({ hasNotText: before }).waitFor();
    await page
      .locator(".curve path")
      .nth(names.length - 1)
      .waitFor();
    assert.equal(await page.locator(".curve path").count(), names.length);
    const along = (await page.locator(".break-even .turn-label").allTextContents()).map(Number);
    assert.ok(along.length >= 4 && along.includes(1) && along.includes(12), along.join());
    const up = await page.locator(".break-even .tick").allTextContents();
    assert.ok(up.length >= 3 && up.every((tick) => /^\$\d\.\d\d0*$/.test(tick)), up.join());
  });
});

test("a profile that defers nothing is said to cost as much, not less or more", async () => {
  await withPage(stage, { hash: "#/compare", example: true }, async (page) => {
    const text = JSON.stringify({ tools: exampleServers[0].tools.slice(0, 3) });
    await dropFiles(page, [{ name: "few.json", text }]);
    await page.locator("[data-menu=catalog] .menu-main", { hasText: /^3/ }).waitFor();
    await finished(page);
    const why = page.getByTestId("why-cheapest").filter({ hasText: "sift defers nothing, and costs as much as" });
    await why.waitFor();
    assert.match(await why.innerText(), /^No profile pays here: .* as all tools in full\.\s*$/);
    assert.equal(await page.locator("[data-price-bar=sift] rect").getAttribute("class"), "full");
    await page.locator("[data-break-even=sift]", { hasText: "the same at any length" }).waitFor();
  });
});

test("a call through the bridge runs the real tool", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await chooseProfile(page, "bridge");
    await search(page, "send message", "tool_search");
    await act(page, () => page.getByRole("button", { name: "Describe mcp__slack__send_message" }).click());
    const described = JSON.parse(await newestAnswer(page));
    assert.deepEqual(described.parameters.required, ["channel", "text"]);

    await page
      .locator("[data-row='mcp__slack__send_message']")
      .getByRole("button", { name: /^Call / })
      .click();
    await page.getByRole("radio", { name: "tool_call" }).and(page.locator(":checked")).waitFor();
    const args = page.locator(".call").getByLabel("arguments");
    assert.deepEqual(Object.keys(JSON.parse(await args.inputValue())), ["channel", "text"], "prefilled from the schema");
    await args.fill('{ "channel": "#ops", "text": "It works." }');
    await act(page, () => page.getByRole("button", { name: "Call tool_call" }).click());
    await page.locator(".verdict.dispatch", { hasText: "runs mcp__slack__send_message" }).waitFor();
    assert.deepEqual(JSON.parse(await newestAnswer(page)), {
      server: "slack",
      name: "mcp__slack__send_message",
      arguments: { channel: "#ops", text: "It works." },
    });
    await page.getByText("Unwrapped from tool_call: the host sees the real tool only.").waitFor();
    assert.match(await page.getByTestId("announcement").innerText(), /^Unwrapped: the host runs mcp__slack__send_message/);

    const name = page.locator(".call").getByLabel("name");
    await args.fill("");
    await name.fill("mcp__linear__create_issue");
    await page.waitForFunction(() => /"title"/.test(document.querySelector(".call textarea").value));
    await name.fill("tool_call");
    await act(page, () => page.getByRole("button", { name: "Call tool_call" }).click());
    await newestAnswer(page);
    await page.getByText("A wrong call (bridge_recursion).").waitFor();
    const tokens = (await turnsOf(page)).map((turn) => turn.tokens);
    assert.equal(new Set(tokens).size, 1, "the request never changes");
  });
});

test("answers with schemas, revealed tools and names that do not exist", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await chooseProfile(page, "select");
    await search(page, "select:mcp__slack__send_message,nope", "ToolSearch");
    await page.locator(".results", { hasText: "There is no tool nope" }).waitFor();
    assert.equal(await page.locator(".results .row").count(), 1);
    await page.locator(".results").getByRole("button", { name: "Call mcp__slack__send_message" }).click();
    await page.locator("#call-tool").waitFor();
    await act(page, () => page.locator(".call").getByRole("button", { name: "Call", exact: true }).click());
    await page.locator(".verdict.dispatch").waitFor();

    await page.getByRole("radio", { name: "ToolSearch" }).check();
    await page.locator(".call").getByLabel("max_results").fill("2");
    await search(page, "message", "ToolSearch");
    await page.locator(".results .row").nth(1).waitFor();
    assert.equal(await page.locator(".results .row").count(), 2);
    const { matches } = JSON.parse(await newestAnswer(page));
    const scores = await page.locator(".results .score-value").allInnerTexts();
    assert.deepEqual(
      scores.map(Number),
      matches.map((match) => match.score),
    );

    await chooseProfile(page, "select-load");
    await page.getByRole("button", { name: "Rewind" }).click();
    await page.locator(".turn").nth(1).waitFor({ state: "detached" });
    await search(page, "send message", "ToolSearch");
    await page.locator("[data-row='mcp__slack__send_message'] .state.revealed").waitFor();
  });
});

test("a stub says what was left out, until its tool is found", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await chooseProfile(page, "stub");
    await page.getByRole("tab", { name: "Request" }).click();
    await page.getByRole("button", { name: /^Show all/ }).click();
    const sent = page.locator(".sent-tool", { has: page.getByText("mcp__slack__send_message", { exact: true }) });
    await sent.locator("summary").click();
    await sent.locator(".tag.stub").waitFor();
    assert.match(await sent.locator(".emptied").innerText(), /Left out: 3\s+parameters, channel, text, thread_ts/);
    await search(page, "send message", "tool_search");
    await sent.locator(".tag.new").waitFor();
    await sent.locator(".code", { hasText: '"thread_ts"' }).waitFor();
    assert.equal(await sent.locator(".tag.stub").count(), 0);

    await search(page, "wether", "tool_search");
    await page.locator(".results", { hasText: "The answer offers the names of all 60 instead" }).waitFor();
    await act(page, () => page.getByRole("button", { name: "Find mcp__github__list_issues" }).click());
    await page.locator("[data-row='mcp__github__list_issues'] .state.revealed").waitFor();
  });
});
