import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { toolsift } from "toolsift/langchain";
import { z } from "zod";

const weather = tool(async ({ city }) => city, {
  name: "weather",
  description: "Weather.",
  schema: z.object({ city: z.string() }),
});
const model = new ChatOpenAI({ model: "gpt-5.2" });
const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
  tools: [weather],
  session: ({ configurable }) => configurable?.thread_id,
  scope: { servers: ["memory"] },
  execute: ({ name }) => name,
  handleToolErrors: false,
});

const counted = createMiddleware({ name: "Count", stateSchema: z.object({ count: z.number().default(0) }) });
const agent = createAgent(
  sift.with({
    model,
    tools: [weather],
    systemPrompt: "Be kind.",
    responseFormat: z.object({ answer: z.string() }),
    contextSchema: z.object({ user: z.string() }),
    middleware: [counted, humanInTheLoopMiddleware({ interruptOn: { tide: true } })],
    checkpointer: new MemorySaver(),
  }),
);
const state = await agent.invoke({ messages: "Hi" }, { configurable: { thread_id: "a" }, context: { user: "ada" } });
state.structuredResponse.answer satisfies string;
state.count satisfies number;
createAgent(sift.with({ model, middleware: [counted, sift.middleware] }));
await sift.close();

// @ts-expect-error createAgent has no such setting
sift.with({ model, middlewares: [] });
