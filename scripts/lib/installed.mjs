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

/** The temporary folder of a test run. It is removed at the end of the run. */
const RUN = process.env.TOOLSIFT_RUN;

/** Makes a temporary folder that is removed at the end of this process, or of the test run. */
export function scratch() {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), "toolsift-package-"));
    if (RUN === undefined) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return folder;
}

/** The packed and installed package that `npm test` shares with all of its checks, which saves seconds in each. */
const PACKED = process.env.TOOLSIFT_PACKED && JSON.parse(process.env.TOOLSIFT_PACKED);

/** Whether this process runs within tests, for which everything is built already. */
export const isBuilt = RUN !== undefined;

let packing;

/** Packs pkg/ once. Returns `{ tarball, files, version }`; `files` has the paths and sizes in the tarball. */
export function pack() {
  packing ??= (async () => {
    if (PACKED?.tarball) return { tarball: PACKED.tarball, files: PACKED.files, version: PACKED.version };
    const destination = scratch();
    // Several tests may pack in parallel, so the prepack script runs once for all of them and is skipped here.
    const once = RUN === undefined ? [] : ["--ignore-scripts"];
    const { stdout } = await npm(["pack", "--json", ...once, "--pack-destination", destination], { cwd: at("pkg") });
    const [{ filename, files, version }] = JSON.parse(stdout);
    return { tarball: join(destination, filename), files, version };
  })();
  return packing;
}

let installing;

/** Installs the tarball once. Returns `{ app, home }`: an empty application and the package inside it. */
export function install() {
  installing ??= (async () => {
    const app = mkdtempSync(join(scratch(), "app-"));
    const home = join(app, "node_modules", "toolsift");
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    // Each caller gets its own application, because tests write into it.
    const shared = PACKED?.app ?? (RUN === undefined ? undefined : await linked());
    if (shared) linkTree(join(shared, "node_modules"), join(app, "node_modules"));
    else await npm(["install", "--offline", "--ignore-scripts", (await pack()).tarball], { cwd: app });
    return { app, home };
  })();
  return installing;
}

/**
 * Copies a folder with hard links. For a program that runs there, it is a copy: it has its own paths, and files can be added
 * and removed. A real copy of the package takes half a second to write and as long to remove, and the tests need hundreds of
 * them. Never write to an existing file: remove it first.
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

/**
 * Returns the environment variables with which other processes use the package that this process has packed and installed.
 */
export async function shared() {
  return { TOOLSIFT_PACKED: JSON.stringify({ ...(await pack()), ...(await install()) }) };
}

/**
 * Returns the application for a run of single tests. Its package is built from the current sources, without checks and
 * without packing. The first process that needs it builds it for all processes.
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
