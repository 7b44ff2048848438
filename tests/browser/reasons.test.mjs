/**
 * What the page says of a search of the default profile:
 *
 * 1. How sure it is, in three degrees; what no tool knows, and which servers come closest.
 * 2. Every hit's score and its reasons are those of the package, drawn by the words of the query.
 * 3. The same search again goes on, with reasons too.
 * 4. Why a tool was not found is said for whichever is asked about, by keyboard too.
 * 5. What the ranker goes without, words of the host's own and the budget take effect, and are in the address.
 * 6. High confidence stands only where the best hit fits most of the query, and why it is the best can be read beside it; "best
 *    first" is said only where it is so.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ready, withPage } from "./lib/browser.mjs";
import { filled, filledWithWords } from "./lib/example.mjs";
import { act, chooseProfile, openMenu, search, withSettings } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const { trustIn } = await pageModule("model/confidence.ts");

const SURE = "post a message to a channel";
const DOUBTFUL = "send money";
const HOPELESS = "marinate zucchini overnight";

const stage = onStage();

const written = (value) => (value < 1 ? value.toFixed(2) : String(Math.round(100 * value) / 100));

const rowsOf = (page) => page.locator(".results .row").evaluateAll((all) => all.map((row) => row.dataset.row));

test("how sure a search is", async () => {
  await withPage(stage, { example: true }, async (page) => {
    const badge = page.locator(".results .confidence-badge");
    for (const [query, degree] of [
      [SURE, "high"],
      [DOUBTFUL, "low"],
      ["notify my cousin", "none"],
      [HOPELESS, "none"],
    ]) {
      await search(page, query);
      const { confidence, unknownWords, closestServers } = (await filledWithWords()).search(query);
      assert.equal(confidence, degree, query);
      const note = await page.locator(".results .confidence").innerText();
      assert.doesNotMatch(note, /chance/);
      assert.equal(await badge.getAttribute("data-confidence"), degree);
      for (const word of unknownWords) assert.ok(note.includes(word), `${note} names ${word}`);
      if (degree !== "high")
        for (const server of closestServers) assert.ok(note.includes(server), `${note} names ${server}`);
    }
    assert.match(await badge.innerText(), /No confidence/);
    assert.match(await page.locator(".results .confidence").innerText(), /No tool knows .*zucchini/);
    assert.match(await page.getByTestId("announcement").innerText(), /^(No tool found|Nothing clearly fits)/);
    await chooseProfile(page, "bridge");
    await search(page, SURE, "tool_search");
    await page.locator(".results .row").first().waitFor();
    assert.equal(await badge.count(), 0, "other rankers do not say");
  });
});

test("scores and reasons are those of the package, also why a tool was not found", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await search(page, SURE);
    const sift = await filledWithWords();
    const [first, second] = sift.search(SURE, { reasons: true }).hits;
    const row = (name) => page.locator(`.results [data-row='${name}']`);
    assert.equal(await row(first.name).locator(".score-value").innerText(), written(first.score));
    const drawn = await row(first.name)
      .locator(".score rect")
      .evaluateAll((all) => all.map((one) => one.width.baseVal.value));
    assert.ok(Math.abs(drawn.reduce((sum, width) => sum + width, 0) - 100 * first.score) < 0.5, "a full bar stands for 1");

    await row(first.name).locator(".why summary").click();
    const shown = await row(first.name).locator(".reason-value").allInnerTexts();
    assert.deepEqual(shown.sort(), first.parts.map((part) => written(part.contribution)).sort());
    const terms = [...new Set(first.parts.map(({ term }) => term).filter(Boolean))];
    const groups = await row(first.name).locator(".reason-term q").allInnerTexts();
    assert.deepEqual(
      groups.map((text) => text.replaceAll(/[“”]/g, "")),
      terms,
    );

    const best = page.locator(".results .confidence .why");
    assert.match(await best.locator("summary").innerText(), new RegExp(`Why ${first.name}`));
    await best.locator("summary").click();
    await best.locator(".reason").first().waitFor();

    assert.equal(await row(second.name).locator(".reason").first().isVisible(), false);
    await row(second.name).locator(".why summary").focus();
    await page.keyboard.press("Enter");
    assert.equal(await row(second.name).locator(".reason").count(), second.parts.length);
    assert.ok(await row(second.name).locator(".reason").first().isVisible(), "unfolded by keyboard");

    await page.locator(".why-not summary").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    for (const name of ["mcp__postgres__list_schemas", "mcp__github__add_comment", "mcp__slack__send_message"]) {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(name);
      const { reason, parts } = sift.explain(SURE, name);
      await page.locator(".why-not-reason", { hasText: reason }).waitFor();
      assert.equal(await page.locator(".why-not .reason").count(), parts.length, name);
    }
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("nothing_of_this_name");
    await page.getByText("No tool has this name.").waitFor();
  });
});

test("the same search again goes on, with reasons", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await search(page, "list");
    await page
      .getByRole("button", { name: /^Show all/ })
      .first()
      .click();
    const one = await rowsOf(page);
    await act(page, () => page.getByRole("button", { name: "Call search_tools" }).click());
    await page
      .getByRole("button", { name: /^Show all/ })
      .first()
      .click();
    const two = await rowsOf(page);
    const { hits } = (await filledWithWords()).search("list", { limit: 50, reasons: true });
    assert.equal(one.length, 10);
    assert.deepEqual(
      two.filter((name) => one.includes(name)),
      [],
    );
    const score = hits.find(({ name }) => name === two[0]).score;
    assert.equal(await page.locator(`[data-row='${two[0]}'] .score-value`).innerText(), written(score));
  });
});

test("what the ranker goes without, own words, and the budget", async () => {
  await withPage(stage, { example: true }, async (page) => {
    const best = () => page.locator(".results .score-value").first().innerText();
    const rewound = async () => {
      await page.getByRole("button", { name: "Rewind" }).click();
      await page.locator("[data-turn='2']").waitFor({ state: "detached" });
    };
    const said = (text) => page.locator("[data-testid=announcement]", { hasText: text }).waitFor();
    await withSettings(page, async (form) => {
      await form.getByText("How a search is made").click();
      await form.getByLabel("Parameters", { exact: true }).uncheck();
      await said("Changed");
    });
    await search(page, SURE);
    assert.equal(await best(), written(filled({ search: { without: ["parameters"] } }).search(SURE).hits[0].score));
    await rewound();

    await withSettings(page, async (form) => {
      await form.getByLabel("Words that mean the same here").fill("zucchini, tide; aubergine, issue");
      await page.keyboard.press("Enter");
      await said("Changed");
      await form.getByLabel("Tools that one search reveals").fill("1");
      await page.keyboard.press("Enter");
    });
    await page.waitForURL(/budgetTools=1/);
    await search(page, "zucchini");
    assert.ok((await rowsOf(page)).includes("mcp__weather__get_tides"));
    await rewound();
    await search(page, SURE);
    assert.equal(await page.locator(".results .state.revealed").count(), 1);
    assert.match(page.url(), /\?(?=.*without=parameters)(?=.*synonyms=zucchini)(?=.*budgetTools=1)/);
    await withSettings(page, async (form) => {
      await form.getByLabel("Tools that one search reveals").fill("-1");
      await page.keyboard.press("Enter");
      await form.locator("[data-setting=budgetTools] .problem", { hasText: /limit_out_of_range .*-1/ }).waitFor();
    });
    await page.reload();
    await ready(page);
    await openMenu(page, "profile");
    assert.equal(await page.getByLabel("Parameters", { exact: true }).isChecked(), false);
    assert.equal(await page.getByLabel("Words that mean the same here").inputValue(), "zucchini, tide; aubergine, issue");
  });
});

test("high confidence only where the best hit fits most of the query", () => {
  const part = (term) => ({ field: "name", term, matched: term, how: "word", contribution: 0.1 });
  const hit = (name, ...terms) => ({ name, server: "s", description: "", score: 1, parts: terms.map(part) });
  const hits = [hit("firebase_login", "login"), hit("create_issue", "create", "issue"), hit("get_page", "page")];
  const result = {
    query: "create an issue about the login page",
    stage: "sift",
    hits,
    searched: 3,
    confidence: "high",
    overChance: 2,
  };
  assert.deepEqual(trustIn(result), { confidence: "low", fits: ["login"], lacks: ["create", "issue", "page"] });
  assert.equal(trustIn({ ...result, hits: [hits[1], hits[0]] }).confidence, "high");
  assert.equal(trustIn({ ...result, confidence: undefined }), null);
});

test("best first is said only where it is so", async () => {
  await withPage(stage, { example: true }, async (page) => {
    for (const query of ["list", "list", "post a message to a channel", "create issue", "create issue"]) {
      await search(page, query);
      const more = page.locator(".results > .button", { hasText: "Show all" });
      if ((await more.count()) > 0) await more.click();
      const title = await page.locator(".results-title").innerText();
      const scores = (await page.locator(".results .score-value").allInnerTexts()).map(Number);
      const sorted = scores.every((score, index) => index === 0 || scores[index - 1] >= score);
      if (scores.length > 1) assert.equal(/best first/.test(title), sorted, `${query}: ${title}, ${scores}`);
    }
  });
});
