/**
 * Does a strict program that uses `toolsift()` with LangChain or Mastra compile without a cast?
 * 1. What `with` gives is taken by `createAgent` and `new Agent`, and keeps what they infer: the structured response, the state of
 *    middlewares, the id of the agent.
 * 2. Misspelt options and settings do not compile.
 */

import { MCP } from "./lib/doorway.mjs";
import { LANGCHAIN } from "./lib/drives/langchain.mjs";
import { mastra } from "./lib/drives/mastra.mjs";
import { compiles } from "./lib/strict.mjs";

const LANGCHAIN_PROGRAM = `
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { toolsift } from "toolsift/langchain";
import { z } from "zod";

const weather = tool(async ({ city }) => city, { name: "weather", description: "Weather.", schema: z.object({ city: z.string() }) });
const model = new ChatOpenAI({ model: "gpt-5.2" });
const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
  tools: [weather],
  session: ({ configurable }) => configurable?.thread_id,
  scope: { servers: ["memory"] },
  execute: ({ name }) => name,
  handleToolErrors: false,
});
const plain = createAgent(sift.with({ model: "openai:gpt-5.4" }));
await plain.invoke({ messages: [{ role: "user", content: "Hi" }] }, { configurable: { thread_id: "chat-42" } });

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

// @ts-expect-error there is no such option
await toolsift({ tool: [weather] });
// @ts-expect-error createAgent has no such setting
sift.with({ model, middlewares: [] });
`;

const MASTRA_PROGRAM = `
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { toolsift } from "toolsift/mastra";
import { z } from "zod";

const ring = createTool({ id: "ring", description: "Ring.", inputSchema: z.object({ times: z.number() }), execute: async ({ times }) => times });
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
export const placed = new Agent(sift.with({ id: "x", name: "X", instructions: "", model: "openai/gpt-5.4", inputProcessors: () => [sift.processor] }));
await sift.close();

// @ts-expect-error there is no such option
await toolsift({ tool: {} });
// @ts-expect-error an agent has no such setting
sift.with({ id: "x", name: "X", instructions: "", model: "openai/gpt-5.4", inputProcessor: [] });
`;

/** Its own type is not taken by `createAgent` where optional properties are exact. */
const HUMAN = ", humanInTheLoopMiddleware({ interruptOn: { tide: true } })";
const EXACT = LANGCHAIN_PROGRAM.replace(HUMAN, "");
compiles(
  "LangChain: a strict program of every part compiles",
  LANGCHAIN_PROGRAM,
  { ...LANGCHAIN, ...MCP },
  { exact: false },
);
compiles("LangChain: the same where optional properties are exact", EXACT, { ...LANGCHAIN, ...MCP });
compiles("Mastra: a strict program of every part compiles", MASTRA_PROGRAM, { ...mastra.versions[0], ...MCP });
