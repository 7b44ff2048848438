/** Signals that end the process, and the end of the npx that started it. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isAlive } from "./lock.js";

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** How often it is looked at whether npx still runs. */
const POLL_MS = 1_000;
const SHELLS = /(^|\/)-?(sh|bash|dash|zsh|ash|ksh)$/;

/** Calls the handler with the exit code of each signal, until what it returns is called. */
export function onSignal(handler: (code: number) => void): () => void {
  const listeners = Object.entries(CODES).map(([signal, code]) => [signal, () => handler(code)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** The exit code of the signal that ends a server. */
export function signalled(): Promise<number> {
  return new Promise((resolve) => {
    const stop = onSignal((code) => (stop(), resolve(code)));
    void watchNpx(() => resolve(CODES.SIGTERM));
  });
}

/**
 * Calls `gone` when npx has ended that started this process: whoever kills it means what it runs, and it hands on no signal to
 * what its shell started. Where something else started this process, nothing is watched.
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

/** The parent of a process that is a shell; undefined where it is none, or the system does not say. */
async function parentOfShell(pid: number): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  const listing = await promisify(execFile)("ps", ["-o", "ppid=,comm=", "-p", String(pid)]).catch(() => undefined);
  const [, parent, program = ""] = /^\s*(\d+)\s+(.*?)\s*$/.exec(listing?.stdout ?? "") ?? [];
  return SHELLS.test(program) ? Number(parent) : undefined;
}
