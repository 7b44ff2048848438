/** A page of the playground in a real browser, watched for everything that a quiet page does not do. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, findBrowser } from "../../../scripts/browser.mjs";
import { LATE_BY } from "./site.mjs";

const shots = fileURLToPath(new URL("../screenshots", import.meta.url));

const DESKTOP = { width: 1360, height: 860 };

/** Long enough for a small machine; what fails is shown by the step that waits. */
const TIMEOUT = 60_000;

export async function startBrowser() {
  const executablePath = process.env.CHROME_PATH || (await findBrowser());
  if (!executablePath) throw new Error("no Chrome or Chromium found; CHROME_PATH names one");
  return chromium.launch({ executablePath, args: BROWSER_FLAGS });
}

/** The core has answered, and the page is what it will be. */
export async function ready(page) {
  await page.locator("html[data-ready]").waitFor();
}

/** Nothing waits any more: the words of packs are there, which change the catalog once more, and what follows from it. */
export async function finished(page) {
  await page.locator("html:not([data-unfinished])").waitFor();
}

/**
 * Opens the playground on a stage, hands it to `use`, and then holds it to the promises of every page: nothing on the
 * console, no error, no request to anywhere else. `hash` is the view that it opens with, `example` whether its tools
 * are those of the example catalog, which do not change. `others` are the origins that this page is told to ask. Only where it
 * `keeps` its files for a time without a network, it has a service worker, which fetches all of them for each new visitor.
 * Nothing moves unless `reducedMotion` says so.
 *
 * A new browser context costs as much processor time as the page itself. So each test loads the page anew in the tab of the
 * one before, after the browser has forgotten what that kept. What outlives this, such as a clock, a test does `alone`.
 */
export async function withPage(stage, { hash = "#/conversation", example, others = [], ...visit }, use) {
  const {
    keeps = false,
    alone = keeps,
    viewport = DESKTOP,
    colorScheme = "light",
    reducedMotion = "reduce",
    ...device
  } = visit;
  const site = example ? stage.bare : stage.site;
  const kind = JSON.stringify(device);
  const page = (!alone && stage.tabs.get(kind)) || (await newTab(stage.browser, keeps, device));
  if (!alone) stage.tabs.delete(kind);
  const context = page.context();
  const noise = [];
  const heard = {
    console: (message) => noise.push(`console ${message.type()}: ${message.text()}`),
    pageerror: (error) => noise.push(`uncaught: ${error.message}`),
    request: (request) => {
      const address = request.url();
      const known = [site.origin, ...others].some((origin) => address.startsWith(`${origin}/`));
      if (!known && !address.startsWith("data:") && !address.startsWith("blob:")) noise.push(`request: ${address}`);
    },
  };
  for (const [event, hear] of Object.entries(heard)) page.on(event, hear);
  try {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion });
    await page.goto(site.address + hash);
    await ready(page);
    if (example) await finished(page);
    await use(page, context);
    assert.deepEqual(noise, []);
    for (const [event, hear] of Object.entries(heard)) page.off(event, hear);
    if (alone) return;
    await leave(page, site);
    stage.tabs.set(kind, page);
  } finally {
    if (stage.tabs.get(kind) !== page) await context.close();
  }
}

async function newTab(browser, keeps, device) {
  const context = await browser.newContext(device);
  if (!keeps) await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
  if (LATE_BY) await context.addInitScript(slowly, LATE_BY);
  context.setDefaultTimeout(TIMEOUT);
  return context.newPage();
}

/**
 * Makes the core of a page answer late, each time by another while of up to `most` ms, as on a busy machine. What a test reads
 * without waiting for it is then not there yet.
 */
function slowly(most) {
  const { setTimeout, Worker } = window;
  const { postMessage } = Worker.prototype;
  const sent = new WeakMap();
  Worker.prototype.postMessage = function (...given) {
    const now = performance.now();
    const at = Math.max(now, sent.get(this) ?? now) + Math.random() * most;
    sent.set(this, at);
    setTimeout(() => postMessage.apply(this, given), at - now);
  };
}

/** Tries a check until it holds, for what the page shows a while after what it was told. */
export async function eventually(check) {
  for (const end = Date.now() + TIMEOUT; ; await delay(20)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Opens a link in a tab of its own, as somebody does who was sent it; answers what `use` does. */
export async function followed(page, address, use) {
  const tab = await page.context().newPage();
  try {
    await tab.goto(address);
    await ready(tab);
    return await use(tab);
  } finally {
    await tab.close();
  }
}

/** Ends a visit of which the browser keeps nothing. */
async function leave(page, { origin }) {
  await page.goto("about:blank");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
}

/** Where a picture is left for eyes. */
export function shotPath(name) {
  mkdirSync(shots, { recursive: true });
  return `${shots}/${name}`;
}

export async function screenshot(page, name, options = {}) {
  // What sticks to the top would otherwise stand in the middle of a picture of the whole page.
  if (options.fullPage) await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  await page.screenshot({ path: shotPath(`${name}.png`), ...options });
}

/** Files as they are dragged over the page, inside of it. */
export function filesIn(page, files) {
  return page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, text } of given) data.items.add(new File([text], name, { type: "application/json" }));
    return data;
  }, files);
}

/** Drops files on the page as a person would who drags them there. */
export async function dropFiles(page, files) {
  const transfer = await filesIn(page, files);
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
