/** `npm run properties`: looks for data of models, vendors, servers and users that breaks a promise of the package. */

import { readdirSync } from "node:fs";
import { build } from "./build.mjs";
import { numberOf, options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { bold, green, isCommand, main, red, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";

/** Runs of each target. */
const RUNS = 1_000;

const HELP = `npm run properties [-- --runs N] [--seed N] [--only TEXT] [--list]
npm run properties -- --only TEXT --seed N --path P

Hands the package what models, vendors, servers and users send, again and again, with one to three places of it changed to
something that nobody expects. Every call must end with a result or a ToolSiftError, and the instance answers as before. A find
is made as simple as it can be, and the command that repeats it is printed. Ends with an error where something was found.
  --runs N     of each target; ${RUNS} unless told otherwise
  --seed N     of what is tried; another one each time unless told otherwise
  --only TEXT  the targets whose names have this text
  --path P     one find again; a find has it, with its seed
  --list       the targets by name

The targets are in tests/properties/targets.`;

/** All modules of targets. */
async function modules() {
  const names = readdirSync(at("tests", "properties", "targets")).filter((name) => name.endsWith(".mjs"));
  return Promise.all(names.map((name) => import(`../tests/properties/targets/${name}`)));
}

/** Looks through one target as a step; what was found, if anything. */
async function look(target, settings, { find, again }) {
  let found;
  try {
    await step(target.title, async () => {
      found = await find(target, settings);
      if (found !== undefined) throw new Problem(found.message);
    });
  } catch (error) {
    if (found === undefined) throw error;
    console.error(`${red("found:")} ${found.message}\n\nagain: ${bold(again(target, found))}`);
  }
  return found;
}

async function command({ runs = String(RUNS), seed, only = "", path, list }) {
  const finder = await import("../tests/properties/lib/find.mjs");
  const all = (await modules()).map((module) => ({
    ...module,
    targets: module.targets.filter((target) => target.title.includes(only)),
  }));
  const count = all.reduce((sum, { targets }) => sum + targets.length, 0);
  if (count === 0) throw new Problem(`no target has ${JSON.stringify(only)} in its name; --list says which there are`);
  if (list) return void console.log(all.flatMap(({ targets }) => targets.map(({ title }) => title)).join("\n"));
  const settings = {
    runs: numberOf("runs", runs, 1, 10_000_000),
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : numberOf("seed", seed, -(2 ** 31), 2 ** 31 - 1),
    path,
  };
  await build();
  const { appWith } = await import("../tests/adapters/lib/app.mjs");
  console.log(`${count} targets, ${settings.runs.toLocaleString("en")} runs each, seed ${settings.seed}`);
  let finds = 0;
  for (const { packages, targets, world } of all) {
    if (targets.length === 0) continue;
    const app = await appWith(packages);
    for (const target of targets) {
      if ((await look(target, { ...settings, makeWorld: () => world(app) }, finder)) !== undefined) finds += 1;
    }
  }
  console.log(
    finds === 0 ? green("nothing was found") : red(`${finds} of ${count} targets broke a promise; seed ${settings.seed}`),
  );
  return finds === 0 ? 0 : 1;
}

if (isCommand(import.meta.url)) {
  const text = { type: "string" };
  const spec = { runs: text, seed: text, only: text, path: text, list: { type: "boolean" } };
  const asked = options(spec, HELP);
  await main(async () => {
    const code = await command(asked);
    // What a target has opened must not keep the command from its end.
    process.exit(code ?? 0);
  });
}
