/** Agents in Python, with OpenAI's and Anthropic's packages from PyPI, in processes of their own. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
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

const over = (wire, sdk) => ({
  label: `python ${sdk}${wire === "responses" ? " responses" : ""}`,
  wire,
  versions: [{}],
  variants: [{ stream: false }, { stream: true }],

  async run({ python, url, tools, answer, prompt, system, stream, maxSteps = 20, execute }) {
    const child = spawn(python, ["-I", AGENT], { stdio: ["pipe", "pipe", "pipe"] });
    const answers = Object.fromEntries(tools.map(({ name }) => [name, answer?.(name) ?? `${name} did it`]));
    const plan = { wire, base_url: url, tools, answers, prompt, system, stream, max_steps: maxSteps };
    child.stdin.end(`${JSON.stringify(plan)}\n`);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(err, "");
    const result = JSON.parse(out);
    for (const { name, args } of result.ran) await execute(name, args);
    return { ...result, replies: result.usage.map((usage) => ({ usage })) };
  },
});

export const pythonOpenai = over("chat", "openai");
export const pythonResponses = over("responses", "openai");
export const pythonAnthropic = over("messages", "anthropic");
