/**
 * The profiles in the playground, on the same catalog:
 *
 * 1. Every profile's first request is what the package assembles in Node, and its own discovery tools are in the console.
 * 2. The comparison's figures are what the package says, for a query that is typed there or in the console.
 * 3. A column switches the profile, which begins anew; what the page adds so that it is at work is said and taken back.
 * 4. Each answer's tools have the next step that the profile has for them; a call through the bridge shows the real tool.
 * 5. A stub says what was left out of it, and is a full definition once the tool was found.
 * 6. Settings that cannot work together are refused beside the setting, with the reason.
 * 7. The example conversation plays under every profile with that profile's own tools.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { screenshot, withPage } from "./lib/browser.mjs";
import { dropExample, filled } from "./lib/example.mjs";
import { turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const PROFILES = ToolSift.profiles();

/** What the page adds to a profile's own settings, so that it holds back. */
const AT_WORK = { select: { deferral: "opt-out" }, stub: { activation: "on" }, bridge: { activation: "on" } };

const stage = onStage();

const siftOf = (profile, extra = AT_WORK[profile]) => filled({ profile, ...extra });

const chooseProfile = (page, name) => page.locator(".profile-bar").getByRole("radio", { name, exact: true }).check();

const figure = (page, profile, name) => page.locator(`[data-figure="${profile} ${name}"]`);

const numberIn = (text) => Number(text.match(/[\d,]+/)?.[0].replaceAll(",", ""));

const call = (page, tool) => page.locator(".call").getByRole("button", { name: `Call ${tool}`, exact: true }).click();

const search = async (page, tool, query) => {
  await page.locator(".call").getByLabel("query").fill(query);
  await call(page, tool);
  await page.locator(".results").waitFor();
};

const newestAnswer = (page) => page.locator(".exchange .code").first().textContent();

test("every profile's first request and discovery tools", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    for (const { name, surface } of PROFILES) {
      await chooseProfile(page, name);
      const { size, systemPrompt, tools } = siftOf(name).session("A").assemble();
      const [turn, ...more] = await turnsOf(page);
      assert.deepEqual(more, [], "another profile begins anew");
      assert.equal(turn.tokens, size.request.tokens, name);
      assert.equal(turn.tools, tools.length, name);
      assert.deepEqual((await page.locator("#console .segment").allInnerTexts()).slice(0, -1), surface);
      const prompt = page.getByRole("region", { name: "System prompt" });
      assert.equal((await prompt.count()) > 0 ? await prompt.textContent() : "", systemPrompt, name);
    }
  });
});

/** The tools that an answer names, in its order. */
function namesIn(answer) {
  if (!answer.startsWith("{")) return [...answer.matchAll(/^- ([^(]+)\(/gm)].map(([, name]) => name);
  const { tools, matches } = JSON.parse(answer);
  return (tools ?? matches).map((tool) => tool.name);
}

/** The call that a profile asks for between the search and the call of what it found, if any. */
function alsoNeeded({ surface }, session, name) {
  if (surface.includes("tool_describe")) return ["tool_describe", { name }];
  const { state } = session.tools().find((tool) => tool.name === name);
  return surface.includes("add_tool") && state === "deferred" ? ["add_tool", { tool_names: [name] }] : null;
}

/** What the comparison should say, by driving the package as a model would. */
function expected(profile, query) {
  const sift = siftOf(profile.name);
  const session = sift.session();
  const { size } = session.assemble();
  const answer = session.call(profile.surface[0], { query }).content;
  const found = namesIn(answer);
  let answers = Math.ceil(answer.length / 4);
  const also = alsoNeeded(profile, session, found[0]);
  if (also) answers += Math.ceil(session.call(...also).content.length / 4);
  const after = session.assemble().size;
  return {
    tools: size.request.tools,
    first: size.request.tokens,
    found,
    steps: also ? 3 : 2,
    answers,
    after: after.request.tokens,
    prefix: after.prefix.share,
  };
}

async function compared(page, { name }) {
  const text = (row) => figure(page, name, row).innerText();
  return {
    tools: numberIn(await text("tools")),
    first: numberIn(await text("first")),
    found: await figure(page, name, "found").locator("li:not(.quiet)").allInnerTexts(),
    steps: await figure(page, name, "steps").locator("li").count(),
    answers: numberIn(await text("answers")),
    after: numberIn(await text("after")),
    prefix: await text("prefix"),
  };
}

test("the comparison says what the package says", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    for (const query of ["schedule message", "merge pull request"]) {
      await page.getByLabel("The same query").fill(query);
      await page.getByRole("button", { name: "Compare" }).click();
      for (const profile of PROFILES) {
        const { found, prefix, ...figures } = expected(profile, query);
        const { found: shown, prefix: kept, ...onPage } = await compared(page, profile);
        assert.deepEqual(onPage, figures, `${profile.name}, ${query}`);
        assert.deepEqual(shown, found.slice(0, 5), `${profile.name}, ${query}`);
        assert.ok(Math.abs(parseFloat(kept) - prefix * 100) <= 0.5, `${profile.name}: ${kept} for ${prefix}`);
      }
    }
    await figure(page, "bridge", "steps").getByText("tool_call(mcp__github__merge_pull_request)").waitFor();
    await page.locator("#comparison").evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
    await screenshot(page, "comparison");

    await search(page, "search_tools", "wether");
    assert.equal(await page.getByLabel("The same query").inputValue(), "wether", "the console's query is compared");
    assert.deepEqual((await compared(page, PROFILES[0])).found, expected(PROFILES[0], "wether").found.slice(0, 5));
    assert.equal(await figure(page, "bridge", "found").innerText(), "nothing");
    assert.equal(await figure(page, "bridge", "steps").innerText(), "–");
  });
});

