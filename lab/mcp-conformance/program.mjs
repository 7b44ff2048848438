/** Starts a program that serves HTTP, and waits until it is ready. */

import { spawn } from "node:child_process";
import { once } from "node:events";

/** The time limits for a program to print its URL, and to end, in ms. */
const START_MS = 30_000;
const END_MS = 5_000;

/**
 * Starts a Node program, and waits until it prints its URL.
 *
 * @param ready matches the URL in the output, as its first group
 * @returns the URL, and `close`, which ends the program
 * @throws Error with the output, if the program ends earlier or takes too long
 */
export async function program(args, env, ready) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "close");
  let printed = "";
  const url = await new Promise((resolve, reject) => {
    const fail = (how) => reject(new Error(`${args.join(" ")} ${how}: ${printed.slice(-2_000)}`));
    const timer = setTimeout(() => (child.kill(), fail("did not start in time")), START_MS);
    child.on("close", () => (clearTimeout(timer), fail("ended before it listened")));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        printed = (printed + text).slice(-10_000);
        const [, found] = ready.exec(printed) ?? [];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
  });
  const close = async () => {
    child.kill();
    const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await ended;
    clearTimeout(timer);
  };
  return { url, close };
}
