/** The log file of a gateway, with one JSON line for each event. */

import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { safeJson } from "../output/print.js";

/** Writes a line with the time and these fields. Never throws. */
export type Log = (fields: Readonly<Record<string, string | number | undefined>>) => void;

export interface LogOptions {
  /** The largest size of a log file, in bytes. Before the file gets larger, it is renamed. Default: 10 MB. */
  maxBytes?: number;
  /** Receives a message, once, if the file cannot be written. */
  onProblem?: (message: string) => void;
}

const MAX_BYTES = 10_000_000;
/** The number of log files: `FILE` and two older ones, `FILE.1` and `FILE.2`. */
const FILES = 3;
/** The longest text in a line, in characters. Longer texts are cut. */
const MAX_TEXT = 1000;

/**
 * Opens a log. Several processes may write the same file.
 * @throws Error if the folder of the file cannot be made or the file cannot be written
 */
export function openLog(file: string, { maxBytes = MAX_BYTES, onProblem }: LogOptions = {}): Log {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, "", { mode: 0o600 });
  let hasWarned = false;
  return (fields) => {
    const cut = Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" ? value.slice(0, MAX_TEXT) : value,
    ]);
    const line = `${safeJson({ time: new Date().toISOString(), ...Object.fromEntries(cut) })}\n`;
    try {
      rotate(file, Buffer.byteLength(line), maxBytes);
      appendFileSync(file, line, { mode: 0o600 });
    } catch (error) {
      if (!hasWarned) onProblem?.(`The log ${file} cannot be written: ${(error as Error).message}`);
      hasWarned = true;
    }
  };
}

/** Renames the log files if the current file would get too large. The oldest file is overwritten. */
function rotate(file: string, bytes: number, maxBytes: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size + bytes <= maxBytes) return;
  for (let place = FILES - 1; place > 0; place -= 1) {
    const from = place === 1 ? file : `${file}.${place - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${place}`);
  }
}
