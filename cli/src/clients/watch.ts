/** Watches files and folders for changes, also for editors that write a new file and rename it. */

import { statSync } from "node:fs";

/** The time between two checks, in ms. Polling by path works for new files and on network drives too. */
const POLL = 500;

/**
 * Calls `onChange` with the files that changed, appeared or vanished, and with the folders in which files appeared or
 * vanished. It waits until a file is unchanged for one interval, because editors write in several steps. It does not keep
 * the process alive.
 * @returns an object whose `close` stops the watching
 */
export function watchPaths(paths: readonly string[], onChange: (changed: string[]) => void): { close(): void } {
  const told = new Map(paths.map((path) => [path, identity(path)]));
  const seen = new Map(told);
  const poll = setInterval(() => {
    const still = [...told].filter(([path, before]) => {
      const now = identity(path);
      const isStill = now === seen.get(path);
      seen.set(path, now);
      return isStill && now !== before;
    });
    for (const [path] of still) told.set(path, seen.get(path)!);
    if (still.length > 0) onChange(still.map(([path]) => path));
  }, POLL).unref();
  return { close: () => clearInterval(poll) };
}

/**
 * Returns a text that differs after every change; "" if there is no file. Synchronous, so that no later change is missed.
 */
function identity(file: string): string {
  const about = statSync(file, { bigint: true, throwIfNoEntry: false });
  return about ? [about.ino, about.size, about.mtimeNs].join(" ") : "";
}
