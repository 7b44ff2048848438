/** `npm run api`: the public surface of the package and of the crate as text, in api/, and whether it is the committed one. */

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { buildBundles } from "./lib/bundle.mjs";
import { CRATE, crateReport } from "./lib/api/crate.mjs";
import { reports } from "./lib/api/reports.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run api [-- --update] [-- --package] [-- --crate]

Compares the exports and types of every entry of the package, and the public items of the crate, with the reports in api/,
prints the lines that differ, and ends with an error if any do. The crate needs a tool that is built once for all clones.
  --update    writes the reports
  --package   only those of the package
  --crate     only that of the crate`;

/** Lines that are shown of each report that differs. */
const SHOWN = 40;

/** The committed reports of the package, by file name. */
function committed() {
  const folder = at("api");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".api.md") && name !== CRATE) : [];
  return new Map(names.map((name) => [name, readFileSync(at("api", name), "utf8")]));
}

/** The lines that two texts do not share, as a diff without places: enough to see what was added and what went. */
function difference(before, after) {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const without = (lines, others) => {
    const left = new Map();
    for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
    return lines.filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    });
  };
  const lines = [...without(old, now).map((line) => `- ${line}`), ...without(now, old).map((line) => `+ ${line}`)];
  if (lines.length === 0) return "  the order of lines";
  const rest = lines.length - SHOWN;
  return [...lines.slice(0, SHOWN), ...(rest > 0 ? [`  and ${rest} more lines`] : [])].join("\n");
}

/** What differs between the built package and the reports of api/: a text for each report; empty where all is well. */
export function changes(was = committed()) {
  const now = reports();
  const names = [...new Set([...was.keys(), ...now.keys()])].sort();
  const changed = names.filter((name) => was.get(name) !== now.get(name));
  return changed.map((name) => `api/${name}\n${difference(was.get(name) ?? "", now.get(name) ?? "")}`);
}

/** The same for the crate. */
async function crateChanges() {
  const was = existsSync(at("api", CRATE)) ? readFileSync(at("api", CRATE), "utf8") : "";
  const now = await crateReport(step);
  return was === now ? [] : [`api/${CRATE}\n${difference(was, now)}`];
}

/** Writes the reports of the package. */
function update() {
  const now = reports();
  for (const name of committed().keys()) if (!now.has(name)) rmSync(at("api", name));
  for (const [name, text] of now) writeFileSync(at("api", name), text);
  return now.size;
}

async function command({ update: isUpdate, package: onlyPackage, crate: onlyCrate }) {
  const hasPackage = onlyPackage || !onlyCrate;
  const hasCrate = onlyCrate || !onlyPackage;
  await setUp();
  if (hasPackage) await step("building the package: bundles and types", () => buildBundles({}));
  if (isUpdate) {
    mkdirSync(at("api"), { recursive: true });
    if (hasCrate) writeFileSync(at("api", CRATE), await crateReport(step));
    console.log(`${(hasPackage ? update() : 0) + Number(hasCrate)} reports in api/`);
    return 0;
  }
  const differing = [...(hasPackage ? changes() : []), ...(hasCrate ? await crateChanges() : [])];
  if (differing.length === 0) console.log("the public surface is the one of api/");
  else console.log(`${differing.join("\n\n")}\n\nif that is meant: npm run api -- --update`);
  return differing.length === 0 ? 0 : 1;
}

if (isCommand(import.meta.url)) {
  const flag = { type: "boolean" };
  const asked = options({ update: flag, package: flag, crate: flag }, HELP);
  await main(() => command(asked));
}
