/** A lock file: only one call at a time, in this process or another, works on a file. */

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readIfThere } from "./home.js";

/** The age, in ms, after which a lock that was not renewed counts as left behind, even if its process id is in use again. */
const STALE_MS = 10_000;
const RENEW_MS = 2_000;
const PATIENCE_MS = 60_000;

/** For each file, the last call of this process in the queue for its lock. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other call, in this process or another, runs work for the same file.
 *
 * @returns the result of `work`
 * @throws the error of `work`, or an Error that names the lock if it is not free within a minute
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(file) ?? Promise.resolve();
  const mine = before.then(() => amongProcesses(`${file}.lock`, work));
  const settled = mine.catch(() => {});
  queues.set(file, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(file) === settled) queues.delete(file);
  }
}

/** Returns true if a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function amongProcesses<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const owner = `${process.pid} ${randomUUID()}`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const end = performance.now() + PATIENCE_MS;
  while (!(await takeLock(lock, owner))) {
    if (performance.now() > end) throw new Error(`${lock} is held by another process. If none runs, delete this file.`);
    await dropIfStale(lock);
    await pause(5 + Math.random() * 30);
  }
  const renewing = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    if ((await textOf(lock)) === owner) await rm(lock, { force: true });
  }
}

/** Creates the lock file with its owner's name. Returns false if the lock exists already. */
async function takeLock(lock: string, owner: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    try {
      await handle.writeFile(owner);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    // Windows answers EPERM while another process deletes the file.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || (code === "EPERM" && process.platform === "win32")) return false;
    throw error;
  }
}

/**
 * Removes a lock that was left behind. Only one process at a time removes it, and checks the owner again first: another
 * process may have taken the lock since the first check.
 */
async function dropIfStale(lock: string): Promise<void> {
  // If the lock cannot be read, the error is thrown: waiting for the lock would not help.
  const owner = await readIfThere(lock);
  if (owner === undefined || !(await isStale(lock, owner))) return;
  const turn = `${lock}.drop`;
  if (!(await takeLock(turn, owner))) {
    if ((await ageOf(turn)) > STALE_MS) await rm(turn, { force: true });
    return;
  }
  try {
    if ((await textOf(lock)) === owner) await rm(lock, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

/** Returns true if the lock is too old or its process has ended. A lock without an owner is just being created. */
async function isStale(lock: string, owner: string): Promise<boolean> {
  if ((await ageOf(lock)) > STALE_MS) return true;
  const pid = Number.parseInt(owner, 10);
  return Number.isInteger(pid) && !isAlive(pid);
}

const ageOf = (file: string) =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

const textOf = (file: string) => readFile(file, "utf8").catch(() => undefined);
