/**
 * Which Chrome or Chromium drives the browser tests? The one in CHROME_PATH, on PATH or in the usual places; on Debian
 * as root it is installed. As a command, prints its path.
 */

import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { isCommand, main, step } from "./lib/progress.mjs";
import { ask, Problem, run } from "./lib/run.mjs";

const COMMANDS = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];

const PLACES = {
  darwin: ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  win32: [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .map((folder) => join(folder, "Google", "Chrome", "Application", "chrome.exe")),
  linux: ["/opt/google/chrome/chrome", "/snap/bin/chromium"],
};

const GET_IT = `missing: Chrome or Chromium, for the browser tests
  get it: https://www.google.com/chrome, or npx playwright install chromium; on Debian as root this script does it
  or name one: CHROME_PATH=/path/to/chrome npm test`;

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

/** The path of a browser that starts, or null. */
export async function findBrowser() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (await starts(named)) return named;
    throw new Problem(`CHROME_PATH names ${named}, which does not start`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
  for (const path of [...onPath, ...(PLACES[process.platform] ?? []), ...fromPlaywright()]) {
    if (await starts(path)) return path;
  }
  return null;
}

/** The path of a browser; installs one where that is a matter of one command, else says how to get it. */
export async function provideBrowser() {
  const found = await findBrowser();
  if (found) return found;
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) throw new Problem(GET_IT);
  await step("installing Chromium from Debian", async () => {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env });
    // Without a font, the pages that the tests look at have no text.
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"], { env });
  });
  const installed = await findBrowser();
  if (!installed) throw new Problem(GET_IT);
  return installed;
}

/** Some distributions put a script in its place that only says where to get it: being there is not enough. */
async function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  // On Windows, asking for the version opens a window.
  return process.platform === "win32" || (await ask(path, ["--version"])) !== null;
}

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