test("a column switches the profile, which may also be left to itself", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await page.getByRole("button", { name: "bridge", exact: true }).click();
    assert.equal(await page.getByRole("button", { name: "bridge", exact: true }).getAttribute("aria-pressed"), "true");
    assert.match(page.url(), /#profile=bridge$/);
    assert.equal((await turnsOf(page))[0].tokens, numberIn(await figure(page, "bridge", "first").innerText()));
    assert.match(await page.locator(".profile-notice").innerText(), /20,000 tokens.*activation: "on"/s);

    await page.getByRole("button", { name: "See it by itself" }).click();
    const alone = siftOf("bridge", {}).session("A").assemble();
    assert.equal(alone.active, false);
    assert.equal((await turnsOf(page)).at(-1).tokens, alone.size.request.tokens);
    assert.equal(await page.locator("#console .segment").count(), 1);
    await page.getByRole("button", { name: "Show it at work" }).click();
    assert.equal(await page.locator("#console .segment").count(), 4);

    await figure(page, "select", "tools").click();
    assert.match(await page.locator(".profile-notice").innerText(), /deferral: "opt-out"/);
    await page.getByRole("button", { name: "See it by itself" }).click();
    assert.match(page.url(), /deferral=(&|$)/);
    await page.reload();
    await page.locator("[data-turn='1']").waitFor();
    assert.equal((await turnsOf(page))[0].after, "start");
    assert.match(await page.locator(".profile-notice").innerText(), /Nothing is held back/);
    await chooseProfile(page, "stub");
    await page.locator(".profile-notice").waitFor({ state: "detached" });
  });
});

test("a call through the bridge runs the real tool", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await chooseProfile(page, "bridge");
    await search(page, "tool_search", "send message");
    await page.getByRole("button", { name: "Describe mcp__slack__send_message" }).click();
    const described = JSON.parse(await newestAnswer(page));
    assert.deepEqual(described.parameters.required, ["channel", "text"]);

    await page.locator("[data-row='mcp__slack__send_message']").getByRole("button", { name: /^Call / }).click();
    assert.ok(await page.getByRole("radio", { name: "tool_call" }).isChecked());
    const args = page.locator(".call").getByLabel("arguments");
    assert.deepEqual(Object.keys(JSON.parse(await args.inputValue())), ["channel", "text"], "prefilled from the schema");
    await args.fill('{ "channel": "#ops", "text": "It works." }');
    await call(page, "tool_call");
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
    assert.ok("title" in JSON.parse(await args.inputValue()), "another name sketches its arguments");
    await name.fill("tool_call");
    await call(page, "tool_call");
    await page.getByText("A wrong call (bridge_recursion).").waitFor();
    const tokens = (await turnsOf(page)).map((turn) => turn.tokens);
    assert.equal(new Set(tokens).size, 1, "the request never changes");
  });
});

