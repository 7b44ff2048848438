/** Makes the folder for the runtimes: the installed package, the program that uses it, and its data. */

import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalogs } from "../../../scripts/lib/catalogs.mjs";
import { install, linkTree, scratch } from "../../../scripts/lib/installed.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { steps } from "./script/steps.mjs";

const PARTS = ["answers", "first-search", "offer", "start"];

let data;

/** What the program is given: the steps, and the tools of the captured servers. */
export function programData() {
  data ??= {
    steps: steps(),
    tools: Object.fromEntries(readCatalogs(at("www", "captured")).map(({ server, tools }) => [server, tools])),
  };
  return data;
}

/**
 * Makes a folder of a runtime's own. `typescript` leaves the program as it was written, `program` names another than the
 * one that imports `toolsift`; `inside` is a folder to make it in, where a tool must be found from there.
 */
export async function appFolder({ typescript = false, program = "program", inside } = {}) {
  const { app } = await install();
  const folder = mkdtempSync(join(inside ?? scratch(), "runtime-"));
  cpSync(join(app, "package.json"), join(folder, "package.json"));
  linkTree(join(app, "node_modules", "toolsift"), join(folder, "node_modules", "toolsift"));
  const source = (name) => readFileSync(at("tests", "runtimes", "lib", "program", `${name}.mts`), "utf8");
  const sources = [...PARTS.map((name) => [name, source(name)]), ["program", source(program)]];
  for (const [name, text] of sources) {
    if (typescript) writeFileSync(join(folder, `${name}.mts`), text);
    else writeFileSync(join(folder, `${name}.mjs`), await withoutTypes(text));
  }
  return folder;
}

async function withoutTypes(source) {
  const { transform } = await import("esbuild");
  const { code } = await transform(source, { loader: "ts" });
  return code.replaceAll(/(?<="\.\/[a-z-]+)\.mts(?=")/g, ".mjs");
}

/** Writes the program that a process runs: it prints its answers as JSON. */
export function writeLaunch(folder, name, start) {
  writeFileSync(join(folder, "data.mjs"), `export default ${JSON.stringify(programData())};\n`);
  const lines = [
    `import data from "./data.mjs";`,
    `import { start } from ${JSON.stringify(start)};`,
    `console.log(JSON.stringify(await start(data)));`,
  ];
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
}
