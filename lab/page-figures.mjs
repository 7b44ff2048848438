/**
 * `npm run page-figures`: how fast the built playground is in Chromium: first load and paint, the first answer, and with 5,000
 * tools the time to show them and the longest task of the page. It reports, and asserts nothing.
 */

import { brotliCompressSync, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, provideBrowser } from "../scripts/browser.mjs";
import { options } from "../scripts/lib/options.mjs";
import { buildPlayground } from "../scripts/lib/playground.mjs";
import { isCommand, main, step } from "../scripts/lib/progress.mjs";
import { madeFiles } from "./made-files.mjs";
import { builtFile, serveSite } from "../tests/browser/lib/site.mjs";
import { median } from "./eval/metrics.mjs";

const HELP = `npm run page-figures [-- --json]

Measures the built playground in Chromium: sizes, first paint, first answer, and 5,000 tools.
  --json   the figures as JSON`;

const RUNS = 5;
const REQUEST = "merge the branch of system 7";
const BOX = "#request";

/** What Chromium calls a task of a thread. */
const TASKS = "disabled-by-default-devtools.timeline";

/** The longest task of the page's main thread while `does` runs, in milliseconds of a processor: other work is not counted. */
async function longestTask(page, does) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: [TASKS] });
  await does();
  await page.waitForTimeout(300);
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const mains = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isMain = ({ pid, tid }) => mains.some((one) => one.pid === pid && one.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && event.tdur > 0 && isMain(event));
  return tasks.reduce((most, { tdur }) => Math.max(most, tdur / 1000), 0);
}

async function weights(addresses) {
  const files = await Promise.all([...new Set(addresses)].map(builtFile));
  const sum = (compress) => files.reduce((total, file) => total + compress(file).length, 0);
  return { gzip: sum((file) => gzipSync(file, { level: 9 })), brotli: sum(brotliCompressSync) };
}

/** Sizes, paint and first answer of a new visit. */
async function visit(browser, site) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(site.address, { waitUntil: "networkidle" });
  const paint = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const largest = (list) => resolve(list.getEntries().at(-1).startTime);
        new PerformanceObserver(largest).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  const first = await weights(requests);
  const begin = Date.now();
  await page.fill(BOX, REQUEST);
  await page.locator(".timeline q", { hasText: REQUEST }).waitFor();
  const answer = Date.now() - begin;
  const all = await weights(requests);
  await page.close();
  return { paint, answer, first, all };
}

/** What 5,000 tools take to be shown, and what the page's thread takes at most then. */
async function many(browser, site) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(site.address);
  await page.hover("h1");
  await page.waitForTimeout(1000);
  const data = await page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer();
      for (const { name, text } of files) transfer.items.add(new File([text], name));
      return transfer;
    },
    madeFiles(100, 5_000),
  );
  const figures = {};
  figures.showTask = await longestTask(page, async () => {
    figures.show = await data.evaluate(async (dataTransfer) => {
      const begin = performance.now();
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      while (!document.querySelector("h1").textContent.includes("5,000")) await new Promise(requestAnimationFrame);
      return performance.now() - begin;
    });
  });
  await page.waitForTimeout(500);
  await page.fill(BOX, "");
  figures.typeTask = await longestTask(page, () => page.locator(BOX).pressSequentially(REQUEST, { delay: 60 }));
  figures.playTask = await longestTask(page, async () => {
    await page.press(BOX, "Enter");
    await page.waitForTimeout(3000);
  });
  await page.close();
  return figures;
}

function print({ first, all, paint, answer, show, showTask, typeTask, playTask }) {
  const row = (what, value) => console.log(`${what.padEnd(52)}${value}`);
  const kb = ({ gzip, brotli }) => `${Math.round(gzip / 1000)} KB gzip, ${Math.round(brotli / 1000)} KB brotli`;
  const ms = (value) => `${Math.round(value)} ms`;
  row("first load", kb(first));
  row("with the core and its tools", kb(all));
  row("largest paint", ms(paint));
  row("first answer, with the start of the core", ms(answer));
  row("5,000 tools shown", ms(show));
  row("longest task meanwhile", ms(showTask));
  row("longest task while somebody types", ms(typeTask));
  row("longest task while a request is played", ms(playTask));
}

if (isCommand(import.meta.url)) {
  const { json } = options({ json: { type: "boolean" } }, HELP);
  await main(async () => {
    await step("building the playground", () => buildPlayground());
    const browser = await chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
    const site = await serveSite();
    try {
      const visits = [];
      for (let run = 0; run < RUNS; run += 1) visits.push(await visit(browser, site));
      const { first, all } = visits[0];
      const middle = (key) => median(visits.map((one) => one[key]));
      const figures = { first, all, paint: middle("paint"), answer: middle("answer"), ...(await many(browser, site)) };
      if (json) console.log(JSON.stringify(figures, null, 2));
      else print(figures);
    } finally {
      await browser.close();
      await site.close();
    }
  });
}
