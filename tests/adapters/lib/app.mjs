/** An application with the packed package and SDKs of given versions, as a user of an adapter has them in node_modules. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { install, linkTree, scratch } from "../../../scripts/lib/installed.mjs";
import { at } from "../../../scripts/lib/paths.mjs";

/** Packages that no version is chosen of: the application has them as this repository does. */
const ALWAYS = ["zod"];

/** The applications of this process, and what each has: `{ has, made }`. */
const apps = [];

/**
 * An application: `{ folder, load, version }`. `packages` names what is installed beside toolsift: an SDK under its own
 * name, from the folder of node_modules that holds the wanted version, as in `{ openai: "openai-6" }`. It may have other
 * vendors' SDKs too, so that the package is loaded once for many tests; of MCP's packages, it has these and no others.
 */
export async function appWith(packages = {}) {
  const wanted = { ...Object.fromEntries(ALWAYS.map((one) => [one, one])), ...packages };
  let app = apps.find(({ has }) => fits(has, wanted));
  if (app === undefined) apps.push((app = { has: {}, made: make() }));
  const missing = Object.entries(wanted).filter(([name]) => !(name in app.has));
  Object.assign(app.has, wanted);
  const made = await app.made;
  for (const [name, from] of missing) {
    const link = join(made.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(placeOf(name, from), link, "dir");
  }
  return made;
}

/** Whether an application has no other version of a package, and the same packages of MCP. */
function fits(has, wanted) {
  const ofMcp = (packages) => Object.keys(packages).filter((name) => name.startsWith("@modelcontextprotocol/"));
  return (
    Object.entries(wanted).every(([name, from]) => (has[name] ?? from) === from) &&
    [...ofMcp(has), ...ofMcp(wanted)].every((name) => name in has && name in wanted)
  );
}

async function make() {
  const { home } = await install();
  const folder = mkdtempSync(join(scratch(), "agent-"));
  const modules = join(folder, "node_modules");
  // Not a symbolic link: it would be followed, and what the package imports looked for elsewhere.
  linkTree(home, join(modules, "toolsift"));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  const { load } = await import(pathToFileURL(join(folder, "load.mjs")).href);
  const version = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")).version;
  return { folder, load, version };
}

/** Where a package is: in the folder that `npm run peers` tests, if that has it, else in this repository's node_modules. */
function placeOf(name, from) {
  const { TOOLSIFT_PEERS } = process.env;
  const peer = TOOLSIFT_PEERS === undefined ? undefined : join(TOOLSIFT_PEERS, "node_modules", name);
  return peer !== undefined && existsSync(peer) ? peer : at("node_modules", from);
}
