/**
 * Pictures of every view at the widths of a desk and a phone, in both themes, for eyes: tests/browser/screenshots. Each view
 * must be there before its picture is taken.
 */

import { test } from "node:test";
import { ready, screenshot, withPage } from "../lib/browser.mjs";
import { openMenu } from "../lib/model.mjs";
import { onStage } from "../lib/stage.mjs";

const stage = onStage();

const SCRIPT = JSON.stringify([
  ["say", "Is there already an issue about the login page?"],
  ["search", "search issues"],
  ["use", "search_issues"],
  ["say", "No? Then open one."],
  ["search", "create an issue"],
  ["use", "create_issue"],
  ["say", "Tell the team about it."],
  ["search", "post a message to a channel"],
  ["use", "slack_post_message"],
]);

/** Each view with what must be there before it is looked at. */
const VIEWS = {
  overview: "#headline",
  conversation: ".turn:nth-child(9)",
  compare: "[data-price-bar='everything in full']",
  search: "main h1",
  catalog: "main h1",
  use: "main h1",
};

const LOOKS = [1920, 1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme })));

for (const { width, colorScheme } of LOOKS) {
  test(`pictures at ${width}, ${colorScheme}`, async () => {
    const viewport = { width, height: 844 };
    await withPage(stage, { viewport, colorScheme, reducedMotion: "reduce" }, async (page) => {
      for (const [view, there] of Object.entries(VIEWS)) {
        await page.goto("about:blank");
        const state = new URLSearchParams({ script: SCRIPT, ...(view === "search" && { q: "create an issue" }) });
        await page.goto(`${stage.site.address}#/${view}?${state}`);
        await ready(page);
        await page.locator(there).first().waitFor();
        await page.waitForTimeout(view === "overview" || view === "conversation" ? 300 : 2_500);
        await screenshot(page, `${view}-${width}-${colorScheme}`, { fullPage: true });
      }
      for (const menu of ["catalog", "profile"]) {
        await openMenu(page, menu);
        await screenshot(page, `menu-${menu}-${width}-${colorScheme}`);
        await page.keyboard.press("Escape");
      }
    });
  });
}
