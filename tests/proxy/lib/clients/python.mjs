/** Agents in Python, with OpenAI's and Anthropic's packages from PyPI, in a process of their own. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { installedPython, providePython } from "../../../../scripts/lib/python.mjs";

const AGENT = fileURLToPath(new URL("agent.py", import.meta.url));
/** The packages; the versions are pinned like every dependency. */
const PACKAGES = [
  { package: "openai", version: "3.54.0" },
  { package: "anthropic", version: "2.12.0" },
];

/** `{ python }`, or the `reason` why these packages cannot be had on this machine. */
export async function pythonForClients() {
  const python = await installedPython({ packages: PACKAGES });
  return python === null ? providePython({ packages: PACKAGES }) : { python };
}

let agents;
after(() => agents?.end());

/** The process that leads the conversations: `lead(plan)` answers what agent.py prints of one. */
function started(python) {
  const child = spawn(python, ["-I", AGENT], { stdio: ["pipe", "pipe", "pipe"] });
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
  const ended = once(child, "close").then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`Python ended with ${code}: ${stderr}`));
    waiting.clear();
    return code;
  });
  return {
    lead: (plan) =>
      new Promise((resolve, reject) => {
        waiting.set(++ids, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id: ids, ...plan })}\n`);
      }),
    end: async () => {
      child.stdin.end();
      assert.equal(await ended, 0);
      assert.equal(stderr, "");
    },
  };
}

const over = (wire, sdk) => ({
  label: `python ${sdk}${wire === "responses" ? " responses" : ""}`,
  wire,
  versions: [{}],
  variants: [{ stream: false }, { stream: true }],

  async run({ python, url, tools, answer, prompt, system, stream, maxSteps = 20, execute }) {
    const answers = Object.fromEntries(tools.map(({ name }) => [name, answer?.(name) ?? `${name} did it`]));
    const plan = { wire, base_url: url, tools, answers, prompt, system, stream, max_steps: maxSteps };
    agents ??= started(python);
    const result = await agents.lead(plan);
    for (const { name, args } of result.ran) await execute(name, args);
    return { ...result, replies: result.usage.map((usage) => ({ usage })) };
  },
});

export const pythonOpenai = over("chat", "openai");
export const pythonResponses = over("responses", "openai");
export const pythonAnthropic = over("messages", "anthropic");
