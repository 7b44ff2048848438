/** Tells when a file of a folder was replaced. */

import { mkdirSync, statSync, watch } from "node:fs";

/** Several changes within this time are told once. */
const SETTLE_MS = 100;
/** Where the system cannot watch folders, or forgets to tell, their time of change is compared this often. */
const POLL_MS = 2000;

/**
 * Calls `changed` after files of a folder were written, replaced or removed. It does not keep the process alive.
 * @returns a function that ends it
 */
export function watchFolder(folder: string, changed: () => Promise<void>): () => void {
  let settling: NodeJS.Timeout | undefined;
  let ended = false;
  let last = timeOf(folder);
  const tell = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      if (ended) return;
      last = timeOf(folder);
      changed().catch(() => {});
    }, SETTLE_MS).unref();
  };
  const stopWatching = watched(folder, tell);
  const polling = setInterval(() => {
    if (timeOf(folder) !== last) tell();
  }, POLL_MS).unref();
  return () => {
    ended = true;
    clearTimeout(settling);
    clearInterval(polling);
    stopWatching();
  };
}

/** Watches by the system; where it cannot, polling alone has to do. */
function watched(folder: string, tell: () => void): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, { persistent: false }, tell);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

function timeOf(folder: string): number {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}
