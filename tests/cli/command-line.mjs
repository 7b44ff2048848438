/**
 * Runs the real command line in a folder with files of tools. In each test file, the first run of a command is a process of
 * its own; later runs share one process.
 */

import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { mcpAnswer } from "./fixtures.mjs";

// The processes run what is built.
await install();

export const BIN = at("cli", "bin", "toolsift-cli.mjs");

/** Starts Node. `said` is what it has written so far, and `done` answers `{ code, signal, stdout, stderr }`. */
function node(args, { cwd = process.cwd(), env = {}, input } = {}) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: "", ...env } });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  child.stdin.on("error", () => {});
  // Without an end, what is started waits for more.
  if (input !== false) child.stdin.end(input ?? "");
  const done = new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code, signal) => resolve({ code, signal, ...said }));
  });
  return { child, said, done };
}

/** Starts the command line. */
export const start = (args, options) => node([BIN, ...args], options);

/** Starts a program of some lines, in the folder of this repository. */
export const program = (code, args, options) =>
  node(["--input-type=module", "-e", code, ...args], { cwd: at("."), ...options });

/** Starts a command that listens, until the test ends: its `url`, and `end`, which ends it before, as with `start`. */
export async function listening(t, args, options) {
  const { child, said, done } = start(args, options);
  const end = (signal = "SIGTERM") => (child.kill(signal), done);
  t.onTestFinished(() => end());
  await until(() => /listening on/.test(said.stderr) || child.exitCode !== null, "listening");
  const [, url] = /listening on ([^\s,]+)/.exec(said.stderr) ?? assert.fail(`it does not listen: ${said.stderr}`);
  return { url, child, said, end };
}

/** Waits until something holds, at most a minute. */
export async function until(holds, what = "it") {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 2_400) throw new Error(`${what} did not happen within a minute`);
    await pause(25);
  }
}

/** Whether a process runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    // A zombie has ended; only its parent has not asked.
    return !(process.platform === "linux" && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
  } catch {
    return false;
  }
}

/** What has run as a process of its own. */
const spawned = new Set();
/** Variables that are read when the program is loaded. */
const READ_ONCE = ["NO_COLOR", "FORCE_COLOR", "TERM"];

/** Runs the command line to its end. */
export function toolsift(args, options = {}) {
  const [command = ""] = args;
  const isFirst = !spawned.has(command);
  spawned.add(command);
  if (isFirst || READ_ONCE.some((name) => name in (options.env ?? {}))) return start(args, options).done;
  return hosted(args, options);
}

let host;
let last = Promise.resolve();

/** Runs a command in the process that runs one after the other. It holds this one only while a command runs. */
function hosted(args, { cwd = process.cwd(), env = {}, input = "" }) {
  const run = async () => {
    const stdio = ["ignore", "inherit", "inherit", "ipc"];
    host ??= fork(new URL("command-host.mjs", import.meta.url), { serialization: "advanced", stdio });
    const one = host;
    for (const handle of [one, one.channel]) handle.ref();
    const [name, answer] = await new Promise((resolve) => {
      const ended = (code) => resolve(["exit", code]);
      one.once("exit", ended).once("message", (message) => (one.off("exit", ended), resolve(["message", message])));
      one.send({ args, cwd, env: { ...process.env, NO_COLOR: "", ...env }, input });
    });
    if (name === "message") for (const handle of [one, one.channel]) handle.unref();
    else host = undefined;
    if (name === "exit") throw new Error(`${args.join(" ")} ended the process with ${answer}`);
    return answer;
  };
  last = last.then(run, run);
  return last;
}

/** A folder that goes away with the run, with files: an object becomes JSON. */
export function folder(files = {}) {
  const path = mkdtempSync(join(tmpdir(), "toolsift-cli-"));
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return path;
}

/** Answers a request of MCP over HTTP as the fake server does. `before` sees the message, and may answer instead. */
export async function answerMcp(request, response, { tools, headers = () => ({}), before = () => false } = {}) {
  if (request.method !== "POST") return response.writeHead(request.method === "DELETE" ? 200 : 405).end();
  const message = await json(request);
  if (before(message)) return undefined;
  const answer = mcpAnswer(message, tools);
  if (answer === undefined) return response.writeHead(202).end();
  return response.writeHead(200, { "content-type": "application/json", ...headers(message) }).end(JSON.stringify(answer));
}

/** What each of a list has under a key. */
export const valuesOf = (list, key) => list.map((one) => one[key]);

export { httpServer } from "../lib/http.mjs";
export { CHAT, tool, TRACKER } from "./fixtures.mjs";
