/** Ranks with the original code of a Python project in a child process: one line of JSON for each query and each answer. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./originals.py", import.meta.url));
/** The most characters of a failed child's output that are shown, from its end. */
const SHOWN = 4_000;

/**
 * Returns the `index` function of a Python project, run by an interpreter with its package. Search times include the pipes.
 */
export const original = (python, peer) => async (tools) => {
  // With `-I`, the environment and the folder do not influence imports. The child ends at the end of its input.
  const child = spawn(python, ["-I", "-X", "utf8", SCRIPT, peer], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-SHOWN)));
  child.on("error", (error) => (said += error.message));
  // If the child has ended, the error is reported where its answer is missing.
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
