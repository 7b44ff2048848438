/**
 * Secrets from programs: `${command:op read op://work/github/token}` in `env` and `headers` stands for the output of a
 * program. A placeholder replaces it until the server is started: the program may ask the user, and only a start needs the
 * secret.
 */

import { exec } from "node:child_process";
import { createHash } from "node:crypto";
import { Failure } from "../base/failure.js";
import { oneLine, quoted } from "../output/escape.js";
import { withTexts } from "./data.js";
import type { ServerEntry } from "./types.js";

/** Matches the text between the braces: a program with arguments. VS Code's own variable `${command:id}` has no space. */
export const COMMAND = /^command:(\S+\s.*)$/s;
const MARK = /\{\{toolsift-command:[0-9a-f]{16}\}\}/g;
/** The commands that this process has read from configurations, by placeholder. Only these commands are ever run. */
const COMMANDS = new Map<string, string>();
/** The time limit of a program, in ms. It is long because the program may wait for the user. */
const TIMEOUT_MS = 120_000;
const MOST_BYTES = 65_536;

/** The keys that may hold a secret. In other keys, such as `args`, other users of the machine could read it. */
export const PRIVATE: readonly string[] = ["env", "headers"];

/** Returns the placeholder for the output of a command, and remembers the command. */
export function marked(command: string): string {
  const mark = `{{toolsift-command:${createHash("sha256").update(command).digest("hex").slice(0, 16)}}}`;
  COMMANDS.set(mark, command);
  return mark;
}

/** Replaces the placeholders in an entry by secrets. @throws Failure that names a command without a valid output */
export async function withSecrets<E extends ServerEntry>(entry: E): Promise<E> {
  const parts = await Promise.all(
    Object.entries(entry).map(async ([key, part]) => [key, PRIVATE.includes(key) ? await filled(part) : part] as const),
  );
  return Object.fromEntries(parts) as E;
}

async function filled<T>(part: T): Promise<T> {
  const values = new Map<string, string>();
  for (const [mark] of JSON.stringify(part).matchAll(MARK)) {
    const command = COMMANDS.get(mark);
    if (command !== undefined && !values.has(mark)) values.set(mark, await printedBy(command));
  }
  return withTexts(part, (text) => text.replace(MARK, (mark) => values.get(mark) ?? mark));
}

/** Runs a command and returns the line that it prints. No error message contains this output. */
function printedBy(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = exec(
      command,
      { timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES, windowsHide: true },
      (error, stdout, stderr) => {
        const secret = stdout.replace(/\r?\n$/, "");
        if (error === null && secret !== "" && !/[\0\r\n]/.test(secret)) return resolve(secret);
        const how = error === null ? "it must print one line" : error.killed ? "it was stopped" : `exit code ${error.code}`;
        const detail = stderr.trim() === "" ? how : `${how}: ${oneLine(stderr.trim(), 300)}`;
        reject(new Failure(`no secret (${detail}) from the command ${quoted(command)}`));
      },
    );
    child.stdin?.end();
  });
}
