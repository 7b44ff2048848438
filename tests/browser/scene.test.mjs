/**
 * The picture of the page:
 *
 * 1. It opens without tool search, where motion is wanted: a request is as large as the catalog. The switch drains it, in one scale.
 * 2. A request too small to see is enlarged, with the factor.
 * 3. Between the two, what is sent drains behind a straight edge, which stands as high as the number of that frame says; the
 *    words tell no more than the picture shows. Then the model searches by itself, unless somebody does something. Where motion
 *    is not wanted there are two still states.
 * 4. The scene stays in every view, and captions tell what happens; ← and → step through it.
 * 5. Deferred, found and revealed differ by at least 3 to 1 in grey, in both themes; messages have a pattern.
 * 6. A line counts what happens as the bill does: messages, calls, answers, requests. The parts of a request are its sum.
 * 7. Every look that is drawn stands in the legend below it, in every view and profile.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ready, withPage } from "./lib/browser.mjs";
import { filled } from "./lib/example.mjs";
import { chooseProfile, goTo, play } from "./lib/model.mjs";
import { pageModule } from "./lib/page-model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();
const { layoutScene, seenOf } = await pageModule("model/scene.ts");
const { partTokens } = await pageModule("model/parts.ts");

const OVERVIEW = { hash: "" };
const choose = (page, name) => page.locator(".scene-head").getByRole("radio", { name, exact: true }).check();

test("both surfaces have one scale, and a small request is enlarged", () => {
  const sift = filled({});
  const session = sift.session("s");
  const { size } = session.assemble();
  const tools = session.tools();
  const area = ({ at }) => at.width * at.height;
  const sum = (blocks) => blocks.reduce((all, block) => all + area(block), 0);
  const full = layoutScene({ tools, size, found: [], without: true }, 900, 400);
  assert.deepEqual(
    full.request.map(({ key }) => key),
    full.shelf.map(({ key }) => key),
  );
  assert.ok(Math.abs(sum(full.request) - sum(full.shelf)) < 1);
  const few = layoutScene({ tools, size, found: [], without: false }, 900, 400);
  const room = few.frame.width * few.frame.height;
  assert.ok(Math.abs(sum(few.request) / room - size.request.tokens / size.full.tokens) < 0.01);
  assert.ok(few.zoom && Math.abs(sum(few.zoom.blocks) / sum(few.request) - few.zoom.factor) < 0.1);
  assert.equal(seenOf(few), few.zoom.blocks);
  // Where there is no place above a request, it is not enlarged.
  for (const height of [72, 380, 680])
    for (let share = 0.01; share <= 1; share += 0.01) {
      const request = { ...size.request, tokens: Math.round(size.full.tokens * share) };
      const { zoom, request: blocks } = layoutScene(
        { tools, size: { ...size, request }, found: [], without: false },
        900,
        height,
      );
      const top = Math.min(...blocks.map(({ at }) => at.y));
      if (zoom) assert.ok(zoom.at.y + zoom.at.height <= top, `${share} of ${height}`);
    }
  sift.dispose();
});

test("the parts of a request are together what the request is", () => {
  const sift = filled({});
  const session = sift.session("s");
  for (const { name } of session.tools().slice(0, 12)) {
    session.reveal([name]);
    const { size } = session.assemble();
    const sum = Object.values(partTokens(size)).reduce((all, tokens) => all + tokens, 0);
    assert.equal(sum, size.request.tokens, name);
  }
  sift.dispose();
});

test("where nothing moves it opens with tool search, and the switch shows what it is without", async () => {
  await withPage(stage, { ...OVERVIEW, example: true }, async (page) => {
    const { size } = filled({}).session("s").assemble();
    const tokens = () => page.getByTestId("scene-tokens").innerText();
    const written = (value) => value.toLocaleString("en-US");
    await page.locator(".scene[data-mode=with]").waitFor();
    await choose(page, "Without tool search");
    await page.locator(".scene[data-mode=without]").waitFor();
    assert.equal(await tokens(), written(size.full.tokens));
    await choose(page, "With tool search");
    await page.locator(".scene[data-mode=with]").waitFor();
    assert.equal(await tokens(), written(size.request.tokens));
    await page.locator(".zoom-factor", { hasText: /enlarged × \d+/ }).waitFor();
    assert.ok((await page.locator("#headline").innerText()).includes(written(size.request.tokens)));
  });
});

/** What a frame of the motion draws over the request: from which row on there are blocks, and whether only ground is above it. */
const frameOf = (page) =>
  page.locator("canvas[data-moving]").evaluate((canvas) => {
    const style = getComputedStyle(canvas);
    const { width, height } = canvas;
    const painter = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    Object.assign(painter.canvas, { width, height });
    const bytes = (name) => {
      painter.fillStyle = style.getPropertyValue(name);
      painter.fillRect(0, 0, 1, 1);
      return [...painter.getImageData(0, 0, 1, 1).data].join();
    };
    const [sent, ground] = ["--sent", "--ground"].map(bytes);
    const half = Math.ceil(width / 2) + 20;
    painter.clearRect(0, 0, width, height);
    painter.drawImage(canvas, 0, 0);
    const { data } = painter.getImageData(half, 0, width - half - 4, height);
    const row = (y) => {
      const colours = new Set();
      for (let x = 0; x < width - half - 4; x += 1) {
        const at = 4 * (y * (width - half - 4) + x);
        colours.add(data[at + 3] < 255 ? ground : data.subarray(at, at + 4).join());
      }
      return colours;
    };
    const rows = Array.from({ length: height }, (_, y) => row(y));
    const level = rows.findIndex((colours) => colours.has(sent));
    // The edge itself is as thin as the row that it lies in.
    const tokens = Number(document.querySelector("[data-testid=scene-tokens]").textContent.replaceAll(",", ""));
    return {
      tokens,
      headline: document.querySelector(".headline-now").textContent.trim().replaceAll(",", ""),
      told: document.querySelector(".scene-titles span").textContent,
      level: level / height,
      clean: rows.slice(0, Math.max(0, level - 1)).every((row) => row.size === 1 && row.has(ground)),
    };
  });

