/**
 * `npm run page-figures`: how fast the built playground is in Chromium, with many tools: first load and paint, import, the
 * longest task while somebody types, and the time from a press to what it shows. It reports, and asserts nothing.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { BROWSER_FLAGS, provideBrowser } from "../scripts/browser.mjs";
import { catalogFiles, madeFiles } from "../tests/browser/lib/catalogs.mjs";
import { filesIn, ready } from "../tests/browser/lib/browser.mjs";
import { goTo, openMenu } from "../tests/browser/lib/model.mjs";
import { serveSite } from "../tests/browser/lib/site.mjs";
import { median } from "./eval/metrics.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { buildPlayground } from "../scripts/lib/playground.mjs";
import { isCommand, main, step } from "../scripts/lib/progress.mjs";

const HELP = `npm run page-figures [-- --json]

Measures the built playground in Chromium: first load, first paint, import of 46 files, typing, switches, flying blocks.
The tools are those of ../shared/catalogs (or TOOLSIFT_CATALOGS), or as many made up; and then 5,000 that are made up.
  --json   the figures as JSON`;

const RUNS = 5;
const QUERY = "create a new issue in the tracker";

async function firstLoad(browser, site) {
  const paints = [];
  const readies = [];
  let bytes = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const requests = [];
    page.on("request", (request) => requests.push(request));
    await page.goto(site.address);
    await ready(page);
    const at0 = await page.evaluate(() => ({
      origin: performance.timeOrigin,
      ready: Number(document.documentElement.dataset.ready),
    }));
    readies.push(at0.ready);
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    // What is fetched once the page is there belongs to the views that follow.
    const early = requests.filter((request) => request.timing().startTime <= at0.origin + at0.ready);
    const base = new URL(site.address).pathname;
    const names = new Set(early.map((request) => new URL(request.url()).pathname.slice(base.length) || "index.html"));
    // The wasm and the font have bounds of their own.
    const sizes = [...names]
      .filter((name) => !/\.(wasm|woff2)$/.test(name))
      .map((name) => gzipSync(readFileSync(join(at("www", "dist"), name)), { level: 9 }).length);
    bytes = sizes.reduce((sum, size) => sum + size, 0);
    await context.close();
  }
  return { paint: median(paints), ready: median(readies), bytes };
}

/** What Chromium calls a task of a thread, and where it says how much of a processor each took. */
const TASKS = "disabled-by-default-devtools.timeline";

/**
 * The longest task of the page's main thread while `does` runs, in milliseconds of a processor: what else the machine does
 * is not counted.
 */
async function longestTask(page, does) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: [TASKS] });
  await does();
  await page.waitForTimeout(300);
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const mains = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && event.tdur > 0 && isMain(event));
  return tasks.reduce((most, { tdur }) => Math.max(most, tdur / 1000), 0);
}

/** From a press in the page to what it shows, measured in the page. */
function pressed(page, selector, shown) {
  return page.evaluate(
    ([press, wanted]) =>
      new Promise((resolve) => {
        const begin = performance.now();
        const look = () => {
          if (document.querySelector(wanted)) requestAnimationFrame(() => resolve(performance.now() - begin));
          else requestAnimationFrame(look);
        };
        document.querySelector(press).click();
        look();
      }),
    [selector, shown],
  );
}

