import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { toolsift } from "toolsift/mastra";
import { z } from "zod";

const ring = createTool({
  id: "ring",
  description: "Ring.",
  inputSchema: z.object({ times: z.number() }),
  execute: async ({ times }) => times,
});
const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
  tools: { ring },
  session: ({ threadId }) => threadId,
  execute: ({ name }) => name,
});
const plain = new Agent(sift.with({ id: "helper", name: "Helper", instructions: "Be kind.", model: "openai/gpt-5.4" }));
const { text } = await plain.generate("Hi", { memory: { thread: "chat-42", resource: "ada" } });
text satisfies string;
export const agent = new Agent(
  sift.with({
    id: "other",
    name: "Other",
    instructions: ({ requestContext }) => String(requestContext.get("words")),
    model: "openai/gpt-5.4",
    tools: { ring },
    inputProcessors: [{ id: "mine", processInput: async ({ messages }) => messages }],
  }),
);
export const id: "other" = agent.id;
export const placed = new Agent(
  sift.with({ id: "x", name: "X", instructions: "", model: "openai/gpt-5.4", inputProcessors: () => [sift.processor] }),
);
await sift.close();

// @ts-expect-error there is no such option
await toolsift({ tool: {} });
// @ts-expect-error an agent has no such setting
sift.with({ id: "x", name: "X", instructions: "", model: "openai/gpt-5.4", inputProcessor: [] });