test("with motion, it drains by itself, and again where somebody asks: behind a straight edge in every frame", async () => {
  await withPage(stage, { ...OVERVIEW, alone: true, reducedMotion: "no-preference" }, async (page) => {
    // Who does something is not interrupted by a search.
    await page.keyboard.press("Shift");
    await page.locator(".scene[data-mode=with]").waitFor();
    await page.locator("[data-moving]").waitFor({ state: "detached" });
    assert.match(await page.locator("#headline").innerText(), /instead of/);
    const few = Number(await page.getByTestId("scene-tokens").innerText());
    // What follows the picture by a frame or two on a busy machine is there too.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 5; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    });
    // From here on the time of the page stands still between two frames.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await choose(page, "Without tool search");
    await page.locator("canvas[data-moving]").waitFor();
    await page.clock.runFor(300);
    assert.doesNotMatch(await page.locator(".hero-text").innerText(), /in every request|without tool search/);
    await page.clock.runFor(2_000);
    assert.match(await page.getByTestId("caption").innerText(), /^Nothing is said yet\. The first request holds every tool/);
    const everything = Number((await page.getByTestId("scene-tokens").innerText()).replaceAll(",", ""));
    await choose(page, "With tool search");
    const frames = [];
    for (let at = 50; at <= 500; at += 50) {
      await page.clock.runFor(50);
      const saved = await page.locator(".headline-saved").isVisible();
      frames.push({ ...(await frameOf(page)), saved, legend: await page.locator(".scene .legend").innerText() });
    }
    const levels = frames.map(({ level }) => level);
    assert.ok(
      frames.every(({ clean }) => clean),
      JSON.stringify(frames),
    );
    assert.deepEqual(
      levels,
      levels.toSorted((a, b) => a - b),
    );
    assert.ok(levels[0] < 0.2 && levels.at(-1) > 0.7, levels.join());
    // The number beside it is as far, and what is saved is told afterwards; what drains is in the legend.
    for (const { level, tokens, headline, told, saved, legend } of frames) {
      // Blocks leave room for the names of their servers.
      assert.ok(Math.abs(level - (everything - tokens) / everything) < 0.05 && tokens > few, `${tokens} tokens at ${level}`);
      assert.equal(headline, String(tokens));
      assert.doesNotMatch(told, /deferred/);
      assert.equal(saved, false);
      assert.match(legend, /\bsent\b/);
    }
    await page.clock.runFor(1_000);
    await page.locator("[data-moving]").waitFor({ state: "detached" });
    assert.equal(await page.locator(".headline-saved").isVisible(), true);
    assert.doesNotMatch(await page.locator(".scene .legend").innerText(), /\bsent\b/);
  });
});

