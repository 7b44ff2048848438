/** The log of a gateway: JSON lines that say what was done. */

import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { safeJson } from "../output/print.js";

/** Adds a line, with the time before its fields. Never throws. */
export type Log = (fields: Readonly<Record<string, string | number | undefined>>) => void;

export interface LogOptions {
  /** A file that would get larger is put aside. Default: 10 MB. */
  maxBytes?: number;
  /** Is told once if the file cannot be written. */
  onProblem?: (message: string) => void;
}

const MAX_BYTES = 10_000_000;
/** The file and two older ones: `FILE`, `FILE.1`, `FILE.2`. */
const FILES = 3;
/** Texts are cut to this length. */
const MAX_TEXT = 1000;

/**
 * Opens a log. Several processes may write the same file.
 * @throws what the file system throws if the folder of the file cannot be made or the file cannot be written
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

/** Puts the file aside if it would get too large, and drops the oldest one. */
function rotate(file: string, bytes: number, maxBytes: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size + bytes <= maxBytes) return;
  for (let place = FILES - 1; place > 0; place -= 1) {
    const from = place === 1 ? file : `${file}.${place - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${place}`);
  }
}
