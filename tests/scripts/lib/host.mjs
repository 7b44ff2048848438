/**
 * Runs a script of this repository again and again in one process: what it imports is loaded once. Takes the arguments as messages
 * and answers `{ code, stdout, stderr, output }`.
 */

import { pathToFileURL } from "node:url";

const [, , script] = process.argv;

/** Ends a script in the place of the process. */
class Ended extends Error {}

let printed;
/** The exit code that the script asked for. Nothing that it does afterwards counts. */
let asked;
for (const name of ["stdout", "stderr"]) {
  process[name].write = (piece) => {
    if (asked === undefined) for (const key of [name, "output"]) printed[key] += piece;
    return true;
  };
}
process.exit = (code = process.exitCode ?? 0) => {
  asked ??= code;
  throw new Ended();
};

/** One evaluation of the script, which runs itself as the program that was started. */
async function ran(args, turn) {
  printed = { stdout: "", stderr: "", output: "" };
  asked = process.exitCode = undefined;
  process.argv = [process.execPath, script, ...args];
  try {
    await import(`${pathToFileURL(script).href}?${turn}`);
  } catch (error) {
    if (!(error instanceof Ended)) {
      console.error(error);
      process.exitCode = 1;
    }
  }
  return { ...printed, code: asked ?? process.exitCode ?? 0 };
}

let turns = 0;
let last;
process.on("message", (args) => {
  const before = last;
  last = (async () => {
    await before;
    process.send(await ran(args, (turns += 1)));
  })();
});
process.on("disconnect", () => process.kill(process.pid));
