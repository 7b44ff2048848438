/** An agent of LangChain's that has the tools of two MCP servers, and finds the ones that it needs. */

import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { siftMiddleware } from "toolsift/langchain";
import { servers, sift } from "./servers.mjs";

const agent = createAgent({
  model: new ChatOpenAI({ model: "gpt-5.4" }),
  middleware: [siftMiddleware(sift, { execute: servers.execute })],
});
const { messages } = await agent.invoke({ messages: "Remember that Ada likes engines." });
console.log(messages.at(-1)?.text);
await servers.close();
