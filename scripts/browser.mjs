/**
 * Finds the Chrome or Chromium for the browser tests: in CHROME_PATH, on PATH or in the usual places. On Debian, installs it
 * if run as root. As a command, prints its path.
 */

import { createRequire } from "node:module";
import { isCommand, main } from "./lib/progress.mjs";
import { program } from "./lib/provide.mjs";

const PLACES = {
  darwin: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  win32: `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
  linux: "/opt/google/chrome/chrome",
};

/** Returns the path where `npx playwright install chromium` puts its browser. */
const fromPlaywright = () => createRequire(import.meta.url)("playwright-core").chromium.executablePath();

/**
 * The flags of the browser in tests: no window, no sandbox (containers have none), and no requests of the browser itself.
 */
export const BROWSER_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const browser = program({
  variable: "CHROME_PATH",
  commands: ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"],
  places: () => [PLACES[process.platform], fromPlaywright()].filter(Boolean),
  // Without a font, the pages would show no text.
  packages: ["chromium", "fonts-liberation"],
  title: "installing Chromium from Debian",
  getIt: `missing: Chrome or Chromium, for the browser tests
  get it: https://www.google.com/chrome, or npx playwright install chromium; on Debian as root this script does it
  or name one: CHROME_PATH=/path/to/chrome npm test`,
});

/** Returns the path of a browser that starts, or null. */
export const findBrowser = browser.find;

/** Returns the path of a browser. If there is none, installs one with one command, or throws with advice how to get it. */
export const provideBrowser = browser.provide;

if (isCommand(import.meta.url)) await main(async () => console.log(await provideBrowser()));
