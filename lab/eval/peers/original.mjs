/** Ranks with the original code of a Python project in a child process: one line of JSON for each query and each answer. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./originals.py", import.meta.url));
/** Of what a child that fails says, the end is shown. */
const SHOWN = 4_000;

/** The `index` of a peer, run by an interpreter that has its package. Times of its searches include the pipes. */
export const original = (python, peer) => async (tools) => {
  // -I: neither the environment nor the folder changes what is imported. The child ends when its input does.
  const child = spawn(python, ["-I", "-X", "utf8", SCRIPT, peer], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-SHOWN)));
  child.on("error", (error) => (said += error.message));
  // That the child is gone is told where its answer is missing.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function ask(value) {
    child.stdin.write(`${JSON.stringify(value)}\n`);
    const { value: line, done } = await lines.next();
    if (done) throw new Error(`${peer} in Python ended early: ${said.trim()}`);
    const { error, ...answer } = JSON.parse(line);
    if (error !== undefined) throw new Error(error);
    return answer;
  }

  await ask({ tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) });
  return {
    search: async (query, limit) => (await ask({ query, limit })).names,
    dispose: () => child.stdin.end(),
  };
};