test("with motion, the model searches once all is drained, and what it finds is sent", async () => {
  await withPage(stage, { ...OVERVIEW, example: true, alone: true, reducedMotion: "no-preference" }, async (page) => {
    // The time of the page stands still where nobody lets it go on: what is shown for a moment only is not missed.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.goto("about:blank");
    await page.goto(stage.bare.address + OVERVIEW.hash);
    await ready(page);
    await page.clock.runFor(2_600);
    await page.locator(".scene-titles", { hasText: /All \d+.tools deferred/ }).waitFor();
    assert.doesNotMatch(await page.getByTestId("caption").innerText(), /searches/);
    await page.clock.runFor(1_000);
    await page.locator("[data-testid=caption]", { hasText: /The model searches for/ }).waitFor();
    await page.clock.runFor(2_000);
    await page.locator(".scene-titles", { hasText: /\d+ of \d+.tools deferred/ }).waitFor();
    await page.locator(".scene-request .cell.revealed").first().waitFor();
  });
});

test("captions tell the conversation, and the arrows step through it", async () => {
  await withPage(stage, { ...OVERVIEW, example: true }, async (page) => {
    const caption = page.getByTestId("caption");
    const has = (text) => page.locator("[data-testid=caption]", { hasText: text }).waitFor();
    await page.keyboard.press("ArrowRight");
    await has(/^The user says “/);
    await page.keyboard.press("ArrowRight");
    await has(/The model searches for “.*”\. \d+.tools? (is|are) found/);
    assert.match(await caption.innerText(), /revealed: sent from the next request on/);
    await page.locator(".scene-request .cell.revealed").first().waitFor();
    await page.getByRole("button", { name: "One step on" }).click();
    await has(/The model calls .*, and it runs\./);
    await page.keyboard.press("ArrowLeft");
    await has(/The model searches for/);
    for (const view of ["Conversation", "Compare", "Search lab", "Catalog & doctor", "Use it"]) {
      await goTo(page, view);
      await page.locator(".scene-strip .cell.revealed").first().waitFor();
    }
    await goTo(page, "Conversation");
    await page.locator("[data-bar='2']").waitFor();
    assert.equal(await page.locator("[data-bar]").count(), 2);
    await page.locator("[data-bar='1']").click();
    await has(/^The user says “.*” The model searches for/);
    assert.ok((await page.locator("[data-bar='2'] .part.messages").getAttribute("height")) > 0);
  });
});

