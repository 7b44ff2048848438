/** How does an agent of the OpenAI Agents SDK work by a skill? The user's message loads it with its tools. */

import { Agent, run } from "@openai/agents";
import { toolsift } from "toolsift/openai-agents";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ skills: ["./skills"], mcpServers, ready: "all", activation: "on" });
const agent = new Agent(sift.with("chat", { name: "Helper", instructions: "You help.", model: "gpt-5.4" }));
const { finalOutput } = await run(agent, "Remember people: Ada likes engines.", sift.runOptions({ maxTurns: 20 }));
console.log(finalOutput);
await sift.close();
