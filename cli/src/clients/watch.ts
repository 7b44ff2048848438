/** Follows changes of files, also those of editors that write a new file and rename it, and of folders. */

import { statSync } from "node:fs";

/** How often files are looked at, in milliseconds: by their names, which works for new files and on network drives alike. */
const POLL = 500;

/**
 * Calls `onChange` with the files that changed, appeared or vanished, and with the folders in which a file did: once they have been
 * still for a look, since editors write in several steps. It does not keep the process alive.
 * @returns what ends it; afterwards `onChange` is not called any more
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

/** What differs after every change; "" where there is no file. Read at once, so that no change after the call is missed. */
function identity(file: string): string {
  const about = statSync(file, { bigint: true, throwIfNoEntry: false });
  return about ? [about.ino, about.size, about.mtimeNs].join(" ") : "";
}
