/** How does an agent of AI SDK work by a skill? The user's message loads it with its tools, before the model is asked. */

import { openai } from "@ai-sdk/openai";
import { generateText } from "ai";
import { toolsift } from "toolsift/ai-sdk";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ skills: ["./skills"], mcpServers, ready: "all", activation: "on" });
const settings = { model: openai("gpt-5.4"), prompt: "Remember people: Ada likes engines." };
const { text } = await generateText(sift.with("chat", settings));
console.log(text);
await sift.close();
