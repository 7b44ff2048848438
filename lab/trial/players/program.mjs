/** A program that plays over standard input and output, with one line of JSON for each request and each reply. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Problem } from "../../../scripts/lib/run.mjs";

/**
 * Starts a program from a command line. The program reads `{ id, conversation, api, request }` and writes `{ id, reply }` or
 * `{ id, error }`, in any order.
 */
export function program(command) {
  const child = spawn(command, { stdio: ["pipe", "pipe", "inherit"], shell: true });
  const waiting = new Map();
  let ended;
  const end = (why) => {
    ended ??= new Problem(`the player ${command} ${why}`);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    // A program that still reads ends too when its input ends.
    child.stdin.end();
  };
  child.on("error", (error) => end(`cannot be started: ${error.message}`));
  child.on("close", (code) => end(`ended with ${code}`));
  // If a program ends during a write, its end is reported elsewhere.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.trim() === "") return;
    const { id, reply, error } = parsed(line) ?? {};
    const asked = waiting.get(id);
    if (asked === undefined) return end(`wrote a line that answers nothing: ${line.slice(0, 200)}`);
    waiting.delete(id);
    if (error === undefined) asked.resolve(reply);
    else asked.reject(new Problem(`the player ${command} cannot answer: ${error}`));
  });
  return {
    ask: (asked) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.set(asked.id, { resolve, reject });
        child.stdin.write(`${JSON.stringify(asked)}\n`);
      }),
    close: () => void child.stdin.end(),
  };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
