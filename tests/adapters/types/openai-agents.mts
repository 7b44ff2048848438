import { Agent, MemorySession, run, type RunContext, Runner, tool } from "@openai/agents";
import { type Execute, ToolSift } from "toolsift";
import { type NeedsApproval, fromAgentItems, siftAgents, toolsift } from "toolsift/openai-agents";
import { z } from "zod";

const ring = tool({
  name: "ring",
  description: "Ring the bell.",
  parameters: z.object({ times: z.number() }),
  needsApproval: async (_, { times }) => times > 3,
  execute: async ({ times }) => ({ rung: times > 0 }),
});
const execute: Execute = ({ server, name, arguments: args }) => `${server}/${name} ${JSON.stringify(args)}`;
const needsApproval: NeedsApproval = ({ name }, { context }) => name.startsWith("delete_") && context !== "admin";
const sift = new ToolSift();
const agents = siftAgents(sift, {
  tools: [ring],
  execute,
  needsApproval,
  images: true,
  patience: 3,
  onEvent: ({ type, attributes }) => console.log(type, attributes["gen_ai.tool.name"]),
});

export async function main() {
  const agent = new Agent(agents.with("chat", { name: "A", instructions: "You help.", tools: [ring] }));
  const { finalOutput } = await run(agent, "Go.", agents.runOptions());
  const text: string | undefined = finalOutput;
  const streamed = await run(agent, "Go.", agents.runOptions({ stream: true, maxTurns: 3 }));
  for await (const event of streamed) console.log(event.type);

  const outputType = z.object({ city: z.string() });
  const shaped = new Agent(agents.with(sift.session("b", { scope: "all" }), { name: "B", outputType, handoffs: [agent] }));
  const city: string | undefined = (await run(shaped, "Go.", agents.runOptions())).finalOutput?.city;

  interface User {
    name: string;
  }
  const instructions = ({ context }: RunContext<User>) => `You help ${context.name}.`;
  const personal = new Agent<User>(agents.with("c", { name: "C", instructions }));
  await new Runner(agents.runOptions()).run(personal, "Go.", { context: { name: "Ada" } });
  fromAgentItems(sift.session("chat"), await new MemorySession().getItems());
  return [text, city];
}
export async function door() {
  const open = await toolsift({
    mcpServers: { files: { command: "npx", args: ["-y", "files"] } },
    tools: [ring],
    needsApproval,
  });
  const { finalOutput } = await run(
    new Agent(open.with("chat", { name: "A", instructions: "You help." })),
    "Go.",
    open.runOptions(),
  );
  await open.close();
  return finalOutput?.toUpperCase();
}
// @ts-expect-error an agent has no such setting
agents.with("chat", { name: "A", instruction: "You help." });
