/** A lock file: only one call at a time, in this process or another, works on a file. */

import { runtime, underLock } from "toolsift/internal";

/** Work may wait for a network, so a lock is renewed. A process that is stopped for longer than `staleMs` loses it. */
const LIMITS = { staleMs: 6_000, waitMs: 60_000, renewMs: 1_000 };

/** For each file, the last call of this process in the queue for its lock. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other call, in this process or another, runs work for the same file. The calls of this process run in
 * their order.
 *
 * @returns the result of `work`
 * @throws the error of `work`, or an Error that names the lock if another process does not free it within a minute
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(file) ?? Promise.resolve();
  const mine = before.then(() => underLock(runtime(), file, LIMITS, work));
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