test("the bill leads once a conversation was played, with one verdict", async () => {
  await withPage(stage, { ...OVERVIEW, example: true }, async (page) => {
    await choose(page, "Without tool search");
    await page.locator(".headline-span", { hasText: /^First request, without tool search$/ }).waitFor();
    assert.equal(await page.getByTestId("verdict").count(), 0);
    const first = (await page.locator(".headline-now").innerText()).trim();
    assert.ok((await page.locator(".running").innerText()).endsWith(` instead of ${first} tokens of tools`), first);
    await play(page, "Play a conversation");
    await page.locator(".headline-span", { hasText: /^Scripted conversation, at prices of Claude Sonnet 4\.6$/ }).waitFor();
    const verdict = await page.getByTestId("verdict").innerText();
    assert.match(verdict, /^In this conversation tool search costs \d+.% (less|more) than all tools in full\./);
    assert.match(await page.locator("#headline").innerText(), /^\$[\d.]+\s+instead of \$[\d.]+: \d+.% (less|more)/);
    const price = (await page.locator("#headline").innerText()).match(/^\$[\d.]+/)[0];
    const everywhere = [page.locator(".running b"), page.locator("[data-total='with tool search'] td").last()];
    assert.equal(await everywhere[0].innerText(), price);
    await goTo(page, "Conversation");
    assert.equal(await everywhere[1].innerText(), price);
    assert.match(await page.locator(".bill-span").innerText(), /^Whole conversation: \d+.requests\.$/);
    const requests = await page.locator("[data-total='with tool search'] td").first().innerText();
    assert.equal(await page.locator("[data-bar]").count(), Number(requests), "the chart counts as the bill does");
    const inFull = await page.locator("[data-total='all tools in full'] td").first().innerText();
    const story = await page.getByTestId("story").innerText();
    const [, calls, answers, sent, full, less] = story.match(/\d+/g).map(Number);
    assert.deepEqual([sent, full], [requests, inFull].map(Number), story);
    assert.deepEqual([calls + answers, sent - full], [sent, less], story);
    await goTo(page, "Compare");
    await page.locator("[data-price-bar=bridge]").waitFor();
    assert.equal(await page.locator("[data-price-bar=sift] b").innerText(), price);
    const cheapest = await page.getByTestId("why-cheapest").innerText();
    const share = verdict.match(/costs (.*? than all tools in full)/)[1];
    assert.ok(
      cheapest.startsWith("sift is cheapest") || cheapest.includes(`This page uses sift, which costs ${share}.`),
      cheapest,
    );
  });
});

test("every look that is drawn stands in its legend", async () => {
  await withPage(stage, { ...OVERVIEW, example: true }, async (page) => {
    const picture = (frame) =>
      page.locator(frame).evaluate((one) => {
        const looks = (all) => [
          ...new Set([...one.querySelectorAll(all)].map((part) => part.classList.item(part.classList.length - 1))),
        ];
        return { drawn: looks(".cell, .part"), told: looks(".legend li") };
      });
    const complete = ({ drawn, told }, where) =>
      assert.deepEqual(
        drawn.filter((look) => !told.includes(look)),
        [],
        `${where}: ${told}`,
      );
    complete(await picture(".scene"), "without tool search");
    for (const profile of ["sift", "stub", "select"]) {
      await chooseProfile(page, profile);
      await choose(page, "With tool search");
      const told = await picture(".scene");
      complete(told, profile);
      assert.ok(told.drawn.includes("discovery") && told.drawn.length >= 3, told.drawn.join());
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await goTo(page, "Conversation");
      complete(await picture("main:has(.scene-strip)"), `${profile}, conversation`);
      assert.match(
        await page
          .locator(".part.messages")
          .first()
          .evaluate((one) => getComputedStyle(one).fill),
        /hatch/,
      );
      await goTo(page, "Overview");
    }
  });
});

test("deferred, found and revealed differ without colour in both themes", async () => {
  await withPage(stage, OVERVIEW, async (page) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const [deferred, found, revealed] = await page.evaluate(() => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const style = getComputedStyle(document.documentElement);
        return ["--sand", "--found", "--revealed"].map((name) => {
          canvas.fillStyle = style.getPropertyValue(name);
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
            const share = value / 255;
            return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        });
      });
      const contrast = (one, other) => Math.max(one, other) / Math.min(one, other);
      assert.ok(contrast(deferred, found) >= 3, `${colorScheme}, deferred and found: ${contrast(deferred, found)}`);
      assert.ok(contrast(found, revealed) >= 3, `${colorScheme}, found and revealed: ${contrast(found, revealed)}`);
    }
  });
});
