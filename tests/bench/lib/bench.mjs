/** Runs the command of the benchmark. */

import { execFile } from "node:child_process";
import { at } from "../../../scripts/lib/paths.mjs";

/** `{ code, stdout, stderr }` of `npm run bench` with these arguments. */
export function bench(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [at("scripts", "bench.mjs"), ...args], { maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
