/** How does an agent of LangChain's hand work to a subagent? A tool invokes one whose session is a child's. */

import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { siftMiddleware, toolsift } from "toolsift/langchain";
import { z } from "zod";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all" });
const session = sift.session("chat");
const model = new ChatOpenAI({ model: "gpt-5.4" });
const ask = async (/** @type {{ input: string }} */ { input }) => {
  const child = session.child("chat/archivist", { scope: { servers: ["memory"] } });
  const { execute } = sift.servers;
  const agent = createAgent({ model, middleware: [siftMiddleware(sift, { execute, session: () => child })] });
  const { messages } = await agent.invoke({ messages: input });
  child.handBack();
  child.close();
  return messages.at(-1)?.text;
};
const about = {
  name: "archivist",
  description: "Asks the archivist, who keeps notes.",
  schema: z.object({ input: z.string() }),
};
const agent = createAgent(sift.with({ model, tools: [tool(ask, about)] }));
const chat = { configurable: { thread_id: "chat" } };
const { messages } = await agent.invoke({ messages: "Remember that Ada likes engines." }, chat);
console.log(messages.at(-1)?.text, session.revealed);
await sift.close();
