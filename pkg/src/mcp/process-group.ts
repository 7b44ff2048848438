/** Ends a process together with the processes that it started. */

import { builtin, type ChildProcess, host } from "./node.js";
import { pause, within } from "./wait.js";

/** How long a server has to end by itself after its input ended, and again after SIGTERM. */
export const GRACE_MS = 2_000;
/** How often it is looked whether a group has ended. */
const POLL_MS = 25;

/** The groups of servers that run. They are ended when this process ends in an orderly way. */
const running = new Set<number>();
let isWatching = false;

/** Ends the group of this process with it, even if nobody closes its transport. */
export function watch(pid: number): void {
  running.add(pid);
  if (isWatching) return;
  isWatching = true;
  host.on("exit", () => running.forEach((one) => signal(one, "SIGKILL")));
}

/** Ends a process and its children: waits, asks, and kills. */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (host.platform === "win32") return endTree(child, pid, graceMs);
  await exited(child, graceMs);
  await endRest(pid, graceMs);
  await exited(child, graceMs);
}

/** Ends what is left of a group whose leader has gone or has to go. */
export async function endRest(pid: number, graceMs = GRACE_MS): Promise<void> {
  if (host.platform !== "win32" && signal(pid, "SIGTERM")) {
    const until = Date.now() + graceMs;
    while (Date.now() < until && signal(pid, 0)) await pause(POLL_MS);
    signal(pid, "SIGKILL");
  }
  running.delete(pid);
}

async function endTree(child: ChildProcess, pid: number, graceMs: number): Promise<void> {
  // The tree cannot be found any more once its root has ended, so that there is no waiting for the root.
  const { spawn } = builtin("node:child_process");
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await new Promise<void>((resolve) => {
    killer.once("close", () => resolve());
    killer.once("error", () => resolve());
  });
  running.delete(pid);
  await exited(child, graceMs);
}

/** Sends a signal to a group; 0 asks whether it is there. Returns whether there was anything to send it to. */
function signal(pid: number, name: string | 0): boolean {
  try {
    host.kill(host.platform === "win32" ? pid : -pid, name);
    return true;
  } catch (error) {
    // macOS answers EPERM for a group of which only a zombie is left.
    return (Object(error) as { code?: unknown }).code === "EPERM" && host.platform !== "darwin";
  }
}

async function exited(child: ChildProcess, ms: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await happened(child, "exit", ms);
}

/** Waits for an event of a process, but no longer than a time. */
export async function happened(child: ChildProcess, event: "exit" | "close", ms: number): Promise<void> {
  await within(
    { what: "ending a process", ms },
    () => new Promise<void>((resolve) => child.once(event, () => resolve())),
  ).catch(() => {});
}
