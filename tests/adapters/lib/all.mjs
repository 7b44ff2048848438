/** Lists all drives (functions that lead an agent through a conversation), with the files that define them. */

import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at } from "../../../scripts/lib/paths.mjs";

const folder = at("tests", "adapters", "lib", "drives");

/** The drives, in the order of their adapters' names and of their files'. */
export async function allDrives() {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".mjs"))
    .sort();
  const modules = await Promise.all(files.map((name) => import(pathToFileURL(`${folder}/${name}`).href)));
  const drives = modules.flatMap((module) => Object.values(module)).filter((value) => typeof value?.converse === "function");
  return drives.sort((a, b) => (a.adapter < b.adapter ? -1 : a.adapter > b.adapter ? 1 : 0));
}
