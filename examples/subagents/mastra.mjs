/** How does an agent of Mastra's hand work to a subagent? A tool runs one whose session is a child's. */

import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { siftProcessor, toolsift } from "toolsift/mastra";
import { z } from "zod";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all", session: () => "chat" });
const session = sift.session("chat");
const { OPENAI_BASE_URL: url = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey } = process.env;
const model = { id: "openai/gpt-5.4", url, apiKey };
const archivist = createTool({
  id: "archivist",
  description: "Asks the archivist, who keeps notes.",
  inputSchema: z.object({ input: z.string() }),
  execute: async ({ input }) => {
    const child = session.child("chat/archivist", { scope: { servers: ["memory"] } });
    const inputProcessors = [siftProcessor(sift, { execute: sift.servers.execute, session: () => child })];
    const settings = { id: "archivist", name: "Archivist", instructions: "You keep notes.", model, inputProcessors };
    const { text } = await new Agent(settings).generate(input, { maxSteps: 20 });
    child.handBack();
    child.close();
    return text;
  },
});
const settings = { id: "helper", name: "Helper", instructions: "You help.", model, tools: { archivist } };
const { text } = await new Agent(sift.with(settings)).generate("Remember that Ada likes engines.", { maxSteps: 20 });
console.log(text, session.revealed);
await sift.close();
