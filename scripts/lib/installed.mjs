/** The package as a stranger gets it: packed, and installed from the tarball into an empty folder, without network. */

import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "./paths.mjs";
import { node, npm } from "./run.mjs";

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
    // Several tests may pack at once; what goes before it has been done for all of them.
    const once = PACKED ? ["--ignore-scripts"] : [];
    const { stdout } = await npm(["pack", "--json", ...once, "--pack-destination", destination], { cwd: at("pkg") });
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

/**
 * The environment in which other processes take the package as it is built, without a tarball: what a person waits for while they
 * write a test.
 */
export async function linked() {
  await node(at("scripts", "prepack.mjs"), []);
  const app = mkdtempSync(join(scratch(), "linked-"));
  const modules = join(app, "node_modules");
  const home = join(modules, "toolsift");
  for (const folder of [home, join(modules, ".bin")]) mkdirSync(folder, { recursive: true });
  const { files, bin } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  for (const name of ["package.json", "README.md", ...files]) {
    if (statSync(at("pkg", name)).isDirectory()) linkTree(at("pkg", name), join(home, name));
    else linkSync(at("pkg", name), join(home, name));
  }
  symlinkSync(join("..", "toolsift", bin.toolsift), join(modules, ".bin", "toolsift"));
  return { TOOLSIFT_PACKED: JSON.stringify({ app }) };
}
