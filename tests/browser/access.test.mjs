/**
 * The playground for everybody:
 *
 * 1. From the first screen to a revealed tool everything is done with the keyboard alone, with the focus in sight, and what
 *    happens is read out. The menus of the bar open and close by keyboard.
 * 2. axe finds nothing to mend, in any view, in both themes.
 * 3. On a phone nothing is wider than the screen, no view is longer than three screens, and every control can be hit.
 * 4. Light and dark follow the system and the visitor's own choice, which is kept; texts have contrast in both.
 * 5. Motion is left out where it is not wanted.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { finished, ready, withPage } from "./lib/browser.mjs";
import { dropExample } from "./lib/example.mjs";
import { follow, openMenu, search } from "./lib/model.mjs";
import { faintTexts, turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** What else some views show, by the choice in their head. */
const PARTS = { search: ["Many queries"], catalog: ["Map", "Doctor"], use: ["In an MCP client"] };

/** Shows one of these parts as it is when there is something in it. */
async function showPart(page, part) {
  await page.locator(".view-head").getByRole("radio", { name: part, exact: true }).check();
  if (part === "Many queries") {
    await page.getByRole("button", { name: "Propose queries" }).click();
    await page.locator(".recall").waitFor();
  }
  if (part === "Map") await page.locator(".big-map").focus();
  if (part === "Doctor") await page.locator(".cause button").first().click();
}

/** A conversation with hits, so that every view has something to show. */
const SCRIPT = JSON.stringify([
  ["say", "Open an issue."],
  ["search", "create an issue"],
  ["use", "create_issue"],
]);

const addressOf = (view) =>
  `#/${view}?${new URLSearchParams({ script: SCRIPT, ...(view === "search" && { q: "create an issue" }) })}`;

/** What each view shows last. */
const LAST = {
  overview: ".scene",
  conversation: "[data-testid=cheaper-surface]",
  compare: "main [role=status]:has-text('used,')",
  search: ".verdicts li",
  catalog: ".tool-line",
  use: "main pre",
};

/** Shows a view of the conversation, with everything that it waits for. */
async function show(page, view) {
  await follow(page, addressOf(view));
  await page.locator(`main[data-view=${view}]`).waitFor();
  await page.locator(LAST[view]).first().waitFor();
  await finished(page);
}

/** More stops than there are between any two places that the tests go to. */
const MANY_STOPS = 60;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const stage = onStage();

/** What has the focus, by its accessible text, and whether that can be seen. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const ring = element.matches(".segment input") ? element.nextElementSibling : element;
    const { outlineStyle, outlineWidth } = getComputedStyle(ring);
    return {
      text: (element.getAttribute("aria-label") ?? element.textContent ?? "").trim(),
      tag: element.tagName,
      type: element.getAttribute("type"),
      visible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
      disabled: element.getAttribute("aria-disabled"),
    };
  });

/** Tabs on until the focus is where it is wanted; every stop on the way must be in sight. */
async function tabTo(page, wanted) {
  for (let stop = 0; stop < MANY_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    assert.ok(at.visible, `the focus is not in sight at ${at.tag} ${at.text.slice(0, 60)}`);
    if (wanted(at)) return at;
  }
  return assert.fail("the focus never got there");
}

test("from the overview to a revealed tool by keyboard alone", async () => {
  await withPage(stage, { hash: "#/overview", example: true }, async (page) => {
    const skip = await tabTo(page, () => true);
    assert.equal(skip.text, "Skip to the view");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    assert.equal((await focused(page)).text, "Conversation");
    await page.keyboard.press("Enter");
    await page.locator("[data-view=conversation]").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "main", "another view takes the focus");

    await tabTo(page, (at) => at.type === "radio");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Call add_tool" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await tabTo(page, (at) => at.type === "text");
    await page.keyboard.type("send money");
    await page.keyboard.press("Enter");
    await page.locator(".results .row").first().waitFor();
    assert.match(await page.getByTestId("announcement").innerText(), /^\d+.tools? found/);
    const add = await tabTo(page, (at) => /^Add /.test(at.text));
    await page.keyboard.press("Enter");
    await page.locator("[data-turn='3']").waitFor();
    const kept = await focused(page);
    assert.equal(kept.text, add.text.replace("Add ", "Added "), "the focus stays on the button");
    assert.equal(kept.disabled, "true");
    assert.match(await page.getByTestId("announcement").innerText(), /^Revealed mcp__/);
    assert.equal((await turnsOf(page)).length, 3);
  });
});

