/** Runs one process of the benchmark, and ends it where a step takes longer than it may. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const MODULE = fileURLToPath(new URL("./process.mjs", import.meta.url));
/** Half of what the smallest machines of the cloud have would be too little for some libraries at 100,000 tools. */
const HEAP_MEGABYTES = 8_192;

/** Seconds that a step of another library may take, and one of ours: nothing of ours is ever left out in haste. */
const BUDGET = { build: 60, other: 30 };
const OWN_BUDGET = { build: 180, other: 60 };

/**
 * What a process found: `{ rows, ended }`, where `rows` holds the figures by row and name, and `ended` says why it did not
 * come to its end, if it did not.
 */
export function inProcess(job) {
  const child = fork(MODULE, [], {
    execArgv: ["--expose-gc", `--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const budget = job.library === undefined || job.library === "toolsift" ? OWN_BUDGET : BUDGET;
  const rows = {};
  let complaints = "";
  child.stderr.on("data", (text) => (complaints = (complaints + text).slice(-2_000)));
  return new Promise((resolve) => {
    let step = "start";
    let timer;
    let ended;
    let done = false;
    child.on("message", (message) => {
      if (message.done) done = true;
      if (message.row !== undefined) rows[message.row] = { ...rows[message.row], ...message.figures };
      if (message.begin === undefined) return;
      step = message.begin;
      const seconds = budget[step] ?? budget.other;
      clearTimeout(timer);
      timer = setTimeout(() => {
        ended = { step, reason: `over ${seconds} s, skipped` };
        kill();
      }, 1_000 * seconds);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      process.off("exit", kill);
      if (!done && ended === undefined) ended = { step, reason: reasonOf(complaints, code, signal), complaints };
      resolve({ rows, ended });
    });
    child.send(job);
  });
}

function reasonOf(complaints, code, signal) {
  if (/heap out of memory|heap limit/i.test(complaints)) return `over ${HEAP_MEGABYTES / 1_024} GB, skipped`;
  const said = complaints.split("\n").find((line) => /^\w*Error\b|RuntimeError/.test(line));
  return `failed: ${said?.slice(0, 120) ?? (signal === null ? `ended with ${code}` : `ended by ${signal}`)}`;
}
