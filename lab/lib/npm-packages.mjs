/** Installs packages from npm into a cache folder that all clones share, so that `npm ci` stays small. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../scripts/lib/paths.mjs";
import { intoPlace } from "../../scripts/lib/place.mjs";
import { step } from "../../scripts/lib/progress.mjs";
import { CommandFailed, npm } from "../../scripts/lib/run.mjs";

const INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Returns `{ home }`, a folder with these packages (`{ package, version }`) in its node_modules, or `{ reason }` if this
 * fails.
 */
export async function provideNpmPackages(packages) {
  const name = packages.map((pin) => `${pin.package}-${pin.version}`.replace("/", "+")).join("-");
  const home = join(cacheDir, "tools", `npm-${name}`);
  if (packages.every((pin) => installedVersion(home, pin.package) === pin.version)) return { home };
  rmSync(home, { recursive: true, force: true });
  try {
    await step(`installing ${packages[0].package} from npm, once for all clones`, () =>
      intoPlace(home, async (folder) => {
        const dependencies = Object.fromEntries(packages.map((pin) => [pin.package, pin.version]));
        writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
        await npm(INSTALL, { cwd: folder });
      }),
    );
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { reason: `cannot be installed: ${error.output.trim().split("\n").at(-1) || error.message}` };
  }
  return { home };
}

function installedVersion(home, name) {
  const file = join(home, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}
