/** Reads what node_modules holds, and checks it against the lock file. */

import { existsSync, readFileSync } from "node:fs";
import { at } from "./paths.mjs";

const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;

/** The installed version of a package. */
export function versionOf(name) {
  return JSON.parse(readFileSync(at("node_modules", name, "package.json"), "utf8")).version;
}

/** Whether `npm ci` would change nothing, package by package by npm's own record. Packages for other platforms may be missing. */
export function modulesFit() {
  const record = at("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = read(record);
  return Object.entries(read(at("package-lock.json"))).every(([path, wanted]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    if (wanted.link) return existsSync(at(path));
    return found.version === wanted.version && found.integrity === wanted.integrity && existsSync(at(path));
  });
}
