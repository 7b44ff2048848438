/** How does an agent of the OpenAI Agents SDK search tools? Each turn reads what the session has revealed. */

import { Agent, run } from "@openai/agents";
import { siftAgents } from "toolsift/openai-agents";
import { servers, sift } from "./servers.mjs";

const agents = siftAgents(sift, { execute: servers.execute });
const settings = { name: "Helper", instructions: "You help with notes and files.", model: "gpt-5.4" };
const agent = new Agent(agents.with("chat", settings));
const { finalOutput } = await run(agent, "Remember that Ada likes engines.", agents.runOptions({ maxTurns: 20 }));
console.log(finalOutput);
await servers.close();
