/**
 * The playground as a visitor uses it, in a real browser, on the page that was built:
 *
 * 1. It opens with the captured tools, or with the example catalog where nothing was captured.
 * 2. A misspelt search finds, adding loads, and every number on the page is what the package says in Node.
 * 3. The answers shown are what the model gets, to the letter; refusals and real calls are told apart.
 * 4. What one session reveals, another does not have.
 * 5. Settings rebuild at once, keep what can be kept, and a refused one is named with its code.
 * 6. Every wire format is shown as it would be sent.
 * 7. The example conversation plays by itself, and the page needs no network once it is loaded.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { screenshot, withPage } from "./lib/browser.mjs";
import { dropExample, filled } from "./lib/example.mjs";
import { newestAnswer, search } from "./lib/model.mjs";
import { barsOf, catalogSize, turnsOf } from "./lib/reading.mjs";
import { builtFile, serveSite } from "./lib/site.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

/** The profile in which a search loads nothing by itself. */
const addByName = (page) => page.locator(".profile-bar").getByRole("radio", { name: "search-add" }).check();

test("opens with the tools that were captured", async () => {
  const { servers } = JSON.parse(await builtFile("captured/index.json"));
  if (servers.length === 0) return;
  await withPage(stage, {}, async (page) => {
    const sift = new ToolSift();
    for (const { server, file } of servers) {
      sift.register(JSON.parse(await builtFile(`captured/${file}`)).tools, { server });
    }
    assert.equal(await catalogSize(page), sift.size().tools);
    const { request, full } = sift.session().assemble().size;
    const [turn] = await turnsOf(page);
    assert.equal(turn.tokens, request.tokens);
    assert.equal(turn.full, full.tokens);
    for (const { server } of servers) await page.locator(".server-name", { hasText: server }).first().waitFor();
  });
});

test("opens with the example catalog where nothing was captured", async () => {
  const bare = await serveSite({ without: ["captured/index.json"] });
  const context = await stage.browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(bare.address);
    await page.locator("#headline").waitFor();
    assert.equal(await catalogSize(page), 60);
    assert.equal(await page.locator(".server-name").count(), 8);
  } finally {
    await context.close();
    await bare.close();
  }
});

test("a misspelt search, an added tool and the chart agree with the package", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await addByName(page);
    await search(page, "wether");
    await page.locator(".results .row", { hasText: "mcp__weather__get_current" }).waitFor();
    const [before] = (await barsOf(page)).slice(-1);
    await page.getByRole("button", { name: "Add mcp__weather__get_current" }).click();
    await page.locator("[data-turn='3']").waitFor();

    const session = filled({ profile: "search-add" }).session("A");
    const assemblies = [session.assemble()];
    const found = session.call("search_tools", { query: "wether" });
    assemblies.push(session.assemble());
    const added = session.call("add_tool", { tool_names: ["mcp__weather__get_current"] });
    assemblies.push(session.assemble());

    const turns = await turnsOf(page);
    assert.deepEqual(
      turns.map(({ tools, tokens, full }) => ({ tools, tokens, full })),
      assemblies.map(({ size }) => ({ tools: size.request.tools, tokens: size.request.tokens, full: size.full.tokens })),
    );
    assert.deepEqual(turns.map((turn) => turn.after), ["start", "search_tools", "add_tool"]);
    assert.ok(turns[2].tokens > turns[1].tokens);
    assert.equal(turns[0].prefix, "–");
    assert.equal(turns[1].prefix, "100\u00a0%");

    const bars = await barsOf(page);
    assert.equal(bars.length, 3);
    assert.ok(bars[2].length > before.length, "the bar has a new part");

    const headline = (await page.locator("#headline").innerText()).replaceAll(/\s+/g, " ");
    const { request, full, saved } = assemblies[2].size;
    assert.match(headline, new RegExp(`^${written(request.tokens)} tokens instead of ${written(full.tokens)}: `));
    assert.match(headline, new RegExp(`${Math.round(saved.share * 100)} % saved$`));

    const answers = await page.locator(".exchange .code").allTextContents();
    assert.deepEqual(answers, [added.content, found.content]);
    const sent = await page.locator(".sent-tool.fresh .code").allTextContents();
    assert.deepEqual(sent.map((text) => JSON.parse(text)), assemblies[2].tools.slice(3));

    await page.locator("[data-tool='mcp__weather__get_current'] .state.revealed").waitFor();
    assert.match(await page.getByTestId("announcement").innerText(), /Loaded mcp__weather__get_current/);
  });
});

test("a call is refused before the tool is loaded, and runs after", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await addByName(page);
    await page.getByLabel("Filter").fill("get_tides");
    await page.locator("[data-tool='mcp__weather__get_tides'] .tool-line").click();
    await page.locator(".tool-details .code").waitFor();
    await page.getByRole("button", { name: "Call it" }).click();
    const call = page.locator(".call").getByRole("button", { name: "Call" });
    await call.click();
    await page.locator(".verdict.refused").waitFor();
    assert.match(await newestAnswer(page), /mcp__weather__get_tides is not loaded/);

    await page.getByRole("radio", { name: "add_tool" }).check();
    await page.getByLabel("tool_names").fill("mcp__weather__get_tides");
    await page.getByRole("button", { name: "Call add_tool" }).click();
    await page.getByRole("radio", { name: "a tool of the catalog" }).check();
    await call.click();
    await page.locator(".verdict.dispatch").waitFor();
    const run = JSON.parse(await newestAnswer(page));
    assert.equal(run.server, "weather");
    assert.equal(run.name, "mcp__weather__get_tides");
  });
});

