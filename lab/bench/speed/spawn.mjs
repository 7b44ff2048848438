/** Runs one process of the benchmark, and ends it if a step exceeds its time limit. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cpuOf } from "./cpu.mjs";

const MODULE = fileURLToPath(new URL("./process.mjs", import.meta.url));
/**
 * The heap limit of a process, in MB. With 100,000 tools, JavaScript indexes need several GB; V8's default is about 4 GB.
 */
const HEAP_MEGABYTES = 8_192;

/**
 * The CPU time limits of a step, in seconds: for other libraries, and for toolsift. On a busy machine a process waits for the
 * CPU, so a step is ended by real time only after `WAITING` times the limit.
 */
const BUDGET = { build: 60, other: 20 };
const OWN_BUDGET = { build: 180, other: 60 };
const WAITING = 5;
const POLL = 500;

/**
 * Runs a job in a process. Returns `{ rows, ended }`: the figures by row and name, and the reason if the process was ended
 * early.
 */
export function inProcess(job, budget = budgetOf(job)) {
  const child = fork(MODULE, [], {
    execArgv: ["--expose-gc", `--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const rows = {};
  let complaints = "";
  child.stderr.on("data", (text) => (complaints = (complaints + text).slice(-2_000)));
  return new Promise((resolve) => {
    let step = begun("start", child.pid);
    let ended;
    let done = false;
    child.on("message", ({ begin, row, figures, done: last }) => {
      if (begin !== undefined) step = begun(begin, child.pid);
      if (row !== undefined) rows[row] = { ...rows[row], ...figures };
      if (last) done = true;
    });
    const timer = setInterval(() => {
      const seconds = budget[step.name] ?? budget.other;
      if (!isOver(step, child.pid, 1_000 * seconds)) return;
      ended ??= { step: step.name, reason: `over ${seconds} s, skipped` };
      kill();
    }, POLL);
    child.on("close", (code, signal) => {
      clearInterval(timer);
      process.off("exit", kill);
      if (!done) ended ??= { step: step.name, reason: reasonOf(complaints, code, signal), complaints };
      resolve({ rows, ended });
    });
    child.send(job);
  });
}

const budgetOf = ({ library }) => (library === undefined || library === "toolsift" ? OWN_BUDGET : BUDGET);

const begun = (name, pid) => ({ name, clock: performance.now(), cpu: cpuOf(pid) });

function isOver({ clock, cpu }, pid, most) {
  const waited = performance.now() - clock;
  const now = cpuOf(pid);
  if (cpu === undefined || now === undefined) return waited > most;
  return now - cpu > most || waited > WAITING * most;
}

function reasonOf(complaints, code, signal) {
  if (/heap out of memory|heap limit/i.test(complaints)) return `over ${HEAP_MEGABYTES / 1_024} GB, skipped`;
  const said = complaints.split("\n").find((line) => /^\w*Error\b|RuntimeError/.test(line));
  return `failed: ${said?.slice(0, 120) ?? (signal === null ? `ended with ${code}` : `ended by ${signal}`)}`;
}
