/** A lock file: only one call at a time, in this process or another, works on a file. */

import { runtime, underLock } from "toolsift/internal";

/** Work may wait for a network, so a lock is renewed. A process that is stopped for longer than `staleMs` loses it. */
const LIMITS = { staleMs: 6_000, waitMs: 60_000, renewMs: 1_000 };

/**
 * Runs `work` while no other call, in this process or another, runs work for the same file.
 *
 * @returns the result of `work`
 * @throws the error of `work`, or an Error that names the lock if it is not free within a minute
 */
export const withLock = <T>(file: string, work: () => Promise<T>): Promise<T> => underLock(runtime(), file, LIMITS, work);

/** Returns true if a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
