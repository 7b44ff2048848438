/**
 * The playground for everybody:
 *
 * 1. Everything from the first screen to an added tool is done with the keyboard alone, with the focus in sight, and
 *    what happens is read out.
 * 2. On a phone nothing is wider than the screen, whatever is unfolded.
 * 3. Light and dark follow the system and the visitor's own choice, which is kept; texts have contrast in both.
 * 4. Motion is left out where it is not wanted.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { screenshot, withPage } from "./lib/browser.mjs";
import { dropExample } from "./lib/example.mjs";
import { faintTexts, turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** What was found and is not loaded yet. */
const ADD = ".results .add[aria-disabled=false]";

/** More stops than there are between any two places that the tests go to. */
const MANY_STOPS = 60;

const stage = onStage();

/** What has the focus, by its accessible text, and whether that can be seen. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const ring = element.matches("input[type=radio]") ? element.nextElementSibling : element;
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

test("search and add by keyboard alone", async () => {
  await withPage(stage, {}, async (page) => {
    await dropExample(page);
    const skip = await tabTo(page, () => true);
    assert.equal(skip.text, "Skip to the console");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "console");

    await tabTo(page, (at) => at.type === "radio");
    await tabTo(page, (at) => at.type === "text");
    await page.keyboard.type("wether");
    await page.keyboard.press("Enter");
    await page.locator(".results .row").first().waitFor();
    assert.match(await page.getByTestId("announcement").innerText(), /^\d+.tools named/);

    const add = await tabTo(page, (at) => /^Add /.test(at.text));
    await page.keyboard.press("Enter");
    await page.locator("[data-turn='3']").waitFor();
    const kept = await focused(page);
    assert.equal(kept.text, add.text.replace("Add ", "Added "), "the focus stays on the button");
    assert.equal(kept.disabled, "true");
    assert.match(await page.getByTestId("announcement").innerText(), /^Loaded mcp__weather__/);
    assert.equal((await turnsOf(page)).length, 3);
  });
});

test("the radios of the console move with the arrow keys", async () => {
  await withPage(stage, {}, async (page) => {
    await page.getByRole("radio", { name: "search_tools" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.getByRole("radio", { name: "add_tool" }).isChecked());
    await page.getByRole("button", { name: "Call add_tool" }).waitFor();
  });
});

test("the focus goes through the whole page and out of it", async () => {
  await withPage(stage, {}, async (page) => {
    const stops = new Set();
    for (let stop = 0; stop < 400; stop += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        element.dataset.stop ??= String(document.querySelectorAll("[data-stop]").length);
        return element.dataset.stop;
      });
      if (at === null || stops.has(at)) break;
      stops.add(at);
    }
    const reached = await page.locator(".foot").evaluate(() => document.querySelectorAll(".source [data-stop]").length);
    assert.ok(reached > 0, "the last controls of the page were reached");
  });
});

test("the profiles are chosen with the arrow keys, and from the comparison with the keyboard", async () => {
  await withPage(stage, {}, async (page) => {
    await page.locator(".profile-bar").getByRole("radio", { name: "search-add" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("radio", { name: "ToolSearch" }).waitFor();
    assert.match(await page.getByTestId("announcement").innerText(), /^Profile select, from the start: /);
    await page.getByRole("button", { name: "stub", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "tool_search" }).waitFor();
    assert.equal((await focused(page)).text, "stub", "the focus stays on the column");
  });
});

test("on a phone nothing is wider than the screen", async () => {
  await withPage(stage, PHONE, async (page) => {
    // A page that is too wide makes a phone widen its window.
    const wide = () => page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth) > 360);
    assert.equal(await wide(), false);
    await page.locator(".chip").first().tap();
    await page.locator(ADD).first().tap();
    await page.locator("[data-turn='3']").waitFor();
    assert.equal(await wide(), false);
    await screenshot(page, "phone");
    await screenshot(page, "phone-full", { fullPage: true });

    await page.getByLabel("Tool search is").selectOption("share");
    await page.locator(".tool-line").first().tap();
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    assert.equal(await wide(), false);
    const controls = page.locator("button:visible, select:visible, input[type=text]:visible");
    const small = await controls.evaluateAll((all) =>
      all.filter((control) => control.getBoundingClientRect().height < 24).map((control) => control.textContent),
    );
    assert.deepEqual(small, [], "every control can be hit with a finger");

    for (const profile of ["search-add", "select", "select-load", "stub", "bridge"]) {
      await page.locator(".profile-bar").getByRole("radio", { name: profile, exact: true }).check();
      await page.locator(".chip").first().tap();
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      assert.equal(await wide(), false, profile);
    }
    await page.locator("#comparison").evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
    await screenshot(page, "phone-comparison");
  });
});

for (const colorScheme of ["light", "dark"]) {
  test(`texts have contrast in ${colorScheme}`, async () => {
    await withPage(stage, { colorScheme }, async (page) => {
      await dropExample(page);
      await page.locator(".chip").first().click();
      await page.locator(ADD).first().click();
      await page.locator(".tool-line").first().click();
      await page.getByLabel("What the model sees of a tool held back").selectOption("names");
      await page.getByLabel("Context window of the model").fill("-1");
      await page.keyboard.press("Enter");
      await page.locator("[role=alert]").waitFor();
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      // Colours may be on their way to their new value.
      await page.waitForTimeout(500);
      assert.deepEqual(await faintTexts(page), []);

      for (const profile of ["stub", "bridge"]) {
        await page.locator(".profile-bar").getByRole("radio", { name: profile, exact: true }).check();
        await page.locator(".chip").first().click();
        await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
        await page.waitForTimeout(500);
        assert.deepEqual(await faintTexts(page), [], profile);
      }
    });
  });
}

test("dark follows the system, and the visitor's choice outranks it and is kept", async () => {
  await withPage(stage, { colorScheme: "dark" }, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    await page.locator(".chip").first().click();
    await page.locator(ADD).first().click();
    await page.waitForTimeout(500);
    await screenshot(page, "desktop-dark");
    await screenshot(page, "desktop-dark-full", { fullPage: true });

    await page.getByRole("button", { name: "Theme: system. Switch to light." }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    await page.locator("#headline").waitFor();
    assert.equal(await ground(), light);
    await page.getByRole("button", { name: "Theme: light. Switch to dark." }).click();
    assert.equal(await ground(), dark);
    await page.getByRole("button", { name: "Theme: dark. Switch to system." }).click();
    assert.equal(await ground(), dark);
  });
});

test("nothing moves where motion is not wanted", async () => {
  await withPage(stage, { reducedMotion: "reduce" }, async (page) => {
    await page.locator(".chip").first().click();
    await page.locator(ADD).first().click();
    const moving = await page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
  });
});
