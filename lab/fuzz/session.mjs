/** Runs one fuzz target: libFuzzer as a child process, with its progress and its findings. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../../scripts/lib/paths.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { foldersOf } from "./targets.mjs";

/** The longest input, in bytes: short inputs find most errors. */
const LONGEST = 4_096;
/** The time limit of one input, in seconds. Normal inputs take milliseconds. */
const SLOWEST = 20;
/** The memory limit of a program, in MB. */
const MEMORY = 2_048;
/** The number of lines that are shown after the message of a panic. */
const SHOWN = 24;

/** libFuzzer's line of numbers, such as `#4096 pulse cov: 812 ft: 1911 corp: 200/9Kb lim: 4 exec/s: 2048 rss: 60Mb`. */
const NUMBERS = /^#(\d+)\s.*?cov: (\d+) ft: \d+ corp: (\d+)\/\S+.*?exec\/s: (\d+)/;

/**
 * Fuzzes a target for some seconds, or until an input breaks it. Answers the runs, runs a second, places reached, new
 * inputs, and `broken` with the input and the words of the failure.
 */
export async function fuzz(program, target, { seconds, onNumbers }) {
  const { kept, grown, broke, dictionary } = foldersOf(target);
  const before = readdirSync(grown).length;
  const flags = [`-max_total_time=${seconds}`, `-max_len=${LONGEST}`, `-timeout=${SLOWEST}`, `-rss_limit_mb=${MEMORY}`];
  if (dictionary !== undefined) flags.push(`-dict=${dictionary}`);
  const result = { target, runs: 0, speed: 0, reached: 0, added: 0 };
  const lines = [];
  const code = await child(program, [...flags, `-artifact_prefix=${broke}/`, grown, kept], (line) => {
    const numbers = NUMBERS.exec(line);
    if (numbers) {
      [result.runs, result.reached] = [Number(numbers[1]), Number(numbers[2])];
      onNumbers?.(result);
    } else if (lines.push(line) > 400) lines.shift();
    const done = /^Done (\d+) runs in (\d+) second/.exec(line);
    if (done) [result.runs, result.speed] = [Number(done[1]), Math.round(Number(done[1]) / Math.max(1, Number(done[2])))];
  });
  result.added = readdirSync(grown).length - before;
  if (code !== 0) result.broken = broken(lines, code);
  return result;
}

/** Runs a target with one input. Returns the message of the failure, or null. */
export async function replay(program, file) {
  const { code, output } = await run(program, [file], { fails: false });
  return code === 0 ? null : failure(output.split("\n"));
}

/** Adds inputs that reach new code to the stored corpus, as few inputs as possible. */
export async function keep(program, target) {
  const { kept, grown } = foldersOf(target);
  const before = new Set(readdirSync(kept));
  await run(program, ["-set_cover_merge=1", `-max_len=${LONGEST}`, kept, grown]);
  return readdirSync(kept).filter((name) => !before.has(name)).length;
}

function broken(lines, code) {
  const written = lines.findLast((line) => line.includes("Test unit written to "))?.split("Test unit written to ")[1];
  const input = written !== undefined && existsSync(written) ? relative(root, written) : undefined;
  return { input, words: failure(lines) ?? `it ended with ${code}` };
}

/** Returns the message of a panic or of libFuzzer, without its reports. */
function failure(lines) {
  const from = lines.findIndex((line) => /panicked at|ERROR: libFuzzer/.test(line));
  if (from < 0) return null;
  const stack = lines.findIndex((line, at) => at > from && /^stack backtrace|^==\d+==|^SUMMARY/.test(line));
  return lines
    .slice(from, Math.min(stack < 0 ? lines.length : stack, from + SHOWN))
    .join("\n")
    .slice(0, 4_000);
}

function child(program, args, onLine) {
  return new Promise((resolve, reject) => {
    const process_ = spawn(program, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
    const end = () => process_.kill();
    process.once("exit", end);
    let rest = "";
    process_.stderr.setEncoding("utf8").on("data", (text) => {
      const all = (rest + text).split("\n");
      rest = all.pop();
      all.forEach(onLine);
    });
    process_.on("error", reject);
    process_.on("close", (code, signal) => {
      process.removeListener("exit", end);
      if (rest !== "") onLine(rest);
      resolve(signal === null ? code : signal);
    });
  });
}
