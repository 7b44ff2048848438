/** Calls a script of this repository as `npm run` does, in one process for all calls of a test file. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { at } from "../../../scripts/lib/paths.mjs";

const HOST = fileURLToPath(new URL("host.mjs", import.meta.url));

/** A function that runs a script of scripts/ with some arguments and answers `{ code, stdout, stderr, output }`. */
export function scriptOf(name, env) {
  const waiting = [];
  let host;
  const start = () => {
    const child = fork(HOST, [at("scripts", name)], { cwd: at(), env: { ...process.env, ...env } });
    const settle = (outcome) => {
      const next = waiting.shift();
      if (waiting.length === 0) quiet(child, "unref");
      return next?.(outcome);
    };
    child.on("message", settle);
    child.on("exit", (code, signal) => {
      host = undefined;
      while (waiting.length > 0) settle({ code: code ?? signal, stdout: "", stderr: "", output: "the process ended" });
    });
    return child;
  };
  return (...args) => {
    host ??= start();
    quiet(host, "ref");
    return new Promise((resolve) => {
      waiting.push(resolve);
      host.send(args);
    });
  };
}

/** A process that has nothing to do keeps no test file from its end. */
function quiet(child, how) {
  child[how]();
  child.channel?.[how]();
}
