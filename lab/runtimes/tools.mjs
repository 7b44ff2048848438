/**
 * Installs the larger tools from npm once, into a folder that all clones share. The folder has the hash of the lock file as
 * its name.
 */

import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hash } from "../../scripts/lib/fresh.mjs";
import { at, cacheDir } from "../../scripts/lib/paths.mjs";
import { intoPlace } from "../../scripts/lib/place.mjs";
import { step } from "../../scripts/lib/progress.mjs";
import { npm } from "../../scripts/lib/run.mjs";

const FILES = ["package.json", "package-lock.json"];
const own = (name) => at("lab", "runtimes", "tools", name);

let providing;

/** Installs the tools if necessary. Returns the folder with the node_modules. */
export function provideTools() {
  providing ??= (async () => {
    const lock = hash(...FILES.map((name) => readFileSync(own(name), "utf8"))).slice(0, 16);
    const home = join(cacheDir, "runtimes", lock);
    const title = "installing Nodes, bundlers and Next, once for all clones";
    if (!existsSync(home)) await step(title, () => intoPlace(home, install));
    return home;
  })();
  return providing;
}

async function install(folder) {
  for (const name of FILES) copyFileSync(own(name), join(folder, name));
  copyFileSync(at(".npmrc"), join(folder, ".npmrc"));
  await npm(["ci", "--ignore-scripts"], { cwd: folder });
}

/** Imports one of the tools by name. */
export async function importTool(name) {
  const require = createRequire(join(await provideTools(), "package.json"));
  return import(pathToFileURL(require.resolve(name)).href);
}

/** Returns the version of a tool. */
export async function toolVersion(name) {
  const path = join(await provideTools(), "node_modules", name, "package.json");
  return JSON.parse(readFileSync(path, "utf8")).version;
}
