/** Follows changes of files, also those of editors that write a new file and rename it, and of folders. */

import { statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

/** Editors write in several steps: a change is told once nothing happened for this many milliseconds. */
const QUIET = 200;

/** How often a file is looked at where the system tells of no change, as on network drives, in milliseconds. */
const POLL = 2000;

/**
 * Calls `onChange` with the files that changed, appeared or vanished, and with the folders in which a file did. The folder of
 * a file is watched, since a rename gives the file a new identity, and everything is looked at now and then as well. It does
 * not keep the process alive.
 * @returns what ends it; afterwards `onChange` is not called any more
 */
export function watchPaths(paths: readonly string[], onChange: (changed: string[]) => void): { close(): void } {
  const watchers: FSWatcher[] = [];
  const seen = new Map<string, string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const touch = (file: string) => {
    if (closed) return;
    touched.add(file);
    clearTimeout(timer);
    timer = setTimeout(report, QUIET).unref();
  };
  const report = () => {
    const changed = [...touched].filter((file) => identity(file) !== seen.get(file));
    touched.clear();
    for (const file of changed) seen.set(file, identity(file));
    if (!closed && changed.length > 0) onChange(changed);
  };

  for (const file of new Set(paths)) {
    seen.set(file, identity(file));
    try {
      const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
      const watcher = watch(isFolder ? file : dirname(file), { persistent: false }, (_, name) => {
        if (isFolder || name === null || name === basename(file)) touch(file);
      });
      // A folder that vanishes ends its watcher; looking at the file goes on.
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The folder does not exist yet, or the system has no watchers left: looking at the file is enough.
    }
  }

  const poll = setInterval(() => {
    for (const [file, before] of seen) if (identity(file) !== before) touch(file);
  }, POLL).unref();

  return {
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      clearInterval(poll);
    },
  };
}

/** What differs after every change; "" where there is no file. Read at once, so that no change after the call is missed. */
function identity(file: string): string {
  const about = statSync(file, { bigint: true, throwIfNoEntry: false });
  return about ? [about.ino, about.size, about.mtimeNs].join(" ") : "";
}
