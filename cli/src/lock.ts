/** Lets one process at a time change a file. */

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readIfThere } from "./home.js";

/** A lock that was not renewed for this long was left by a process that ended. */
const STALE_MS = 10_000;
/** How often the owner of a lock renews it. */
const RENEW_MS = 2000;
/** How long a process waits for a lock before it gives up. */
const PATIENCE_MS = 30_000;

/**
 * Runs `change` while no other process runs one under the same file's lock.
 * @returns what `change` returns
 * @throws what `change` throws, and an error that names the lock if it cannot be had within 30 seconds
 */
export async function withLock<T>(file: string, change: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const owner = randomUUID();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const end = Date.now() + PATIENCE_MS;
  while (!(await taken(lock, owner))) {
    if (Date.now() > end) throw new Error(`${lock} is held by another process. If none runs, delete this file.`);
    await dropIfStale(lock);
    await pause(5 + Math.random() * 30);
  }
  const renewing = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), RENEW_MS).unref();
  try {
    return await change();
  } finally {
    clearInterval(renewing);
    if ((await readIfThere(lock).catch(() => undefined)) === owner) await rm(lock, { force: true });
  }
}

/** Creates the lock with its owner's name; false where another process has it. */
async function taken(lock: string, owner: string): Promise<boolean> {
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

/** Removes a lock that was left behind. Of several processes that do so at once, one moves the old lock away. */
async function dropIfStale(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs < STALE_MS) return;
    const owner = await readFile(lock, "utf8");
    const aside = `${lock}.${randomUUID()}`;
    await rename(lock, aside);
    // Another process may have replaced the old lock since it was looked at; then its lock goes back.
    if ((await readFile(aside, "utf8")) === owner) await rm(aside, { force: true });
    else await rename(aside, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
