/** `npm test`: sets the machine up, then checks everything, some checks at a time, and says what failed and what took how long. */

import { availableParallelism } from "node:os";
import { CHECKS, withNeeds } from "./lib/checks.mjs";
import { testAll } from "./lib/full.mjs";
import { options } from "./lib/options.mjs";
import { bold, dim, duration, isCommand, main, red, report, step, tell } from "./lib/progress.mjs";
import { CommandFailed } from "./lib/run.mjs";
import { schedule } from "./lib/schedule.mjs";
import { add, inWords, none, tally } from "./lib/tally.mjs";
import { testFiles, watchFiles } from "./lib/test-files.mjs";
import { setUp } from "./setup.mjs";

/** One more than there are cores, and at most four: tests wait for other processes now and then. */
const AT_ONCE = Math.min(availableParallelism() + 1, 4);
/** A check that took longer is named in the times at the end. */
const NAMED_MS = 1_000;

const HELP = `npm test [-- --only NAME[,NAME]] [-- --at-once N] [-- --list]
npm test -- FILE… [--watch]

Sets the machine up and runs every check. After a failure, whose output is shown, everything runs that does not need it.
With files, runs these test files alone, with the JavaScript built from the sources as they are, unchecked and not packed.
  --watch         runs the files again whenever a source or a test changes
  --only NAME     only these checks, with what they need
  --at-once N     how many run at the same time; ${AT_ONCE} unless told otherwise
  --all           also what runs the same code once more: older SDKs, other clients, other runtimes (npm run test:all)
  --list          the checks by name`;

/** The checks to run: all that are not repetitions, or those that are named, with what they need, in the order of the list. */
function chosen(names, isAll) {
  if (!names) return CHECKS.filter(({ isRepeated }) => isAll || !isRepeated);
  for (const name of names) {
    if (CHECKS.some((one) => one.name === name)) continue;
    console.error(`there is no check ${JSON.stringify(name)}; there are ${CHECKS.map((one) => one.name).join(", ")}`);
    process.exit(2);
  }
  const wanted = withNeeds(names);
  return CHECKS.filter(({ name }) => wanted.includes(name));
}

/** Runs one check and answers the tests that it ran. */
async function runCheck({ title, talks, run }) {
  if (talks) {
    await run();
    return none();
  }
  let count = none();
  await step(title, async () => {
    const answer = await run();
    count = tally(answer?.stdout ?? "");
    return { summary: count.passed > 0 ? inWords(count) : answer?.summary };
  });
  return count;
}

/** Runs the checks; the total also counts a check that fails without a failing test, such as a compile error. */
async function runAll(checks, atOnce) {
  const total = none();
  const failed = (error) => {
    report(error);
    const count = error instanceof CommandFailed ? tally(error.output) : none();
    add(total, { ...count, failed: Math.max(count.failed, 1) });
  };
  const run = async (check) => {
    try {
      add(total, await runCheck(check));
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  const skipped = ({ title }, lost) => tell(`${dim("-")} ${title} ${dim(`not run: it needs ${lost}`)}`);
  try {
    await setUp();
  } catch (error) {
    failed(error);
    return { total, outcomes: new Map() };
  }
  return { total, outcomes: await schedule(checks, { atOnce, run, skipped }) };
}

/** Says what took how long, the slowest first, and what failed. */
function summarize(outcomes) {
  const all = [...outcomes];
  const of = (state) => all.filter(([, outcome]) => outcome.state === state).map(([name]) => name);
  const times = all.filter(([, { ms = 0 }]) => ms >= NAMED_MS).sort(([, one], [, other]) => other.ms - one.ms);
  if (times.length > 0) console.log(`\ntimes: ${times.map(([name, { ms }]) => `${name} ${duration(ms)}`).join(" · ")}`);
  if (of("failed").length > 0) console.log(red(`failed: ${of("failed").join(", ")}`));
  if (of("skipped").length > 0) console.log(`not run: ${of("skipped").join(", ")}`);
}

/** A number of checks from the command line. */
function count(text) {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  console.error(`--at-once takes a number from 1 to 99, got ${JSON.stringify(text)}`);
  process.exit(2);
}

if (isCommand(import.meta.url)) {
  const spec = {
    only: { type: "string", multiple: true },
    "at-once": { type: "string" },
    list: { type: "boolean" },
    watch: { type: "boolean" },
    all: { type: "boolean" },
  };
  const { only, list, watch, all, files, "at-once": atOnce = String(AT_ONCE) } = options(spec, HELP, { operands: "files" });
  if (all) testAll();
  if (files?.length > 0) {
    await main(async () => (watch ? watchFiles(files) : (await testFiles(files)) ? 0 : 1));
  } else if (list) {
    for (const { name, title, needs = [] } of CHECKS) {
      console.log(`${name.padEnd(14)}${title ?? ""}${needs.length > 0 ? dim(` (needs ${needs.join(", ")})`) : ""}`);
    }
  } else {
    const begin = Date.now();
    const checks = chosen(
      only?.flatMap((names) => names.split(",")),
      all,
    );
    const { total, outcomes } = await runAll(checks, count(atOnce));
    summarize(outcomes);
    console.log(`${bold(total.failed > 0 ? "failed" : "everything holds")} after ${duration(Date.now() - begin)}`);
    console.log(`${total.passed} passed, ${total.failed} failed`);
    process.exitCode = total.failed > 0 ? 1 : 0;
  }
}
