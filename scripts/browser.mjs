/**
 * Finds the Chrome or Chromium that drives the browser tests: in CHROME_PATH, on PATH or in the usual places; on Debian as
 * root it is installed. As a command, prints its path.
 */

import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isCommand, main } from "./lib/progress.mjs";
import { program } from "./lib/provide.mjs";

const PLACES = {
  darwin: ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  win32: [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .map((folder) => join(folder, "Google", "Chrome", "Application", "chrome.exe")),
  linux: ["/opt/google/chrome/chrome", "/snap/bin/chromium"],
};

/** What the tests start the browser with: no window, no sandbox (containers have none), nothing that calls home. */
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
  places: () => [...(PLACES[process.platform] ?? []), ...fromPlaywright()],
  // Without a font, the pages that the tests look at have no text.
  packages: ["chromium", "fonts-liberation"],
  title: "installing Chromium from Debian",
  getIt: `missing: Chrome or Chromium, for the browser tests
  get it: https://www.google.com/chrome, or npx playwright install chromium; on Debian as root this script does it
  or name one: CHROME_PATH=/path/to/chrome npm test`,
});

/** The path of a browser that starts, or null. */
export const findBrowser = browser.find;

/** The path of a browser; installs one where that is a matter of one command, else says how to get it. */
export const provideBrowser = browser.provide;

/** Where `npx playwright install chromium` leaves its browsers, the newest first. */
function fromPlaywright() {
  const caches = { darwin: "Library/Caches", win32: "AppData/Local", linux: ".cache" };
  const cache = join(homedir(), caches[process.platform] ?? ".cache", "ms-playwright");
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH || cache;
  const inside = {
    darwin: ["chrome-mac", "Chromium.app", "Contents", "MacOS", "Chromium"],
    win32: ["chrome-win", "chrome.exe"],
  };
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => /^chromium-\d+$/.test(name));
  versions.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  return versions.flatMap((version) => [
    join(folder, version, ...(inside[process.platform] ?? ["chrome-linux", "chrome"])),
    join(folder, version, "chrome-linux64", "chrome"),
  ]);
}

if (isCommand(import.meta.url)) await main(async () => console.log(await provideBrowser()));
