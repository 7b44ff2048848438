/** Ends a process together with the processes that it started. */

import { builtin, type ChildProcess, host } from "./node.js";
import { pause, within } from "../base/wait.js";

/** Milliseconds that a process has to end by itself after its input ended, and then after SIGTERM, before it is killed. */
export interface Grace {
  askMs: number;
  killMs: number;
}
export const GRACE: Grace = { askMs: 2_000, killMs: 2_000 };
/** An installer that is killed leaves locks, and half of what it installed. */
export const INSTALLER_GRACE: Grace = { askMs: 2_000, killMs: 10_000 };
/** How often it is looked whether a group has ended. */
const POLL_MS = 25;

/** The groups of servers that run. They are ended when this process ends in an orderly way. */
const running = new Map<number, Grace>();
let isWatching = false;

/** Ends the group of this process with it, even if nobody closes its transport. */
export function watch(pid: number, grace: Grace): void {
  running.set(pid, grace);
  if (isWatching) return;
  isWatching = true;
  host.on("exit", () => running.forEach((granted, one) => abandon(one, granted)));
}

/** Ends a group without waiting for it: this process ends now. */
function abandon(pid: number, { killMs }: Grace): void {
  const isAsked = killMs > GRACE.killMs && host.platform !== "win32" && signal(pid, "SIGTERM");
  if (!isAsked) return void signal(pid, "SIGKILL");
  // Somebody has to be there when its time is over.
  const { spawn } = builtin("node:child_process");
  const isThere = `kill -0 -${pid} 2>/dev/null`;
  const later = `n=0; while [ $n -lt ${killMs / 1_000} ] && ${isThere}; do sleep 1; n=$((n+1)); done; ${isThere} && kill -9 -${pid}`;
  spawn("sh", ["-c", later], { detached: true, stdio: "ignore" }).unref?.();
}

/** Ends a process and its children: waits, asks, and kills. */
export async function endGroup(child: ChildProcess, { askMs, killMs }: Grace): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (host.platform === "win32") return endTree(child, pid, askMs, killMs);
  await exited(child, askMs);
  await endRest(pid, killMs);
  await exited(child, askMs);
}

/** Ends what is left of a group whose leader has gone or has to go. */
export async function endRest(pid: number, killMs: number): Promise<void> {
  if (host.platform !== "win32" && signal(pid, "SIGTERM")) {
    const until = performance.now() + killMs;
    while (performance.now() < until && signal(pid, 0)) await pause(POLL_MS);
    signal(pid, "SIGKILL");
  }
  running.delete(pid);
}

async function endTree(child: ChildProcess, pid: number, askMs: number, killMs: number): Promise<void> {
  // The tree cannot be found any more once its root has ended, so that there is no waiting for the root. Of an installer, the
  // root is what must not be killed in the middle.
  if (killMs > GRACE.killMs) await exited(child, killMs);
  const { spawn } = builtin("node:child_process");
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await new Promise<void>((resolve) => {
    killer.once("close", () => resolve());
    killer.once("error", () => resolve());
  });
  running.delete(pid);
  await exited(child, askMs);
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
