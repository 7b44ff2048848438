/** Opens a page of the playground in a real browser, and records errors and unexpected requests. */

import assert from "node:assert/strict";
import { afterAll, beforeAll } from "vitest";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, findBrowser } from "../../../scripts/browser.mjs";
import { serveSite } from "./site.mjs";

/** Long enough for a small machine; what fails is shown by the step that waits. */
const TIMEOUT = 60_000;

export async function startBrowser() {
  const executablePath = process.env.CHROME_PATH || (await findBrowser());
  if (!executablePath) throw new Error("no Chrome or Chromium found; CHROME_PATH names one");
  return chromium.launch({ executablePath, args: BROWSER_FLAGS });
}

let stage;

/** The browser and the served page of a file; both are there when its first test begins. */
export function onStage() {
  stage = {};
  beforeAll(async () => Object.assign(stage, { browser: await startBrowser(), site: await serveSite() }));
  afterAll(async () => {
    await stage.browser?.close();
    await stage.site?.close();
  });
  return stage;
}

/**
 * Opens the page, hands it to `use`, and holds it to the promises of every visit: nothing on the console, no error, no request
 * to anywhere else. Nothing moves unless `reducedMotion` says so. `prepare` runs in the page before its own scripts.
 */
export async function withPage({ hash = "", prepare, ...device }, use) {
  const context = await stage.browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...device,
  });
  context.setDefaultTimeout(TIMEOUT);
  try {
    if (prepare) await context.addInitScript(prepare);
    const page = await context.newPage();
    const noise = [];
    const requests = [];
    page.on("console", (message) => noise.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => noise.push(`uncaught: ${error.message}`));
    context.on("request", (request) => {
      requests.push(request.url());
      if (!request.url().startsWith(`${stage.site.origin}/`)) noise.push(`request: ${request.url()}`);
    });
    await page.goto(stage.site.address + hash);
    await page.locator("html[data-ready]").waitFor();
    await use(page, { context, requests });
    assert.deepEqual(noise, []);
  } finally {
    await context.close();
  }
}

/** What the page shows of a request, once it has been played to the end. */
export async function ask(page, request) {
  await page.getByLabel("What should the agent do?").fill(request);
  await page.keyboard.press("Enter");
  await page.locator(".timeline q", { hasText: request }).first().waitFor();
  await page.locator(".timeline > li:last-child[aria-current=step]").waitFor();
  return shown(page);
}

/** What stands on the page, in parts. */
export function shown(page) {
  return page.evaluate(() => {
    const text = (selector) => document.querySelector(selector)?.innerText.replaceAll("\u00a0", " ") ?? "";
    const named = (state) => [...document.querySelectorAll(`.block.${state}`)].map((block) => block.dataset.name);
    return {
      claim: text("h1"),
      numbers: text(".numbers").replace(/\s+/g, " "),
      lines: [...document.querySelectorAll(".timeline > li > .line")].map((line) =>
        line.innerText.replaceAll("\u00a0", " "),
      ),
      hits: [...document.querySelectorAll(".hit summary code")].map((hit) => hit.innerText),
      found: named("found"),
      loaded: named("loaded"),
      blocks: document.querySelectorAll(".block").length,
      status: text(".bring [role=status]"),
    };
  });
}

/** Drops files on the page as a person would who drags them there. */
export async function dropFiles(page, files) {
  const dataTransfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, text } of given) data.items.add(new File([text], name, { type: "application/json" }));
    return data;
  }, files);
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  await page.dispatchEvent("body", "drop", { dataTransfer });
}
