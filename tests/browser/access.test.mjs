/** Tests the accessibility of the page: on any device, and with the keyboard alone. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "vitest";
import { onStage, withPage } from "./lib/browser.mjs";

onStage();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const FORMS = [
  ["a phone", PHONE],
  ["a laptop", { viewport: { width: 1280, height: 800 } }],
  ["a large screen", { viewport: { width: 1920, height: 1080 } }],
  ["200 %", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
];

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, and nothing is too wide: ${colorScheme}`, async () => {
    for (const [form, device] of FORMS) {
      // axe comes as a script of its own, which the policy of the page does not allow.
      await withPage({ ...device, colorScheme, bypassCSP: true }, async (page) => {
        for (const what of [".hit summary", ".opened:last-of-type summary"]) await page.locator(what).first().click();
        await page.locator(".reason svg").first().waitFor();
        await page.evaluate(axe);
        const look = async (part) => {
          const { violations } = await page.evaluate(() => window.axe.run());
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(", ")}`,
          );
          assert.deepEqual(found, [], `${part} on ${form}`);
        };
        await look("the page");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide on ${form}`);
        await page.getByRole("button", { name: "Use my servers" }).click();
        await look("the dialog");
      });
    }
  });
}

test("number, box and map are on the first screen of a phone", async () => {
  await withPage(PHONE, async (page) => {
    for (const part of [".numbers", ".box", ".map .frame", ".scale svg"]) {
      const { y, height } = await page.locator(part).boundingBox();
      assert.ok(y > 0 && y + height < PHONE.viewport.height, `${part} ends at ${y + height}`);
    }
    const small = await page
      .locator("button, .choice, a")
      .evaluateAll((all) =>
        all
          .map((one) => [one.innerText, one.getBoundingClientRect().height])
          .filter(([, height]) => height > 0 && height < 24),
      );
    assert.deepEqual(small, []);
  });
});

/** What has the focus; it must be in sight. */
async function focused(page) {
  const at = await page.evaluate(() => {
    const element = document.activeElement;
    const ring = element.closest(".box") ?? (element.matches(".choice input") ? element.nextElementSibling : element);
    const { outlineStyle, outlineWidth } = getComputedStyle(ring);
    return {
      text: (
        element.getAttribute("aria-label") ??
        (element.innerText || element.id || element.parentElement.innerText)
      ).trim(),
      visible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    };
  });
  assert.ok(at.visible, `the focus is not in sight at ${at.text}`);
  return at.text;
}

async function tabTo(page, wanted) {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press("Tab");
    if (wanted.test(await focused(page))) return;
  }
  assert.fail(`the focus never got to ${wanted}`);
}

test("by keyboard alone", async () => {
  await withPage({}, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the page");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await tabTo(page, /^request$/);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("catch up on what people said yesterday");
    await page.keyboard.press("Enter");
    await page.locator(".timeline > li:last-child", { hasText: "slack_get_channel_history" }).waitFor();
    await tabTo(page, /^Use my servers$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await focused(page), "Use my servers", "the focus is back");
    await tabTo(page, /^A step back$/);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".timeline > li:nth-child(3)[aria-current=step]").count(), 1);
    await page.keyboard.press("ArrowRight");
    await tabTo(page, /^slack_get_channel_history/);
    await page.keyboard.press("Enter");
    await page.locator(".reasons").waitFor();
    await tabTo(page, /^AI SDK$/);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.getByRole("region", { name: "What to paste" }).innerText(), /toolsift\/openai/);
    await tabTo(page, /^Copy$/);
    await page.keyboard.press("Enter");
    await page.getByText("Copied").waitFor();
  });
});
