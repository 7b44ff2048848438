/**
 * The search lab:
 *
 * 1. Every ranker's first hits are shown as one types, and are those of the package; what matched is marked. It opens with a
 *    query at work.
 * 2. The reasons of the best hit stand beside it, and of any tool that is chosen or named; each ranker answers with its place
 *    and its reason. The address leads to the hit.
 * 3. Lines of a query and its tool give recall@1 and recall@5 of each ranker, as counted here, and the misses; lines that
 *    cannot be read and tools that do not exist are told.
 * 4. The words of packs are searched too, as in the code of Use it.
 * 5. The query is in the address, and on a narrow screen one ranker is shown at a time.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { packsFor } from "toolsift/packs";
import { eventually, withPage } from "./lib/browser.mjs";
import { filled } from "./lib/example.mjs";
import { openMenu } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { builtFile } from "./lib/site.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { readLines, writeLines } = await pageModule("model/lines.ts");
const { marked } = await pageModule("model/marks.ts");

const NATIVE = { sift: "sift", bm25: "bridge", parts: "select", overlap: "stub", pattern: "search-add" };
const QUERY = "free slot in the calendar";

/** What a ranker finds in the package, with the settings of its own profile. */
function found(ranker, query, limit = 5) {
  const sift = filled({ profile: NATIVE[ranker], search: { universe: "all" } });
  const names = sift.search(query, { limit }).hits.map(({ name }) => name);
  sift.dispose();
  return names;
}

const columns = (page) =>
  page
    .locator("[data-testid=columns] [data-ranker]")
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map((one) => [one.dataset.ranker, [...one.querySelectorAll("[data-hit]")].map((hit) => hit.dataset.hit)]),
      ),
    );

/** Types a query and waits until the columns are its answer. */
async function ask(page, query) {
  await page.locator(".lab-query").fill(query);
  const [first] = found("sift", query);
  await page.locator(`[data-ranker=sift] [data-hit]`, { hasText: first }).first().waitFor();
}

