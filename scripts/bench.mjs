/** `npm run bench`: how long things take that a host waits for. */

import { build } from "./build.mjs";
import * as index from "./lib/bench/index.mjs";
import * as sync from "./lib/bench/sync.mjs";
import { options } from "./lib/options.mjs";
import { isCommand, main, progressTo, red, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

/** Each part has a `title`, `measure(folder, runs)`, which answers figures and `problems`, and `print(figures)`. */
const PARTS = { index, sync };

const HELP = `npm run bench [-- --index] [-- --sync] [-- DIR] [-- --runs N] [-- --json]

Times that a host waits for: medians of several runs, each in a thread of its own with a core of its own, whose code is
compiled before.
Ends with an error where answers differ that must be the same, or something takes longer than it may.
  --index    1,000 tools built, and loaded from a prebuilt index
  --sync     a change to one server of 1,000 tools, taken in by sync, and everything rebuilt
  DIR        a folder of tools/list answers as JSON files; default: tools that are made up
  --runs N   runs of each; default 7
  --json     the same for programs

Without the name of a part, all of them.`;

function runsOf(text) {
  const runs = Number(text);
  if (!Number.isInteger(runs) || runs < 1 || runs > 1_000) throw new Problem(`--runs takes 1 to 1,000, got ${text}`);
  return runs;
}

if (isCommand(import.meta.url)) {
  const flags = Object.fromEntries(Object.keys(PARTS).map((name) => [name, { type: "boolean" }]));
  const spec = { ...flags, runs: { type: "string", default: "7" }, json: { type: "boolean" } };
  const { json, folder, runs: wanted, ...asked } = options(spec, HELP, { operand: "folder" });
  await main(async () => {
    if (json) progressTo(process.stderr);
    const runs = runsOf(wanted);
    await setUp();
    await build();
    const named = Object.entries(PARTS).filter(([name]) => asked[name]);
    const measured = {};
    for (const [name, part] of named.length > 0 ? named : Object.entries(PARTS)) {
      measured[name] = await step(part.title, () => part.measure(folder, runs));
      if (!json) part.print(measured[name]);
    }
    if (json) console.log(JSON.stringify(measured, null, 2));
    const problems = Object.values(measured).flatMap((part) => part.problems);
    problems.forEach((problem) => console.error(red(problem)));
    return problems.length > 0 ? 1 : 0;
  });
}
