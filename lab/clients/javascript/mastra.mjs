import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

export async function play({ base_url, tools, execute, system, prompt, stream }) {
  const set = tools.map(({ name, description, inputSchema }) => [
    name,
    createTool({ id: name, description, inputSchema, execute: async (args) => execute(name, args) }),
  ]);
  const agent = new Agent({
    id: "clerk",
    name: "clerk",
    instructions: system,
    model: { id: "vendor/gpt-5.2", url: `${base_url}/v1`, apiKey: "none" },
    tools: Object.fromEntries(set),
  });
  if (!stream) return (await agent.generate(prompt, { maxSteps: 10 })).text;
  return (await agent.stream(prompt, { maxSteps: 10 })).text;
}
