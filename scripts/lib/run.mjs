/** Runs another program. Its output is shown only if it fails, and it is ended together with this process. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./paths.mjs";

/** An error that the user can fix. It is shown without a stack. */
export class Problem extends Error {}

/** A program could not be started, or ended with an error. */
export class CommandFailed extends Error {
  constructor(command, how, output) {
    super(`${command} ${how}`);
    this.output = output;
  }
}

const running = new Set();
let watching = false;

/**
 * Runs a program and returns its output. `env` is added to the environment of this process. With `show`, the output also
 * goes to the terminal; with `inherit`, only there. After `timeout` ms, the program is ended.
 */
export function run(command, args = [], options = {}) {
  const { cwd = root, env = {}, show = false, inherit = false, fails = true, timeout } = options;
  watchOver();
  return new Promise((resolve, reject) => {
    const stdio = inherit ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, timeout });
    running.add(child);
    const printed = { stdout: "", stderr: "", output: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
        printed.output += text;
        if (show) process[name].write(text);
      });
    }
    const line = [command, ...args].join(" ");
    child.on("error", (error) => {
      running.delete(child);
      const how = error.code === "ENOENT" ? "was not found" : `could not be started: ${error.message}`;
      reject(new CommandFailed(line, how, printed.output));
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0 || !fails) resolve({ ...printed, code });
      else reject(new CommandFailed(line, signal ? `was ended by ${signal}` : `ended with ${code}`, printed.output));
    });
  });
}

/** Returns the output of a program, or null if it is missing or fails. */
export async function ask(command, args = [], options = {}) {
  try {
    return (await run(command, args, options)).stdout.trim();
  } catch {
    return null;
  }
}

/** Runs npm: the one that runs this script, or the one installed with this Node. */
export function npm(args, options) {
  const beside = join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  const cli = [process.env.npm_execpath, beside].find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
  return cli ? node(cli, args, options) : run("npm", args, options);
}

/** Runs a program of an npm package by its file, which works on every platform. */
export const node = (file, args, options) => run(process.execPath, [file, ...args], options);

/** Ends all running programs when this process ends, also by Ctrl-C or SIGTERM. */
function watchOver() {
  if (watching) return;
  watching = true;
  process.on("exit", () => running.forEach((child) => child.kill()));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
