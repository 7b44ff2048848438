/**
 * Shows progress on the terminal: one line for each step with its duration, and a sign that a long step is still running.
 */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandFailed, Problem } from "./run.mjs";

let out = process.stdout;

/** Sets the stream for progress. A command whose output a program reads uses stderr. */
export const progressTo = (stream) => void (out = stream);

const terminal = process.stdout.isTTY && process.env.TERM !== "dumb" && !process.env.CI;
const color = terminal && !process.env.NO_COLOR;
const paint = (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);

export const bold = (text) => paint(1, text);
export const dim = (text) => paint(2, text);
export const green = (text) => paint(32, text);
export const red = (text) => paint(31, text);

/** The time between two progress lines of a long step without a terminal, in ms. */
const LOG_EVERY = 20_000;
/** The time between two updates of the seconds on a terminal, in ms. */
const TICK = 250;
/** The most characters from the end of a failed program's output that are shown. */
const SHOWN = 60_000;

/** Formats a duration, such as `4.2 s` or `2 min 05 s`. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** The running steps, each with its start time. */
const live = new Map();
let ticking;

/** Draws the running steps in the last line of a terminal. */
function draw() {
  if (!terminal) return;
  const parts = [...live].map(([title, begin]) => `${title} ${duration(Date.now() - begin)}`);
  const line = parts.join(" · ").slice(0, Math.max(20, (out.columns ?? 80) - 3));
  out.write(`\r\x1b[K${live.size > 0 ? `${dim("…")} ${line}` : ""}`);
}

/** Writes a line above the running steps. */
export function tell(line) {
  out.write(`${terminal ? "\r\x1b[K" : ""}${line}\n`);
  draw();
}

/**
 * Runs `work` as one named step; several steps may run in parallel. If the result has a `summary`, it is shown after the
 * step's time.
 */
export async function step(title, work) {
  const begin = Date.now();
  const elapsed = () => duration(Date.now() - begin);
  let timer;
  live.set(title, begin);
  if (terminal) {
    draw();
    ticking ??= setInterval(draw, TICK);
  } else {
    out.write(`… ${title}\n`);
    timer = setInterval(() => out.write(`  … ${title}: ${elapsed()}\n`), LOG_EVERY);
  }
  const close = (mark, summary) => {
    clearInterval(timer);
    live.delete(title);
    if (live.size === 0) ticking = void clearInterval(ticking);
    tell(`${mark} ${title} ${dim([elapsed(), summary].filter(Boolean).join(", "))}`);
  };
  try {
    const answer = await work();
    close(green("✓"), answer?.summary);
    return answer;
  } catch (error) {
    close(red("✗"));
    throw error;
  }
}

/** Prints an error: only the advice if there is one, otherwise the output of the failed program or the stack. */
export function report(error) {
  if (error instanceof CommandFailed) {
    const { output } = error;
    if (output.length > SHOWN) console.error(dim(`(the last ${SHOWN} of ${output.length} characters)`));
    console.error(`\n${output.slice(-SHOWN).trimEnd()}\n`);
    console.error(red(error.message));
  } else if (error instanceof Problem) {
    console.error(`\n${error.message}`);
  } else {
    console.error(error);
  }
}

/** Returns true if a module was started as a command and not imported. */
export const isCommand = (moduleUrl) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);

/** Runs a command's main function; an error is reported and makes the exit code 1. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}
