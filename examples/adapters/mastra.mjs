/** How does an agent of Mastra's search tools? With a processor that gives each step the tools that were found. */

import { Agent } from "@mastra/core/agent";
import { siftProcessor } from "toolsift/mastra";
import { servers, sift } from "./servers.mjs";

const { OPENAI_BASE_URL: url = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey } = process.env;
const agent = new Agent({
  id: "helper",
  name: "Helper",
  instructions: "You help with notes and files.",
  model: { id: "openai/gpt-5.4", url, apiKey },
  inputProcessors: [siftProcessor(sift, { execute: servers.execute })],
});
const { text } = await agent.generate("Remember that Ada likes engines.", { maxSteps: 20 });
console.log(text);
await servers.close();
