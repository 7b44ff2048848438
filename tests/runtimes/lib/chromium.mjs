/** Runs a page in a headless Chromium, each time with a new profile. */

import { BROWSER_FLAGS, provideBrowser } from "../../../scripts/browser.mjs";
import { programData } from "./app.mjs";

/** A page has this long to load and to answer. */
const PATIENCE = 60_000;

/** What a page does: it waits for the data, which comes from outside, so that no bundle holds it. */
export const PAGE = `import { start } from "./start.mjs";\nglobalThis.toolsiftStart = start;\n`;

/** A document that loads a script. */
export const html = (script, head = "") => `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
${head}<script type="module" src="${script}"></script>
`;

let launching;

/** The browser; started once. */
function browser() {
  launching ??= (async () => {
    const { chromium } = await import("playwright-core");
    return chromium.launch({ executablePath: await provideBrowser(), args: BROWSER_FLAGS });
  })();
  return launching;
}

export async function chromiumVersion() {
  return (await browser()).version();
}

/** Opens an address in a fresh profile and lets the page there work. */
export async function visit(address) {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const failed = new Promise((_, reject) => page.on("pageerror", reject));
    const answered = (async () => {
      await page.goto(address);
      await page.waitForFunction(() => globalThis.toolsiftStart !== undefined);
      return page.evaluate((data) => globalThis.toolsiftStart(data), programData());
    })();
    return await Promise.race([answered, failed]);
  } finally {
    await context.close();
  }
}

export async function closeBrowser() {
  await (await launching)?.close();
  launching = undefined;
}
