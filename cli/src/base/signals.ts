/** Reports the signals that end the process, and the end of the `npx` process that started it. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isAlive } from "./lock.js";

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** The time between two checks whether `npx` still runs, in ms. */
const POLL_MS = 1_000;
const SHELLS = /(^|\/)-?(sh|bash|dash|zsh|ash|ksh)$/;

/** Calls the handler with the exit code of each signal. Returns a function that stops this. */
export function onSignal(handler: (code: number) => void): () => void {
  const listeners = Object.entries(CODES).map(([signal, code]) => [signal, () => handler(code)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** Resolves with the exit code when a signal or the end of `npx` asks the server to end. */
export function signalled(): Promise<number> {
  return new Promise((resolve) => {
    const stop = onSignal((code) => (stop(), resolve(code)));
    void watchNpx(() => resolve(CODES.SIGTERM));
  });
}

/**
 * Calls `gone` when the `npx` that started this process has ended. A user who kills `npx` wants to end this process too, but
 * `npx` passes no signal on to it. If `npx` did not start this process, nothing is watched.
 */
async function watchNpx(gone: () => void): Promise<void> {
  if (process.env["npm_lifecycle_event"] !== "npx") return;
  const parent = process.ppid;
  const npx = await parentOfShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npx === undefined || isAlive(npx))) return;
    clearInterval(timer);
    gone();
  }, POLL_MS).unref();
}

/** Returns the parent of a process that is a shell, or undefined if it is no shell or the parent is unknown. */
async function parentOfShell(pid: number): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  const listing = await promisify(execFile)("ps", ["-o", "ppid=,comm=", "-p", String(pid)]).catch(() => undefined);
  const [, parent, program = ""] = /^\s*(\d+)\s+(.*?)\s*$/.exec(listing?.stdout ?? "") ?? [];
  return SHELLS.test(program) ? Number(parent) : undefined;
}