test("menus and tabs by keyboard", async () => {
  await withPage(stage, {}, async (page) => {
    await page.locator("[data-menu=profile] .menu-button").focus();
    await page.keyboard.press("Enter");
    await tabTo(page, (at) => at.type === "radio");
    await page.keyboard.press("ArrowDown");
    await page.locator("[data-menu=profile] .menu-main", { hasText: "search-add" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu-panel").count(), 0);
    assert.equal(
      (await focused(page)).text.replace("\u00a0", " "),
      "Profile: search-add",
      "the focus is back at the button",
    );
    await page.getByRole("tab", { name: "Bill" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("[role=tab][aria-selected=true]", { hasText: "Request" }).waitFor();
    assert.equal((await focused(page)).text, "Request");
  });
});

test("the focus goes through the whole page and out of it", async () => {
  await withPage(stage, {}, async (page) => {
    const stops = new Set();
    let ended = false;
    for (let stop = 0; stop < 400 && !ended; stop += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        // By a count that never falls: a control that is drawn anew takes its number with it.
        globalThis.stops ??= 0;
        element.dataset.stop ??= String(globalThis.stops++);
        return element.dataset.stop;
      });
      ended = at === null || stops.has(at);
      stops.add(at);
    }
    assert.ok(ended && stops.size > 15);
    assert.ok(await page.locator(".prices [data-stop], .prices[data-stop]").count(), "the last control was reached");
  });
});

/** `npm test` looks at one theme, `npm run test:browser` at both. */
const THEMES = isFull ? ["light", "dark"] : ["light"];

for (const colorScheme of THEMES) {
  test(`axe finds nothing, and texts have contrast, in ${colorScheme}`, async () => {
    await withPage(stage, { colorScheme }, async (page) => {
      await page.evaluate(axe);
      for (const view of Object.keys(LAST)) {
        await show(page, view);
        await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
        await examine(page, view);
        assert.deepEqual(await faintTexts(page), [], view);
        for (const part of PARTS[view] ?? []) {
          await showPart(page, part);
          await examine(page, part);
          assert.deepEqual(await faintTexts(page), [], part);
        }
      }
      for (const menu of ["catalog", "profile", "share"]) {
        await openMenu(page, menu);
        await examine(page, `menu ${menu}`);
        for (const door of menu === "catalog" ? ["Files", "Live server", "Gallery"] : []) {
          await page.locator(".own").getByRole("radio", { name: door }).check();
          await examine(page, door);
        }
        await page.keyboard.press("Escape");
      }
      await follow(page, "#/overview");
      await dropExample(page);
      await page.locator(".receipt-picture").waitFor();
      await examine(page, "a card");
      await follow(page, "#/conversation?profile=nobody");
      await page.locator(".notice-line").waitFor();
      await examine(page, "a notice");
      await page.keyboard.press("Control+k");
      await page.locator(".seek-dialog input").fill("issue");
      await page.locator(".seek-dialog [role=option]", { hasText: "create_issue" }).first().waitFor();
      await examine(page, "the search for everything");
      assert.deepEqual(await faintTexts(page), [], "the search for everything");
    });
  });
}

async function examine(page, what) {
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.target.join(" "))
          .slice(0, 4)
          .join(", ")}`,
    );
  });
  assert.deepEqual(violations, [], what);
}

test("on a phone nothing is wider than the screen, no view is longer than three screens", async () => {
  await withPage(stage, PHONE, async (page) => {
    const { width, height } = PHONE.viewport;
    // A page that is too wide makes a phone widen its window.
    const wide = () => page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth));
    for (const view of Object.keys(LAST)) {
      await show(page, view);
      assert.ok((await wide()) <= width, `${view}: ${await wide()}`);
      const bill = page.locator(".bill-rows");
      if (await bill.count())
        assert.ok(await bill.evaluate((rows) => rows.scrollWidth <= rows.clientWidth), "all of the bill");
      const screens = (await page.evaluate(() => document.documentElement.scrollHeight)) / height;
      assert.ok(screens <= 3, `${view} is ${screens.toFixed(2)} screens long`);
      // At once: a locator may find a control that is drawn anew before it is measured.
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input[type=text]")]
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .map((control) => [control.textContent, control.getBoundingClientRect().height])
          .filter(([, height]) => height > 0 && height < 24),
      );
      assert.deepEqual(small, [], view);
      for (const menu of ["catalog", "profile"]) {
        await openMenu(page, menu);
        assert.ok((await wide()) <= width, `${view}, menu ${menu}`);
        await page.keyboard.press("Escape");
      }
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      assert.ok((await wide()) <= width, `${view}, unfolded`);
    }
  });
});

test("in a window that is zoomed no view is wider than it, and every server of the scene has its name", async () => {
  await withPage(stage, {}, async (page) => {
    for (const view of Object.keys(LAST)) {
      await show(page, view);
      for (const width of [640, 390, 320]) {
        await page.setViewportSize({ width, height: 422 });
        // Pictures are drawn anew a frame after the window has changed.
        await page
          .waitForFunction((wanted) => document.documentElement.scrollWidth === wanted, width)
          .catch(() => assert.fail(`${view} is not ${width} wide`));
        if (view !== "overview" || width < 390) continue;
        const servers = Number((await page.locator("[data-menu=catalog] .menu-more").textContent()).match(/\d+/)[0]);
        await page
          .locator(".scene .map-label")
          .nth(servers - 1)
          .waitFor();
      }
    }
  });
});

test("dark follows the system, and the visitor's choice outranks it and is kept", async () => {
  await withPage(stage, { colorScheme: "dark" }, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    await page.getByRole("button", { name: "Theme: system. Switch to light." }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    await ready(page);
    assert.equal(await ground(), light);
    await page.getByRole("button", { name: "Theme: light. Switch to dark." }).click();
    assert.equal(await ground(), dark);
    await page.getByRole("button", { name: "Theme: dark. Switch to system." }).click();
    assert.equal(await ground(), dark);
  });
});

test("nothing moves where motion is not wanted", async () => {
  await withPage(stage, {}, async (page) => {
    await search(page, "create issue");
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
  });
});
