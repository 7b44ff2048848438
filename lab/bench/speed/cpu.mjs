/** Reads the CPU time of another process from the operating system. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds of CPU that the threads of a process have used; undefined where it is gone, or the system is not Linux. */
export function cpuOf(pid) {
  const folder = `/proc/${pid}/task`;
  try {
    // Linux counts nanoseconds here, where `ps` sees hundredths of a second.
    const nanoseconds = readdirSync(folder).map((thread) =>
      Number(readFileSync(join(folder, thread, "schedstat"), "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return undefined;
  }
}
