/** Prints the output of commands: results to stdout, messages for people to stderr. */

import pc from "picocolors";
import { readableLines } from "./escape.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Returns true if a stream is a terminal with colours and `NO_COLOR` is not set. */
export function isColourful(stream: { isTTY?: boolean }, env: Env = process.env): boolean {
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Colours for stdout. */
export const colours = pc.createColors(isColourful(process.stdout));
/** Colours for stderr. */
const alarm = pc.createColors(isColourful(process.stderr));

/** Writes a line of the result. The caller must escape foreign text in it. */
export function print(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** Writes the result as JSON for programs. Characters that control a terminal are escaped. */
export function printJson(value: unknown): void {
  print(safeJson(value, 2));
}

/** Writes a message that is not part of the result to stderr. */
export function tell(text: string): void {
  process.stderr.write(`${alarm.dim(readableLines(text))}\n`);
}

/** Writes a warning to stderr. */
export function warn(text: string): void {
  process.stderr.write(`${alarm.yellow("warning:")} ${readableLines(text)}\n`);
}

/** Writes the error that ends the command to stderr. */
export function complain(text: string): void {
  process.stderr.write(`${alarm.red("error:")} ${readableLines(text)}\n`);
}

/** A progress line on stderr, which each update replaces. */
export interface Progress {
  /** Shows the progress, only on a terminal. */
  at(text: string): void;
  /** Shows a text in every case. If stderr is not a terminal, the text gets a line of its own. */
  say(text: string): void;
  done(): void;
}

/** Starts a progress line. */
export function progress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { at: () => {}, say: tell, done: () => {} };
  const at = (text: string) =>
    void stderr.write(`\r\u001b[2K${alarm.dim(readableLines(text).slice(0, (stderr.columns ?? 80) - 1))}`);
  return { at, say: at, done: () => void stderr.write("\r\u001b[2K") };
}

/** Matches the characters that JSON does not escape and that a terminal hides or interprets. */
const UNSHOWN = /[\p{Default_Ignorable_Code_Point}\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns JSON as `JSON.stringify` does, with control characters and invisible characters as `\u` escapes. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSHOWN, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