test("what is no pattern is answered, not thrown", async () => {
  await withPage(stage, {}, async (page) => {
    await search(page, "(");
    await page.locator(".results-title", { hasText: "No tool of" }).waitFor();
    await addByName(page);
    await search(page, "(");
    await page.locator(".verdict.wrong").waitFor();
    assert.match(JSON.parse(await newestAnswer(page)).error, /pattern/);
  });
});

test("two sessions do not see each other's reveals", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await search(page, "send_message");
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();

    await page.getByRole("button", { name: "New session" }).click();
    assert.equal((await turnsOf(page)).length, 1);
    assert.equal(await page.locator(".catalog .state.revealed").count(), 0);
    await page.getByRole("button", { name: /^Session A/ }).click();
    assert.equal((await turnsOf(page)).length, 2);
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();
    await page.getByRole("button", { name: "Close A" }).click();
    assert.equal(await page.locator(".sessions .tab").count(), 1);
  });
});

test("settings rebuild at once and keep what was revealed", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await search(page, "send_message");
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();
    const [, before] = await turnsOf(page);

    await page.getByLabel("What the model sees of a tool held back").selectOption("names");
    const [, , after] = await turnsOf(page);
    assert.equal(after.after, "new settings");
    assert.equal(after.tools, before.tools);
    assert.ok(after.tokens > before.tokens, "the names are in the prompt");
    await page.locator(".parts .swatch.listing").waitFor();
    await page.locator("[data-tool='mcp__slack__send_message'] .state.revealed").waitFor();
    assert.match(page.url(), /#disclosure=names$/);
    await page.reload();
    assert.equal(await page.getByLabel("What the model sees of a tool held back").inputValue(), "names");
  });
});

test("a refused setting is named with its code, and the one before stays in force", async () => {
  await withPage(stage, {}, async (page) => {
    const [before] = await turnsOf(page);
    const window = page.getByLabel("Context window of the model");
    await window.fill("-5");
    await window.press("Enter");
    const problem = page.locator("[data-setting=contextWindow] .problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /limit_out_of_range .*-5/);
    assert.deepEqual((await turnsOf(page)).at(-1), before);
    await window.fill("100000");
    await window.press("Enter");
    await problem.waitFor({ state: "detached" });
  });
});

test("scope and pins", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    const full = (await turnsOf(page))[0].full;
    await page.getByRole("checkbox", { name: "weather" }).uncheck();
    const scoped = (await turnsOf(page)).at(-1);
    assert.ok(scoped.full < full);
    await search(page, "tides");
    assert.doesNotMatch(await newestAnswer(page), /weather/);

    const pins = "mcp__slack__send_message, mcp__linear__create_issue";
    await page.getByLabel("Pinned: every session starts with").fill(pins);
    await page.keyboard.press("Enter");
    await page.locator(".parts .swatch.eager").waitFor();
    assert.equal(await page.locator(".catalog .state.pinned").count(), 2);
  });
});

test("every wire format is shown as the package writes it", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    const sift = filled();
    for (const format of ["openai", "openai-responses", "anthropic", "google", "mcp"]) {
      await page.getByLabel("Format").selectOption(format);
      const { tools, size } = sift.session(format).assemble({ format });
      const expected = format === "google" ? tools[0].functionDeclarations : tools;
      const shown = await page.locator(".sent-tool .code").allTextContents();
      assert.deepEqual(shown.map((text) => JSON.parse(text)), expected, format);
      assert.equal((await turnsOf(page)).at(-1).tokens, size.request.tokens, format);
    }
  });
});

test("with tool search off everything is sent, and nothing is there to search with", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    await page.getByLabel("Tool search is").selectOption("off");
    assert.match(await page.locator("#headline").innerText(), /nothing\s+saved/);
    assert.equal(await page.locator("#console .segment").count(), 1);
    await page.getByRole("button", { name: "Defaults" }).click();
    assert.equal(await page.locator("#console .segment").count(), 4);
  });
});

test("the example conversation plays by itself, without a network", async () => {
  await withPage(stage, {}, async (page, context) => {
    await context.setOffline(true);
    await page.getByRole("button", { name: "Play an example conversation" }).click();
    await page.getByRole("button", { name: "Play an example conversation" }).waitFor({ timeout: 40_000 });
    const turns = await turnsOf(page);
    assert.ok(turns.length >= 7, `${turns.length} turns`);
    assert.ok(turns.at(-1).tokens > turns[0].tokens);
    assert.ok((await page.locator(".verdict.dispatch").count()) >= 2);
    await screenshot(page, "desktop-light");
    await screenshot(page, "desktop-light-full", { fullPage: true });
    await page.locator("#console").evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
    await screenshot(page, "desktop-light-console");
  });
});

function written(number) {
  return number.toLocaleString("en-US");
}
