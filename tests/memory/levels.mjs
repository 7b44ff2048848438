/** Runs a load in a process of its own, and checks whether its memory stops growing. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Problem } from "../../scripts/lib/run.mjs";
import { verdict } from "./verdict.mjs";

const PROGRAM = fileURLToPath(new URL("measure.mjs", import.meta.url));

/** Samples of one load; a multiple of four. */
export const SAMPLES = 40;

/** Runs a load: its samples. */
export function measure(name, cycles, onSample = () => {}) {
  return new Promise((resolve, reject) => {
    const taken = [];
    const child = fork(PROGRAM, [name, String(cycles), String(SAMPLES)], { execArgv: ["--expose-gc"] });
    child.on("message", (sample) => {
      taken.push(sample);
      onSample(sample);
    });
    child.on("error", reject);
    // Samples may arrive after the process has ended, but not after its channel has.
    child.on("close", (code) =>
      code === 0 ? resolve(taken.slice(1)) : reject(new Problem(`${name} ended with code ${code}`)),
    );
  });
}

/** The verdicts on a load's samples. */
export const verdictsOn = (samples) => ({
  heap: verdict(samples, ({ heap }) => heap),
  wasm: verdict(samples, ({ wasm }) => wasm),
});
