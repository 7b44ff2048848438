/** Lists the packages in node_modules, and checks them against the lock file. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, root } from "./paths.mjs";

const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;

/** Returns the installed version of a package. */
export function versionOf(name) {
  return JSON.parse(readFileSync(at("node_modules", name, "package.json"), "utf8")).version;
}

/**
 * Returns true if `npm ci` would change nothing in a folder. It compares each package with npm's own record. Packages for
 * other platforms may be missing.
 */
export function modulesFit(home = root) {
  const record = join(home, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = read(record);
  return Object.entries(read(join(home, "package-lock.json"))).every(([path, wanted]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    if (wanted.link) return existsSync(join(home, path));
    return found.version === wanted.version && found.integrity === wanted.integrity && existsSync(join(home, path));
  });
}
