/** `npm run memory`: checks that the memory of a long-running toolsift stops growing. */

import { measure, SAMPLES, verdictsOn } from "../tests/memory/levels.mjs";
import { LOADS } from "../tests/memory/loads.mjs";
import { build } from "../scripts/build.mjs";
import { table } from "./lib/columns.mjs";
import { numberOf, options } from "../scripts/lib/options.mjs";
import { dim, isCommand, main, step, tell } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

/** The default number of cycles: as many as a busy program makes in a day. */
const CYCLES = 100_000;

const many = (number) => number.toLocaleString("en-US");
const listed = ([name, { title, per }]) => `              ${name.padEnd(10)} ${title}, ${many(per * CYCLES)}`;

const HELP = `npm run memory [-- --cycles N] [--only NAME,NAME] [--short] [--json]

Does the same over and over, each load in a process of its own, and measures after a garbage collection what is in use:
JavaScript's heap, and the core's wasm memory, which never shrinks. The process's memory is shown beside them; it has no
verdict, since the garbage collector gives it back when it likes. Ends with an error where one of the two does not level off:
where the highest sample of the last quarter is more than 5 % and 1 MiB above the highest of the second quarter.
  --cycles  cycles of create, use and dispose, ${many(CYCLES)} if not set; other loads have their share:
${Object.entries(LOADS).map(listed).join("\n")}
  --only    the loads that run
  --short   few cycles of the loads that level off soon, as in npm test; half a minute
  --json    samples and verdicts for programs

All loads take about ten minutes.`;

const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** Returns the loads to run, each with its number of cycles. */
function chosen({ cycles, only, short }) {
  const count = numberOf("cycles", cycles, 200, 100 * CYCLES);
  const names = only?.split(",") ?? Object.keys(LOADS).filter((name) => !short || LOADS[name].short !== undefined);
  const unknown = names.find((name) => !(name in LOADS));
  if (unknown !== undefined) throw new Problem(`there is no load ${unknown}; there are ${Object.keys(LOADS).join(", ")}`);
  return names.map((name) => [name, (short && LOADS[name].short) || Math.round(LOADS[name].per * count)]);
}

async function command({ cycles = String(CYCLES), only, short, json }) {
  const loads = chosen({ cycles, only, short });
  await build();
  const results = [];
  for (const [name, total] of loads) {
    const { title } = LOADS[name];
    const samples = await step(`${title}, ${many(total)} times`, () =>
      measure(name, total, ({ cycle, heap, wasm, rss }) => {
        if (cycle % (total / 4) >= total / SAMPLES) return;
        tell(
          dim(
            `    ${many(cycle).padStart(9)} cycles: heap ${mebibytes(heap)}, wasm ${mebibytes(wasm)}, process ${mebibytes(rss)}`,
          ),
        );
      }),
    );
    results.push({ name, title, cycles: total, verdicts: verdictsOn(samples), samples });
  }
  if (json) console.log(JSON.stringify(results, null, 2));
  else print(results);
  return results.every(({ verdicts }) => Object.values(verdicts).every(({ levels }) => levels)) ? 0 : 1;
}

function print(results) {
  const rows = results.flatMap(({ title, verdicts }) =>
    Object.entries(verdicts).map(([what, verdict]) => [`${title}, ${what}`, verdict]),
  );
  const columns = [
    ["second quarter", ({ before }) => mebibytes(before)],
    ["last quarter", ({ after }) => mebibytes(after)],
    ["per cycle", ({ perCycle }) => `${perCycle.toFixed(2)} B`],
    ["", ({ levels }) => (levels ? "levels off" : "grows")],
  ];
  table("memory", columns, rows);
}

if (isCommand(import.meta.url)) {
  const flag = { type: "boolean" };
  const asked = options({ cycles: { type: "string" }, only: { type: "string" }, short: flag, json: flag }, HELP);
  await main(() => command(asked));
}
