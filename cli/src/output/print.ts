/** Writes for commands: results to stdout, messages for people to stderr. */

import pc from "picocolors";
import { readableLines } from "./escape.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Whether a stream takes colours: a terminal does, unless `NO_COLOR` is set. */
export function isColourful(stream: { isTTY?: boolean }, env: Env = process.env): boolean {
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Colours for stdout. */
export const colours = pc.createColors(isColourful(process.stdout));
/** Colours for stderr. */
const alarm = pc.createColors(isColourful(process.stderr));

/** Writes a line of the result. Text of others in it must be escaped. */
export function print(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** Writes the result for programs. What a terminal would act on is escaped, as JSON escapes most of it. */
export function printJson(value: unknown): void {
  print(safeJson(value, 2));
}

/** Tells people something that is not part of the result. */
export function tell(text: string): void {
  process.stderr.write(`${alarm.dim(readableLines(text))}\n`);
}

/** Tells people of a problem. */
export function warn(text: string): void {
  process.stderr.write(`${alarm.yellow("warning:")} ${readableLines(text)}\n`);
}

/** Tells people why the command ends. */
export function complain(text: string): void {
  process.stderr.write(`${alarm.red("error:")} ${readableLines(text)}\n`);
}

/** A line on stderr that is written anew as the work goes on. */
export interface Progress {
  /** Shows how far the work is. Only a terminal shows it. */
  at(text: string): void;
  /** Shows a text everywhere: outside of a terminal on a line of its own. */
  say(text: string): void;
  done(): void;
}

/** Begins such a line. */
export function progress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { at: () => {}, say: tell, done: () => {} };
  const at = (text: string) =>
    void stderr.write(`\r\u001b[2K${alarm.dim(readableLines(text).slice(0, (stderr.columns ?? 80) - 1))}`);
  return { at, say: at, done: () => void stderr.write("\r\u001b[2K") };
}

/** Characters that JSON leaves as they are, and that a terminal hides or acts upon. */
const UNSHOWN = /[\p{Default_Ignorable_Code_Point}\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON as `JSON.stringify` writes it, with control and invisible characters as `\u` escapes. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSHOWN, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
