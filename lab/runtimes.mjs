/** `npm run runtimes`: runs the package in every runtime, compares its answers, and measures its start time and its size. */

import { build } from "../scripts/build.mjs";
import { captureStep } from "../scripts/capture.mjs";
import { hash } from "../scripts/lib/fresh.mjs";
import { options } from "../scripts/lib/options.mjs";
import { bold, isCommand, main, red, step } from "../scripts/lib/progress.mjs";
import { programData } from "../tests/runtimes/lib/app.mjs";
import { closeBrowser } from "../tests/runtimes/lib/chromium.mjs";
import { SHORT } from "../tests/runtimes/lib/kinds.mjs";
import { KINDS } from "./runtimes/kinds.mjs";
import { measure } from "../tests/runtimes/lib/measure.mjs";
import { nativeAnswers } from "../tests/runtimes/lib/native.mjs";
import { table } from "./runtimes/table.mjs";

/** The number of new processes or pages. The start time is their median. */
const RUNS = 5;

const HELP = `npm run runtimes [-- --only NAME[,NAME]] [-- --short] [-- --json]

Packs the npm package, installs it into an empty folder for every runtime, and lets it carry out the same steps there by
its name; every answer must be that of the native Rust library, byte for byte. Prints for each runtime the median of ${RUNS}
fresh processes from import to first search, with the tools of real MCP servers, and the code that it loads, compressed.
Ends with an error where one answers otherwise or cannot be had.
  --only NAME   only these: ${wrapped([...new Set([...KINDS, ...SHORT].map(({ name }) => name))])}
  --short       only what needs nothing beyond the packages of the workspace, one process of each
  --json        the same for programs`;

function wrapped(names) {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1).length + name.length > 90) lines.push("");
    lines[lines.length - 1] += `${name}, `;
  }
  return lines
    .map((line) => line.trimEnd())
    .join("\n                ")
    .replace(/,$/, "");
}

/** Returns the requested kinds. An unknown name ends the program. */
function chosen({ only, short }) {
  const all = short ? SHORT : KINDS;
  if (!only) return all;
  return only
    .flatMap((names) => names.split(","))
    .map((name) => {
      const kind = [...KINDS, ...SHORT].find((one) => one.name === name);
      if (kind) return kind;
      console.error(`there is no runtime ${JSON.stringify(name)}\n\n${HELP}`);
      process.exit(2);
    });
}

/** Marks a failed step. The row of its runtime has the reason. */
const NOT_OK = new Error("not ok");

/** Runs some kinds. Returns a row for each, the number of steps, and a hash of their results. */
export async function runtimes(kinds, { runs = RUNS } = {}) {
  const { steps } = programData();
  const native = await step("the native library", () => nativeAnswers(steps));
  const rows = [];
  try {
    for (const kind of kinds) {
      const trying = step(`${kind.runtime}, ${kind.loader}`, async () => {
        const row = await measure(kind, { native, steps, runs });
        rows.push(row);
        if (!row.ok) throw NOT_OK;
      });
      // After a failure, the other kinds still run.
      await trying.catch((error) => {
        if (error !== NOT_OK) throw error;
      });
    }
  } finally {
    await closeBrowser();
  }
  return { steps: steps.length, digest: hash(...native), rows };
}

function print({ steps, digest, rows }) {
  console.log(`\n${table(rows)}`);
  for (const { runtime, loader, reason } of rows) {
    if (reason !== null) console.log(red(`\n${runtime}, ${loader}: ${reason}`));
  }
  const right = rows.filter(({ ok }) => ok).length;
  const said = `${right} of ${rows.length} answer ${steps} steps as the native library does`;
  console.log(bold(`\n${said} (sha256 ${digest.slice(0, 16)})`));
}

if (isCommand(import.meta.url)) {
  const flags = { only: { type: "string", multiple: true }, short: { type: "boolean" }, json: { type: "boolean" } };
  const wanted = options(flags, HELP);
  const kinds = chosen(wanted);
  await main(async () => {
    await build();
    await captureStep();
    const outcome = await runtimes(kinds, wanted.short ? { runs: 1 } : {});
    if (wanted.json) console.log(JSON.stringify(outcome, null, 2));
    else print(outcome);
    return outcome.rows.every(({ ok }) => ok) ? 0 : 1;
  });
}
