/** The package as a stranger gets it: packed, and installed from the tarball into an empty folder, without network. */

import { linkSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "./paths.mjs";
import { npm } from "./run.mjs";

let folder;

/** A temporary folder that goes away with this process. */
export function scratch() {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), "toolsift-package-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return folder;
}

/** What `npm test` has packed and installed for all of its checks: each would make the same again, which takes seconds. */
const PACKED = process.env.TOOLSIFT_PACKED && JSON.parse(process.env.TOOLSIFT_PACKED);

/** Whether this runs within tests, for which everything is built. */
export const isBuilt = PACKED !== undefined;

let packing;

/** Packs pkg/ once: `{ tarball, files, version }`, with the paths and sizes that the tarball holds. */
export function pack() {
  packing ??= (async () => {
    if (PACKED?.tarball) return { tarball: PACKED.tarball, files: PACKED.files, version: PACKED.version };
    const destination = scratch();
    const { stdout } = await npm(["pack", "--json", "--pack-destination", destination], { cwd: at("pkg") });
    const [{ filename, files, version }] = JSON.parse(stdout);
    return { tarball: join(destination, filename), files, version };
  })();
  return packing;
}

let installing;

/** Installs the tarball once: `{ app, home }`, an empty application and the package inside it. */
export function install() {
  installing ??= (async () => {
    const { tarball } = await pack();
    const app = mkdtempSync(join(scratch(), "app-"));
    const home = join(app, "node_modules", "toolsift");
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    // An application of its own each time: tests write into it.
    if (PACKED) linkTree(join(PACKED.app, "node_modules"), join(app, "node_modules"));
    else await npm(["install", "--offline", "--ignore-scripts", tarball], { cwd: app });
    return { app, home };
  })();
  return installing;
}

/**
 * Makes a folder like another whose files are hard links. To the program that runs there it is a copy: it has its own paths,
 * and files can be added and removed. A copy of the package takes half a second of disk time to write and as long to remove,
 * and the tests need hundreds. Write no file that is there already: remove it first.
 */
export function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

/** The environment in which other processes take the package that this one has packed and installed. */
export async function shared() {
  return { TOOLSIFT_PACKED: JSON.stringify({ ...(await pack()), ...(await install()) }) };
}

/** The environment in which other processes take the package as it is built, without packing: what a person waits for while they write a test. */
export function linked() {
  const app = mkdtempSync(join(scratch(), "linked-"));
  const home = join(app, "node_modules", "toolsift");
  mkdirSync(home, { recursive: true });
  linkSync(at("pkg", "package.json"), join(home, "package.json"));
  for (const folder of ["bin", "dist"]) linkTree(at("pkg", folder), join(home, folder));
  return { TOOLSIFT_PACKED: JSON.stringify({ app }) };
}
