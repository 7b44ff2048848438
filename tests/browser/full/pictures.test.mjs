/**
 * Pictures of every view at the widths of a desk and a phone, in both themes, of the scene while it moves, and recordings of it,
 * for eyes: `npm run test:browser -- --only pictures` leaves them in tests/browser/screenshots. Each view must be there before
 * its picture is taken.
 */

import { test } from "node:test";
import { finished, screenshot, withPage } from "../lib/browser.mjs";
import { openMenu } from "../lib/model.mjs";
import { record } from "../lib/recording.mjs";
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
  ["answer"],
]);

/** Each view with its address and what only it shows, once nothing in it waits any more. */
const VIEWS = {
  overview: ["#/overview", "#headline"],
  conversation: ["#/conversation", ".turn:nth-child(9)"],
  request: ["#/conversation?tab=request", ".parts"],
  changes: ["#/conversation?tab=changes", "#tab-changes[aria-selected=true]"],
  compare: ["#/compare", "[role=status]:has-text('used,')"],
  search: ["#/search?q=create+an+issue", ".verdicts li"],
  many: ["#/search?tab=many", "main textarea"],
  catalog: ["#/catalog", ".tool-line"],
  map: ["#/catalog?tab=map", ".big-map"],
  doctor: ["#/catalog?tab=doctor", ".doctor-head"],
  use: ["#/use", "main pre"],
};

const LOOKS = [1920, 1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme })));

for (const { width, colorScheme } of LOOKS) {
  const look = { viewport: { width, height: 844 }, colorScheme };

  test(`pictures at ${width}, ${colorScheme}`, async () => {
    await withPage(stage, look, async (page) => {
      // What a view asks before the catalog is what it will be, it asks again.
      await finished(page);
      for (const [view, [hash, there]] of Object.entries(VIEWS)) {
        const [path, query] = hash.split("?");
        const address = `${path}?${new URLSearchParams([...new URLSearchParams(query), ["script", SCRIPT]])}`;
        await page.evaluate((to) => (location.hash = to), address);
        await page.locator(there).first().waitFor();
        await finished(page);
        await screenshot(page, `${view}-${width}-${colorScheme}`, { fullPage: true });
      }
      for (const menu of ["catalog", "profile", "share"]) {
        await openMenu(page, menu);
        await screenshot(page, `menu-${menu}-${width}-${colorScheme}`);
        await page.keyboard.press("Escape");
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await screenshot(page, `seek-${width}-${colorScheme}`);
    });
  });

  test(`the scene at ${width}, ${colorScheme}: without tool search, as it drains, and with it`, async () => {
    await withPage(stage, { ...look, alone: true, hash: "#/overview", reducedMotion: "no-preference" }, async (page) => {
      await stopTime(page);
      const choose = async (name, after) => {
        await page.locator(".scene-head").getByRole("radio", { name }).check();
        await page.clock.runFor(after);
      };
      await choose("Without tool search", 2_000);
      await screenshot(page, `scene-1-without-${width}-${colorScheme}`);
      await choose("With tool search", 400);
      await screenshot(page, `scene-2-drains-${width}-${colorScheme}`);
      await page.clock.runFor(2_000);
      await screenshot(page, `scene-3-with-${width}-${colorScheme}`);
    });
  });
}

for (const colorScheme of ["light", "dark"]) {
  test(`recordings of the scene, ${colorScheme}`, async () => {
    const look = { alone: true, viewport: { width: 1280, height: 844 }, colorScheme, reducedMotion: "no-preference" };
    await withPage(stage, { ...look, hash: "#/overview" }, async (page) => {
      await stopTime(page);
      const choose = (name) => page.locator(".scene-head").getByRole("radio", { name }).check();
      const step = async (told, way = "One step on") => {
        await page.getByRole("button", { name: way }).click();
        await page.locator("[data-testid=caption]", { hasText: told }).waitFor();
      };
      await choose("Without tool search");
      await page.clock.runFor(2_000);
      await record(page, `opening-${colorScheme}`, async ({ hold, run }) => {
        await hold(1_000);
        await choose("With tool search");
        await run(900);
        await hold(700);
        await step("The user says");
        await hold(700);
        await step("The model searches for");
        await run(900);
        await hold(2_500);
      });
      await step("The user says", "One step back");
      await page.clock.runFor(2_000);
      await record(page, `search-${colorScheme}`, async ({ hold, run }) => {
        await hold(1_000);
        await step("The model searches for");
        await run(900);
        await hold(2_000);
      });
      await step("The user says", "One step back");
      await step("Nothing is said yet", "One step back");
      await page.clock.runFor(2_000);
      await record(page, `conversation-${colorScheme}`, async ({ hold, run }) => {
        await hold(800);
        for (const told of ["The user says", "The model searches for", "The model calls"]) {
          await step(told);
          await run(900);
          await hold(900);
        }
      });
    });
  });
}

/** Waits until the page is what it will be. From then on its time stands still between two pictures. */
async function stopTime(page) {
  // Where somebody does something, the page does not search by itself.
  await page.keyboard.press("Shift");
  await finished(page);
  await page.locator(".scene[data-mode=with]").waitFor();
  await page.locator("[data-moving]").waitFor({ state: "detached" });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}
