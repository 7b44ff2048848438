/** A process that leads conversations: reads a line of JSON for each, and prints a line when it has ended. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts it: `lead(plan)` answers what it prints of one conversation, `end()` its exit code and what stood on standard error. */
export function startAgents(command, args, env = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  let stderr = "";
  let ids = 0;
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, error, result } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  });
  // A process that has ended is told by its exit code.
  child.stdin.on("error", () => {});
  let failure;
  const ended = once(child, "close").then(([code]) => {
    failure = new Error(`${command} ended with ${code}: ${stderr}`);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
    return code;
  });
  return {
    lead: (plan) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        waiting.set(++ids, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id: ids, ...plan })}\n`);
      }),
    end: async () => {
      child.stdin.end();
      return { code: await ended, stderr };
    },
    kill: () => child.kill("SIGKILL"),
  };
}
