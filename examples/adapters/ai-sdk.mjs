/** How does an agent of AI SDK search tools? What it finds is appended to the tools of its next step. */

import { openai } from "@ai-sdk/openai";
import { generateText } from "ai";
import { siftTools } from "toolsift/ai-sdk";
import { servers, sift } from "./servers.mjs";

const sifted = await siftTools(sift, { execute: servers.execute });
const { text } = await generateText({
  model: openai.chat("gpt-5.4"),
  system: "You help with notes and files.",
  prompt: "Remember that Ada likes engines.",
  ...sifted.for(sift.session("chat")),
});
console.log(text);
await servers.close();
