/** Reads the CPU time of another process from the operating system. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the CPU time of a process's threads in ms. Undefined if the process has ended or the system is not Linux. */
export function cpuOf(pid) {
  const folder = `/proc/${pid}/task`;
  try {
    // These files have nanoseconds; `ps` has only hundredths of a second.
    const nanoseconds = readdirSync(folder).map((thread) =>
      Number(readFileSync(join(folder, thread, "schedstat"), "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return undefined;
  }
}
