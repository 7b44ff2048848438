/** The package as a stranger gets it: packed, and installed from the tarball into an empty folder, without network. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

let packing;

/** Packs pkg/ once: `{ tarball, files, version }`, with the paths and sizes that the tarball holds. */
export function pack() {
  packing ??= (async () => {
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
    writeFileSync(join(app, "package.json"), '{ "private": true }\n');
    await npm(["install", "--offline", "--ignore-scripts", tarball], { cwd: app });
    return { app, home: join(app, "node_modules", "toolsift") };
  })();
  return installing;
}
