/** How does AI SDK's agent hand work to a subagent? A tool runs one in a child session, which finds its own tools. */

import { openai } from "@ai-sdk/openai";
import { generateText, tool } from "ai";
import { toolsift } from "toolsift/ai-sdk";
import { z } from "zod";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all" });
const session = sift.session("chat");
const model = openai.chat("gpt-5.4");
const archivist = tool({
  description: "Asks the archivist, who keeps notes.",
  inputSchema: z.object({ input: z.string() }),
  execute: async ({ input }, { toolCallId }) => {
    const child = session.child(`chat/${toolCallId}`, { scope: { servers: ["memory"] } });
    const { text } = await generateText(sift.with(child, { model, prompt: input }));
    child.handBack();
    child.close();
    return text;
  },
});
const prompt = "Remember that Ada likes engines.";
const { text } = await generateText(sift.with(session, { model, prompt, tools: { archivist } }));
console.log(text, session.revealed);
await sift.close();