test("every ranker side by side, with what matched, and why a tool is where it is", async () => {
  await withPage(stage, { hash: "#/search", example: true }, async (page) => {
    await ask(page, QUERY);
    const shown = await columns(page);
    assert.deepEqual(Object.keys(shown), Object.keys(NATIVE));
    for (const [ranker, names] of Object.entries(shown)) assert.deepEqual(names, found(ranker, QUERY), ranker);
    const marks = await page.locator("[data-ranker=sift] [data-hit] mark").allTextContents();
    assert.ok(
      marks.some((mark) => /calendar|free|slot/i.test(mark)),
      marks.join(),
    );
    await page.waitForURL(/#\/search\?.*q=free\+slot/);
    const why = page.locator(".lab-why");
    await why.locator(".reason").first().waitFor();
    const named = () => why.getByLabel("Why this tool").inputValue();
    assert.equal(await named(), shown.sift[0]);
    const other = shown.sift[1];
    await page.locator(`[data-ranker=sift] [data-hit='${other}'] button`).click();
    await page.waitForURL(new RegExp(`at=${other}`));
    assert.equal(await named(), other);
    await page.reload();
    await why.locator(".verdicts li", { hasText: "no. 2" }).first().waitFor();
    assert.equal(await named(), other);

    const sift = filled({ search: { universe: "all" } });
    const { name } = sift.tools().find((tool) => tool.server === "weather");
    const { reason, rank } = sift.explain(QUERY, name);
    assert.equal(rank, null);
    sift.dispose();
    await page.getByLabel("Why this tool").fill("no_such_tool");
    await page.getByText("No tool has this name.").waitFor();
    await page.getByLabel("Why this tool").fill(name);
    await eventually(async () => {
      const [first, ...others] = await page.locator(".verdicts li").allInnerTexts();
      assert.ok(first.startsWith("toolsift"), first);
      assert.ok(first.includes(reason), first);
      assert.ok(first.includes("not found"), first);
      assert.equal(others.length, 4);
    });

    await page.locator(".lab-query").fill("weather");
    await page.locator(".hit.chosen .hit-place", { hasText: "1" }).waitFor();
  });
});

test("it opens with a query at work, and is empty once somebody empties it", async () => {
  await withPage(stage, { hash: "#/search" }, async (page) => {
    await page.locator(".hit.chosen").waitFor();
    assert.notEqual(await page.locator(".lab-query").inputValue(), "");
    assert.doesNotMatch(page.url(), /[?&]q=/, "nobody has asked it");
    await page.locator(".lab-query").fill("");
    await page.locator(".hit").first().waitFor({ state: "detached" });
  });
});

test("queries are proposed; recall and misses of pasted lines", async () => {
  const lines = [
    ["free slot", "find_free_slot"],
    ["weather tomorrow", "get_forecast"],
    ["put a file somewhere else", "no_such_tool"],
  ];
  const sift = filled({ search: { universe: "all" } });
  const real = sift.tools().map(({ name, originalName }) => [originalName, name]);
  sift.dispose();
  const known = [...lines, ...real.slice(0, 25).map(([own]) => [own.replaceAll("_", " "), own])];
  await withPage(stage, { hash: "#/search", example: true }, async (page) => {
    await page.getByRole("radio", { name: "Many queries" }).check();
    await page.getByRole("button", { name: "Propose queries" }).click();
    await page.locator(".recall").waitFor();
    const proposed = readLines(await page.locator("textarea.lines").inputValue());
    assert.deepEqual(proposed.bad, []);
    assert.ok(proposed.lines.length >= 20 && proposed.lines.length <= 40, `${proposed.lines.length} lines`);
    const text = ["# a comment", "this line has no tool", ...known.map(([query, tool]) => `${query} → ${tool}`)].join("\n");
    await page.locator("textarea.lines").fill(text);
    await page.getByRole("button", { name: "Measure" }).click();
    await page.getByText("Line 2:").waitFor();
    const names = new Map();
    for (const [own, name] of real) for (const key of [own, name]) names.set(key, [...(names.get(key) ?? []), name]);
    const asked = known.filter(([, tool]) => names.has(tool));
    assert.ok(asked.length < known.length && asked.length > 20);
    let worst = { ranker: "", misses: 0 };
    for (const ranker of Object.keys(NATIVE)) {
      const places = asked.map(([query, tool]) =>
        found(ranker, query, 50).findIndex((name) => names.get(tool).includes(name)),
      );
      const share = (count) => `${Math.round((100 * count) / asked.length)}\u00a0%`;
      const cells = await page.locator(`.recall tr[data-ranker=${ranker}] td`).allInnerTexts();
      const [first, five] = [places.filter((at) => at === 0), places.filter((at) => at >= 0 && at < 5)];
      assert.deepEqual(cells.slice(0, 2), [share(first.length), share(five.length)], ranker);
      const misses = asked.length - first.length;
      assert.equal(Number(cells[2]), misses, ranker);
      if (misses > worst.misses) worst = { ranker, misses };
    }
    await page.getByRole("button", { name: new RegExp(`miss(es)? of ${worst.ranker}`) }).click();
    const miss = page.locator(".miss .link").first();
    const query = await miss.textContent();
    await miss.click();
    await page.locator("[data-testid=columns]").waitFor();
    assert.equal(await page.locator(".lab-query").inputValue(), query);
  });
});

test("the words of packs are searched, as toolsift() adds them", async () => {
  const { servers } = JSON.parse(await builtFile("captured/index.json"));
  const lists = await Promise.all(
    servers.map(async ({ server, file }) => ({ server, tools: JSON.parse(await builtFile(`captured/${file}`)).tools })),
  );
  const { entries } = await packsFor(lists.flatMap(({ tools }) => tools));
  const [plain, worded] = [false, true].map((words) => {
    const sift = new ToolSift({ search: { universe: "all" } });
    for (const { server, tools } of lists) sift.register(tools, { server, ...(words && { enrichment: entries }) });
    return sift;
  });
  const first = (sift, query) => sift.search(query, { limit: 1 }).hits[0]?.name;
  const query = entries.flatMap(({ queries = [] }) => queries).find((one) => first(plain, one) !== first(worded, one));
  assert.ok(query, "the words of a pack change a first hit");
  const wanted = first(worded, query);
  await withPage(stage, { hash: `#/search?${new URLSearchParams({ q: query })}` }, async (page) => {
    await page.locator(`[data-ranker=sift] .hit:first-child[data-hit='${wanted}']`).waitFor();
    await openMenu(page, "catalog");
    const said = /tools have words that people use, of the packs of toolsift .* a language model wrote on \w+ \d+.*, 20\d\d/;
    await page.locator(".own", { hasText: said }).waitFor();
  });
  plain.dispose();
  worded.dispose();
});

test("on a narrow screen one ranker is shown at a time", async () => {
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  await withPage(stage, { ...phone, hash: `#/search?q=${encodeURIComponent(QUERY)}` }, async (page) => {
    await page.locator("[data-ranker=sift] [data-hit]").first().waitFor();
    const seen = () =>
      page.locator("[data-testid=columns] [data-ranker]:visible").evaluateAll((all) => all.map((one) => one.dataset.ranker));
    assert.deepEqual(await seen(), ["sift"]);
    await page.getByRole("radio", { name: "bm25" }).check();
    assert.deepEqual(await seen(), ["bm25"]);
  });
});

test("lines are read as the command line reads them", () => {
  const text = 'a b -> x\na -> b → y | z\nc\tw\n{"query": "q", "tool": ["u", "v"]}\n\n# no\nnothing here';
  const { lines, bad } = readLines(text);
  assert.deepEqual(
    lines.map(({ query, tools }) => [query, tools]),
    [
      ["a b", ["x"]],
      ["a -> b", ["y", "z"]],
      ["c", ["w"]],
      ["q", ["u", "v"]],
    ],
  );
  assert.deepEqual(
    bad.map(({ line }) => line),
    [7],
  );
  assert.deepEqual(
    readLines(writeLines(lines))
      .lines.map(({ query, tools }) => [query, tools])
      .slice(2),
    lines.slice(2).map(({ query, tools }) => [query, tools]),
  );
  assert.equal(readLines(Array.from({ length: 600 }, () => "a -> b").join("\n")).lines.length, 500);
});

test("marks stand where words begin, and anywhere for what matches inside", () => {
  const part = (matched, how, field = "name") => ({ field, term: matched, matched, how, contribution: 1 });
  const marksOf = (text, parts, field) =>
    marked(text, parts, field)
      .filter(({ kind }) => kind)
      .map((piece) => piece.text);
  assert.deepEqual(marksOf("createIssueCreate", [part("create", "word")], "name"), ["create", "Create"]);
  assert.deepEqual(marksOf("recreate_issue", [part("create", "word")], "name"), []);
  assert.deepEqual(marksOf("recreate_issue", [part("create", "inside")], "name"), ["create"]);
  assert.deepEqual(marksOf("create", [part("create", "word", "description")], "name"), []);
  assert.equal(
    marked("any text", [part("text", "word", "text")], "name")
      .map(({ text }) => text)
      .join(""),
    "any text",
  );
});