test("answers with schemas, loaded tools and names that do not exist", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await chooseProfile(page, "select");
    await search(page, "ToolSearch", "select:mcp__slack__send_message,nope");
    await page.locator(".results", { hasText: "There is no tool nope" }).waitFor();
    assert.equal(await page.locator(".results .row").count(), 1);
    await page.locator(".results").getByRole("button", { name: "Call mcp__slack__send_message" }).click();
    await page.locator(".call").getByRole("button", { name: "Call" }).click();
    await page.locator(".verdict.dispatch").waitFor();

    await page.getByRole("radio", { name: "ToolSearch" }).check();
    await page.locator(".call").getByLabel("max_results").fill("2");
    await search(page, "ToolSearch", "message");
    await page.locator(".results .row").nth(1).waitFor();
    assert.equal(await page.locator(".results .row").count(), 2);
    const { matches } = JSON.parse(await newestAnswer(page));
    const scores = await page.locator(".results .score-value").allInnerTexts();
    assert.deepEqual(scores.map(Number), matches.map((match) => match.score));

    await chooseProfile(page, "select-load");
    await search(page, "ToolSearch", "send message");
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();
    await page.locator("[data-row='mcp__slack__send_message']").getByRole("button", { name: /^Call / }).waitFor();
  });
});

test("a stub says what was left out, until its tool is found", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await chooseProfile(page, "stub");
    await page.getByRole("button", { name: /^Show all/ }).click();
    const sent = page.locator(".sent-tool", { has: page.getByText("mcp__slack__send_message", { exact: true }) });
    await sent.locator("summary").click();
    await sent.locator(".tag.stub").waitFor();
    assert.match(await sent.locator(".emptied").innerText(), /Left out: 3\s+parameters, channel, text, thread_ts/);

    await search(page, "tool_search", "send message");
    await sent.locator(".tag.new").waitFor();
    assert.equal(await sent.locator(".tag.stub").count(), 0);
    assert.match(await sent.locator(".code").textContent(), /"thread_ts"/);

    await search(page, "tool_search", "wether");
    await page.locator(".results", { hasText: "The answer offers the names of all 60 instead" }).waitFor();
    await page.getByRole("button", { name: "Find mcp__github__list_issues" }).click();
    await page.locator("[data-tool='mcp__github__list_issues'] .state.revealed").waitFor();
  });
});

test("settings that cannot work together are refused with the reason", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await chooseProfile(page, "select-load");
    const [before] = await turnsOf(page);
    await page.getByLabel("What loads a tool").selectOption("never");
    const problem = page.locator("[data-setting=reveal] .problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /option_conflict reveal never .* could never be called/);
    assert.deepEqual((await turnsOf(page)).at(-1), before);
    await page.getByLabel("A call to a tool not loaded is").selectOption("allow");
    await problem.waitFor({ state: "detached" });

    await page.getByText("How a search is made").click();
    await page.getByLabel("Tools are found by").selectOption("bm25");
    await search(page, "ToolSearch", "send message");
    await page.locator(".results-title", { hasText: "BM25" }).waitFor();
    await page.getByLabel("Hits at the most").fill("0");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("[data-setting=maxHits] .problem").innerText(), /limit_out_of_range .* 0/);
    await chooseProfile(page, "stub");
    assert.equal(await page.locator(".settings .problem").count(), 0, "another profile has its own values");
  });
});

for (const { name, surface } of PROFILES) {
  test(`the example conversation plays under ${name}`, async () => {
    await withPage(stage, {}, async (page) => {
      await chooseProfile(page, name);
      await page.getByRole("button", { name: "Play an example conversation" }).click();
      await page.getByRole("button", { name: "Play an example conversation" }).waitFor({ timeout: 40_000 });
      assert.equal(await page.locator(".verdict.dispatch").count(), 3);
      assert.equal(await page.locator(".verdict.wrong, .verdict.refused").count(), 0);
      const calls = (await turnsOf(page)).map((turn) => turn.after);
      assert.equal(calls.filter((tool) => tool === surface[0]).length, 3);
      await page.locator("#profile-title").evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
      await screenshot(page, `profile-${name}`);
    });
  });
}
