/** A lock file: one piece of work at a time on a file, among the calls of this process and among processes. */

import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A lock that is older is taken to be left over from a process that died: no work under a lock takes that long. */
const STALE_MS = 180_000;
/** How long a caller waits for the lock before it gives up. */
const WAIT_MS = 60_000;
/** How often a waiting caller looks again. */
const POLL_MS = 50;

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other call, here or in another process, runs work for the same file.
 *
 * @throws what `work` throws, or an Error when the lock stays taken
 */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
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

async function amongProcesses<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const until = Date.now() + WAIT_MS;
  while (!(await taken(lock, mark))) {
    if (Date.now() > until) throw new Error(`another process keeps ${lock}; if none runs, delete that file`);
    await removeStale(lock);
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if ((await textOf(lock)) === mark) await rm(lock, { force: true });
  }
}

async function taken(lock: string, mark: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    try {
      await handle.writeFile(mark);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows answers EPERM while another process deletes the file.
    if (code === "EEXIST" || (code === "EPERM" && process.platform === "win32")) return false;
    throw error;
  }
}

/** Removes a lock whose process is gone. Another process may do the same: what was moved by mistake is put back. */
async function removeStale(lock: string): Promise<void> {
  const mark = await textOf(lock);
  if (mark === undefined || !(await isStale(lock, mark))) return;
  const aside = `${lock}.${randomUUID()}.stale`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if ((await textOf(aside)) !== mark) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

async function isStale(lock: string, mark: string): Promise<boolean> {
  const age = await stat(lock).then(({ mtimeMs }) => Date.now() - mtimeMs, () => 0);
  if (age > STALE_MS) return true;
  const pid = Number.parseInt(mark, 10);
  // A lock without a process yet was created a moment ago and is being written.
  if (!Number.isInteger(pid)) return age > POLL_MS * 20;
  return !isAlive(pid);
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const textOf = (file: string) => readFile(file, "utf8").catch(() => undefined);
