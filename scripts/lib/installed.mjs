/** Installs the package as a user gets it: packed, and installed from the tarball into an empty folder, without network. */

import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { at } from "./paths.mjs";
import { intoPlace } from "./place.mjs";
import { node, npm } from "./run.mjs";

let folder;

/** The folder of a run of tests, whose end removes it. */
const RUN = process.env.TOOLSIFT_RUN;

/** A temporary folder that goes away with this process, or with the run of tests. */
export function scratch() {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), "toolsift-package-"));
    if (RUN === undefined) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return folder;
}

/** What `npm test` has packed and installed for all of its checks: each would make the same again, which takes seconds. */
const PACKED = process.env.TOOLSIFT_PACKED && JSON.parse(process.env.TOOLSIFT_PACKED);

/** Whether this runs within tests, for which everything is built. */
export const isBuilt = RUN !== undefined;

let packing;

/** Packs pkg/ once: `{ tarball, files, version }`, with the paths and sizes that the tarball holds. */
export function pack() {
  packing ??= (async () => {
    if (PACKED?.tarball) return { tarball: PACKED.tarball, files: PACKED.files, version: PACKED.version };
    const destination = scratch();
    // Several tests may pack at once; what goes before it has been done for all of them.
    const once = RUN === undefined ? [] : ["--ignore-scripts"];
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
    const app = mkdtempSync(join(scratch(), "app-"));
    const home = join(app, "node_modules", "toolsift");
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    // An application of its own each time: tests write into it.
    const shared = PACKED?.app ?? (RUN === undefined ? undefined : await linked());
    if (shared) linkTree(join(shared, "node_modules"), join(app, "node_modules"));
    else await npm(["install", "--offline", "--ignore-scripts", (await pack()).tarball], { cwd: app });
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
 * The application of a run of single tests: it has the package as the sources are, unchecked and not packed. The first process
 * that needs it builds it for all.
 */
async function linked() {
  const app = join(RUN, "linked");
  try {
    mkdirSync(`${app}.begun`);
  } catch {
    while (!existsSync(app)) {
      if (existsSync(`${app}.failed`)) throw new Error("the package could not be built");
      await pause(50);
    }
    return app;
  }
  try {
    await intoPlace(app, (place) => node(at("scripts", "lib", "linked.mjs"), [place]));
  } catch (error) {
    mkdirSync(`${app}.failed`);
    throw error;
  }
  return app;
}
