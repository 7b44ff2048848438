/** Ends a process together with the processes that it started. */

import type { ChildProcess } from "node:child_process";
import { builtin, host } from "../base/node.js";
import { pause, within } from "../base/wait.js";

/** The time for a process to end after its input was closed, and then after SIGTERM, in ms. After that it is killed. */
export interface Grace {
  askMs: number;
  killMs: number;
}
export const GRACE: Grace = { askMs: 2_000, killMs: 2_000 };
/** The times of an installer: if it is killed, it leaves locks and incomplete files. */
export const INSTALLER_GRACE: Grace = { askMs: 2_000, killMs: 10_000 };
/** The interval of the checks if a group has ended, in ms. */
const POLL_MS = 25;

/** The process groups of running servers. They are ended when this process exits normally. */
const running = new Map<number, Grace>();
let isWatching = false;

/** Ends a group when this process exits, even if its transport was not closed. */
export function watch(pid: number, grace: Grace): void {
  running.set(pid, grace);
  if (isWatching) return;
  isWatching = true;
  host.on("exit", () => running.forEach((granted, one) => abandon(one, granted)));
}

/** Ends a group without waiting for it, because this process exits now. */
function abandon(pid: number, { killMs }: Grace): void {
  const isAsked = killMs > GRACE.killMs && host.platform !== "win32" && signal(pid, "SIGTERM");
  if (!isAsked) return void signal(pid, "SIGKILL");
  // A separate shell must kill the group after the time limit.
  const { spawn } = builtin("node:child_process")!;
  const isThere = `kill -0 -${pid} 2>/dev/null`;
  const later = `n=0; while [ $n -lt ${killMs / 1_000} ] && ${isThere}; do sleep 1; n=$((n+1)); done; ${isThere} && kill -9 -${pid}`;
  spawn("sh", ["-c", later], { detached: true, stdio: "ignore" }).unref();
}

/** Ends a process and its children: waits for their end, then sends SIGTERM, then kills them. */
export async function endGroup(child: ChildProcess, { askMs, killMs }: Grace): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (host.platform === "win32") return endTree(child, pid, askMs, killMs);
  await exited(child, askMs);
  await endRest(pid, killMs);
  await exited(child, askMs);
}

/** Ends the rest of a group whose leader has ended or must end. */
export async function endRest(pid: number, killMs: number): Promise<void> {
  if (host.platform !== "win32" && signal(pid, "SIGTERM")) {
    const until = performance.now() + killMs;
    while (performance.now() < until && signal(pid, 0)) await pause(POLL_MS);
    signal(pid, "SIGKILL");
  }
  running.delete(pid);
}

async function endTree(child: ChildProcess, pid: number, askMs: number, killMs: number): Promise<void> {
  // The process tree can no longer be found after its root has ended, so there is no wait for the root. Only an installer
  // gets time, because it must not be killed during an installation.
  if (killMs > GRACE.killMs) await exited(child, killMs);
  const { spawn } = builtin("node:child_process")!;
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await new Promise<void>((resolve) => {
    killer.once("close", () => resolve());
    killer.once("error", () => resolve());
  });
  running.delete(pid);
  await exited(child, askMs);
}

/** Sends a signal to a group; 0 only checks if it exists. Returns true if the group exists. */
function signal(pid: number, name: string | 0): boolean {
  try {
    host.kill(host.platform === "win32" ? pid : -pid, name);
    return true;
  } catch (error) {
    // macOS answers EPERM for a group with only a zombie process.
    return (Object(error) as { code?: unknown }).code === "EPERM" && host.platform !== "darwin";
  }
}

async function exited(child: ChildProcess, ms: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await happened(child, "exit", ms);
}

/** Waits for an event of a process, within a time limit. */
export async function happened(child: ChildProcess, event: "exit" | "close", ms: number): Promise<void> {
  await within(
    { what: "ending a process", ms },
    () => new Promise<void>((resolve) => child.once(event, () => resolve())),
  ).catch(() => {});
}
