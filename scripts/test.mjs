/** `npm test`: sets the machine up, then checks everything, step by step, up to the first that fails. */

import { CHECKS } from "./lib/checks.mjs";
import { options } from "./lib/options.mjs";
import { bold, dim, duration, isCommand, report, step } from "./lib/progress.mjs";
import { CommandFailed } from "./lib/run.mjs";
import { add, inWords, none, tally } from "./lib/tally.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm test [-- --only NAME[,NAME]] [-- --list]

Sets the machine up and runs every check; stops at the first that fails and shows its output.
  --only NAME   only these checks, with what they need
  --list        the checks by name`;

/** The checks to run: all of them, or those that are named, with what they need, in the order of the list. */
function chosen(names) {
  if (!names) return CHECKS;
  const wanted = new Set(names);
  for (const name of names) {
    const check = CHECKS.find((one) => one.name === name);
    if (!check) {
      console.error(`there is no check ${JSON.stringify(name)}; there are ${CHECKS.map((one) => one.name).join(", ")}`);
      process.exit(2);
    }
    check.needs?.forEach((need) => wanted.add(need));
  }
  return CHECKS.filter(({ name }) => wanted.has(name));
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
async function runAll(checks) {
  const total = none();
  try {
    await setUp();
    for (const check of checks) add(total, await runCheck(check));
  } catch (error) {
    report(error);
    const count = error instanceof CommandFailed ? tally(error.output) : none();
    add(total, { ...count, failed: Math.max(count.failed, 1) });
  }
  return total;
}

if (isCommand(import.meta.url)) {
  const { only, list } = options({ only: { type: "string", multiple: true }, list: { type: "boolean" } }, HELP);
  if (list) {
    for (const { name, title, needs = [] } of CHECKS) {
      console.log(`${name.padEnd(14)}${title ?? ""}${needs.length > 0 ? dim(` (needs ${needs.join(", ")})`) : ""}`);
    }
  } else {
    const begin = Date.now();
    const { passed, failed } = await runAll(chosen(only?.flatMap((names) => names.split(","))));
    console.log(`\n${bold(failed > 0 ? "failed" : "everything holds")} after ${duration(Date.now() - begin)}`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  }
}
