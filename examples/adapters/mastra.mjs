/** How does an agent of Mastra's search tools? Its model searches by itself: the middleware of AI SDK wraps it. */

import { Agent } from "@mastra/core/agent";
import { ModelRouterLanguageModel } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { wrapLanguageModel } from "ai";
import { siftModelMiddleware } from "toolsift/ai-sdk-middleware";
import { servers, sift } from "./servers.mjs";

const { OPENAI_BASE_URL: url = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey } = process.env;
/** Mastra's types know models of AI SDK 6; it takes those of 7 too. @type {any} */
const router = new ModelRouterLanguageModel({ id: "openai/gpt-5.4", url, apiKey });
/** @type {any} */
const model = wrapLanguageModel({ model: router, middleware: siftModelMiddleware({ sift: { activation: "on" } }) });
/** All tools of the servers, as Mastra's own. */
const definitions = new Map(
  sift
    .session("all")
    .heldBack()
    .map(({ name, definition }) => [name, definition]),
);
const tools = sift.tools().map(({ name, server, originalName, description }) => {
  const { inputSchema } = definitions.get(name) ?? {};
  /** @param {any} input */
  const execute = async (input) => servers.execute({ server, name: originalName, arguments: input });
  return [name, createTool({ id: name, description, inputSchema, execute })];
});
const instructions = "You help with notes and files.";
const agent = new Agent({ id: "helper", name: "Helper", instructions, model, tools: Object.fromEntries(tools) });
const { text } = await agent.generate("Remember that Ada likes engines.", { maxSteps: 20 });
console.log(text);
await servers.close();
