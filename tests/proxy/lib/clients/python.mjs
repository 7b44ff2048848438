/** Agents in Python, with OpenAI's and Anthropic's packages from PyPI, in a process of their own. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { installedPython, providePython } from "../../../../scripts/lib/python.mjs";
import { VENDORS } from "./packages.mjs";
import { startAgents } from "./process.mjs";

const AGENT = fileURLToPath(new URL("agent.py", import.meta.url));

/** `{ python }`, or the `reason` why these packages cannot be had on this machine. */
export async function pythonForClients() {
  const python = await installedPython({ packages: VENDORS });
  return python === null ? providePython({ packages: VENDORS }) : { python };
}

let agents;

/** Ends the process; for the end of each file that leads agents. */
export async function endPython() {
  if (agents !== undefined) assert.deepEqual(await agents.end(), { code: 0, stderr: "" });
  agents = undefined;
}

const over = (wire, sdk) => ({
  label: `python ${sdk}${wire === "responses" ? " responses" : ""}`,
  wire,
  versions: [{}],
  variants: [{ stream: false }, { stream: true }],

  async run({ python, url, tools, answer, prompt, system, stream, maxSteps = 20, execute }) {
    const answers = Object.fromEntries(tools.map(({ name }) => [name, answer?.(name) ?? `${name} did it`]));
    const plan = { wire, base_url: url, tools, answers, prompt, system, stream, max_steps: maxSteps };
    agents ??= startAgents(python, ["-I", AGENT]);
    const result = await agents.lead(plan);
    for (const { name, args } of result.ran) await execute(name, args);
    return { ...result, replies: result.usage.map((usage) => ({ usage })) };
  },
});

export const pythonOpenai = over("chat", "openai");
export const pythonResponses = over("responses", "openai");
export const pythonAnthropic = over("messages", "anthropic");
