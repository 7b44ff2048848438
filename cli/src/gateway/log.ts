/** The log of a gateway: JSON lines that say what was done, without the values of arguments. */

import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { safeJson } from "../output/print.js";

/** One line, without its time. */
export interface LogEntry {
  event: string;
  server?: string;
  tool?: string;
  ms?: number;
  outcome?: string;
  bytes?: number;
  tokens?: number;
  /** A short text for people, such as an error's message. */
  detail?: string;
  /** The arguments of a call. They are written only if the log was opened with `values`. */
  arguments?: unknown;
}

export interface Log {
  /** Adds a line. Never throws, and does not wait for the disk. */
  write(entry: LogEntry): void;
  /** Writes what is left. The log takes no lines afterwards. */
  close(): void;
}

export interface LogOptions {
  /** Writes the arguments of calls, too. */
  values?: boolean;
  /** A file that would get larger is put aside. Default: 10 MB. */
  maxBytes?: number;
  /** Is told once if the file cannot be written. */
  onProblem?: (message: string) => void;
}

const MAX_BYTES = 10_000_000;
/** The file and two older ones: `FILE`, `FILE.1`, `FILE.2`. */
const FILES = 3;
/** Lines wait for this time, so that many calls cause one write. */
const FLUSH_MS = 250;
/** Lines that wait take at most this many characters; then they are written at once. */
const MAX_WAITING = 2 ** 18;
/** Texts are cut to this length, and arguments are left out beyond the second. */
const MAX_TEXT = 1000;
const MAX_ARGUMENTS = 2 ** 16;
const FIELDS = ["event", "server", "tool", "ms", "outcome", "bytes", "tokens", "detail"] as const;

/**
 * Opens a log. Lines are written some times a second and when the process exits. Several processes may write the same file.
 * @throws what the file system throws if the folder of the file cannot be made or the file cannot be written
 */
export function openLog(file: string, { values = false, maxBytes = MAX_BYTES, onProblem }: LogOptions = {}): Log {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, "", { mode: 0o600 });
  let waiting: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let hasWarned = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const text = waiting.join("");
    waiting = [];
    length = 0;
    try {
      rotate(file, Buffer.byteLength(text), maxBytes);
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      // Lines are lost rather than kept without bound.
      if (!hasWarned) onProblem?.(`The log ${file} cannot be written: ${(error as Error).message}`);
      hasWarned = true;
    }
  }

  process.on("exit", flush);
  return {
    write(entry) {
      if (closed) return;
      const line = lineOf(entry, values);
      waiting.push(line);
      length += line.length;
      if (length > MAX_WAITING) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    close() {
      closed = true;
      flush();
      process.off("exit", flush);
    },
  };
}

/** One entry as a line; only the fields that are known, so that no value gets in by accident. */
function lineOf(entry: LogEntry, values: boolean): string {
  const line: Record<string, unknown> = { time: new Date().toISOString() };
  try {
    for (const field of FIELDS) {
      const value = entry[field];
      if (typeof value === "string") line[field] = value.slice(0, MAX_TEXT);
      else if (typeof value === "number" && Number.isFinite(value)) line[field] = value;
    }
    if (values && entry.arguments !== undefined) {
      const text = JSON.stringify(entry.arguments);
      line["arguments"] = text.length > MAX_ARGUMENTS ? `${text.length} characters, not written` : entry.arguments;
    }
    return `${safeJson(line)}\n`;
  } catch {
    // Arguments that are no JSON.
    delete line["arguments"];
    return `${safeJson(line)}\n`;
  }
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
