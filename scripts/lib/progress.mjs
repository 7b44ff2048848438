/**
 * Shows progress on the terminal: one line for each step with its duration, and a sign that a long step is still running.
 */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandFailed, Problem } from "./run.mjs";

let out = process.stdout;

/** Where progress is told; a command whose output is read by a program keeps it apart. */
export const progressTo = (stream) => void (out = stream);

const terminal = process.stdout.isTTY && process.env.TERM !== "dumb" && !process.env.CI;
const color = terminal && !process.env.NO_COLOR;
const paint = (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);

export const bold = (text) => paint(1, text);
export const dim = (text) => paint(2, text);
export const green = (text) => paint(32, text);
export const red = (text) => paint(31, text);

/** Between two lines of a long step in a log that is no terminal. */
const LOG_EVERY = 20_000;
/** Between two updates of the running seconds in a terminal. */
const TICK = 250;
/** A failing program's output is shown from this many characters before its end. */
const SHOWN = 60_000;

/** `4.2 s` or `2 min 05 s`. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** The steps that run now, with when they began. */
const live = new Map();
let ticking;

/** Draws the steps that run now in the last line of a terminal. */
function draw() {
  if (!terminal) return;
  const parts = [...live].map(([title, begin]) => `${title} ${duration(Date.now() - begin)}`);
  const line = parts.join(" · ").slice(0, Math.max(20, (out.columns ?? 80) - 3));
  out.write(`\r\x1b[K${live.size > 0 ? `${dim("…")} ${line}` : ""}`);
}

/** Writes a line above the steps that run now. */
export function tell(line) {
  out.write(`${terminal ? "\r\x1b[K" : ""}${line}\n`);
  draw();
}

/**
 * Runs `work` as one named step; several may run at once. What it answers as `summary`, if anything, is shown behind the step's
 * time.
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

/** Says what went wrong: advice alone where there is some, otherwise the failed program's output or the stack. */
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

/** Whether a module is the command that was started, and not imported by another. */
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
