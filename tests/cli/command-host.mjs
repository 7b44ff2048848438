/**
 * Runs command lines one after the other in one process, so that modules are loaded once. Each has its own standard input,
 * output, folder and environment. Receives `{ args, cwd, env, input }` as messages and answers `{ code, signal, stdout,
 * stderr }`.
 */

import { Console } from "node:console";
import { Readable, Writable } from "node:stream";
import { main } from "../../cli/dist/main.js";

/** Replaces the environment, in place: what a system call reads is in it too. */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** A stream that keeps what is written to it. */
function kept() {
  const pieces = [];
  const write = (piece, _encoding, done) => (pieces.push(piece), done());
  return { stream: new Writable({ write }), text: () => Buffer.concat(pieces).toString("utf8") };
}

async function ran({ args, cwd, env, input }) {
  setEnvironment(env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const [stdout, stderr] = [kept(), kept()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: stdout.stream, stderr: stderr.stream };
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value, configurable: true });
  globalThis.console = new Console(streams);
  await main(args);
  await Promise.all([stdout, stderr].map(({ stream }) => new Promise((done) => stream.end(done))));
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

process.on("message", async (command) => process.send(await ran(command)));
process.on("disconnect", () => process.exit());
