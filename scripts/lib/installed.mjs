/** The package as a stranger gets it: packed, and installed from the tarball into an empty folder, without network. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

let packing;

/** Packs pkg/ once: `{ tarball, files, version }`, with the paths and sizes that the tarball holds. */
export function pack() {
  packing ??= (async () => {
    if (PACKED) return { tarball: PACKED.tarball, files: PACKED.files, version: PACKED.version };
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
    if (PACKED) {
      // A copy: tests write into their application.
      cpSync(PACKED.app, app, { recursive: true, verbatimSymlinks: true });
      return { app, home };
    }
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    await npm(["install", "--offline", "--ignore-scripts", tarball], { cwd: app });
    return { app, home };
  })();
  return installing;
}

/** The environment in which other processes take the package that this one has packed and installed. */
export async function shared() {
  return { TOOLSIFT_PACKED: JSON.stringify({ ...(await pack()), ...(await install()) }) };
}