async function withTools(browser, site, { files, real }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${site.address}#/conversation`);
  await ready(page);
  await page.waitForTimeout(1_000);
  const figures = { tools: 0, files: files.length, real };

  let took = 0;
  // How the files come into the page is no work of the page.
  const dropped = await filesIn(page, files);
  figures.importTask = await longestTask(page, async () => {
    took = await dropped.evaluate(async (data) => {
      const label = () => document.querySelector("[data-menu=catalog] .menu-main").textContent;
      const before = label();
      const begin = performance.now();
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      while (label() === before) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - begin;
    });
  });
  figures.import = took;
  figures.tools = Number((await page.locator("[data-menu=catalog] .menu-main").innerText()).replace(/\D/g, ""));
  await page.waitForTimeout(1_000);

  const type = (locator) => longestTask(page, () => locator.pressSequentially(QUERY, { delay: 60 }));
  figures.typing = {};
  figures.typing.conversation = await type(page.locator(".call").getByLabel("query"));
  await goTo(page, "Search lab");
  figures.typing.search = await type(page.locator("main input[type=search], main input[type=text]").first());
  await goTo(page, "Catalog & doctor");
  figures.typing.filter = await type(page.locator("main input[type=search]").first());

  await goTo(page, "Compare");
  figures.typing.compare = await longestTask(page, () => page.waitForTimeout(4_000));
  figures.views = {};
  for (const [view, name] of Object.entries({ overview: 0, conversation: 1, search: 3, catalog: 4, use: 5, compare: 2 })) {
    await page.waitForTimeout(600);
    figures.views[view] = await pressed(
      page,
      `.views a:nth-child(${name + 1})`,
      `main[data-view=${view}] > section, main[data-view=${view}] > div`,
    );
  }
  await goTo(page, "Conversation");
  await openMenu(page, "profile");
  figures.profiles = {};
  figures.switching = {};
  for (const [index, name] of ["search-add", "select", "select-load", "stub", "bridge", "sift"].entries()) {
    const place = index + 2 > 6 ? 1 : index + 2;
    await page.waitForTimeout(400);
    const radio = `.profile-choices label:nth-of-type(${place}) input`;
    const switched = () =>
      page.evaluate(
        ([press, wanted]) =>
          new Promise((resolve) => {
            const begin = performance.now();
            const look = () => {
              const now = document.querySelector("[data-menu=profile] .menu-main").textContent;
              if (now === wanted) requestAnimationFrame(() => resolve(performance.now() - begin));
              else requestAnimationFrame(look);
            };
            document.querySelector(press).click();
            look();
          }),
        [radio, name],
      );
    figures.switching[name] = await longestTask(page, async () => {
      figures.profiles[name] = await switched();
    });
  }
  await page.keyboard.press("Escape");
  await goTo(page, "Overview");
  await page.waitForTimeout(600);
  figures.flight = {};
  figures.flight.task = await longestTask(page, async () => {
    figures.flight.frames = await framesOf(page);
  });
  await context.close();
  return figures;
}

/** Frames a second while the blocks of a request fly, when tool search is switched off and on. */
function framesOf(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () => document.querySelector("[data-moving]") !== null;
    const rates = [];
    for (const press of document.querySelectorAll(".scene-head input:not(:checked), .scene-head input:checked")) {
      press.click();
      for (let wait = 0; wait < 30 && !moving(); wait += 1) await frame();
      const begin = performance.now();
      let count = 0;
      for (; moving(); count += 1) await frame();
      if (count > 0) rates.push((1000 * count) / (performance.now() - begin));
    }
    return Math.min(...rates);
  });
}

const ms = (value) => `${Math.round(value)} ms`;

function print({ first, many, most }) {
  const row = (what, value, aim) => console.log(`${what.padEnd(44)}${value.padStart(12)}   ${aim}`);
  const all = (values) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${Math.round(value)}`)
      .join(", ");
  row("first load, without wasm and font", `${Math.round(first.bytes / 1000)} KB`, "under 200 KB, compressed");
  row("first paint", ms(first.paint), "under 500 ms on an idle machine");
  row("first answer of the core", ms(first.ready), "");
  for (const figures of [many, most]) {
    const from = figures.real ? "" : ", made up";
    row(`import of ${figures.files} files, ${figures.tools} tools${from}`, ms(figures.import), "under 1 s");
    row("  longest task meanwhile", ms(figures.importTask), "");
    const typing = Math.max(...Object.values(figures.typing));
    row("longest task while typing", ms(typing), `no task over 50 ms (${all(figures.typing)})`);
    row(
      "slowest switch of the profile",
      ms(Math.max(...Object.values(figures.profiles))),
      `under 100 ms (${all(figures.profiles)})`,
    );
    const switching = Math.max(...Object.values(figures.switching));
    row("  longest task meanwhile", ms(switching), `no task over 50 ms (${all(figures.switching)})`);
    row(
      "frames a second while blocks fly",
      String(Math.round(figures.flight.frames)),
      `60 (longest task ${Math.round(figures.flight.task)} ms)`,
    );
    row("slowest switch of the view", ms(Math.max(...Object.values(figures.views))), `under 100 ms (${all(figures.views)})`);
  }
}

if (isCommand(import.meta.url)) {
  const { json } = options({ json: { type: "boolean" } }, HELP);
  await main(async () => {
    await step("building the playground", () => buildPlayground());
    const browser = await chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
    const site = await serveSite();
    try {
      const figures = {
        first: await firstLoad(browser, site),
        many: await withTools(browser, site, catalogFiles()),
        most: await withTools(browser, site, madeFiles(100, 5_000)),
      };
      if (json) console.log(JSON.stringify(figures, null, 2));
      else print(figures);
    } finally {
      await browser.close();
      await site.close();
    }
  });
}
