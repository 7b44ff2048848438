/** How does an agent of the OpenAI Agents SDK hand work to a subagent? As a tool, with a child session that finds its own tools. */

import { Agent, run } from "@openai/agents";
import { toolsift } from "toolsift/openai-agents";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all" });
const session = sift.session("chat");
const child = session.child("chat/archivist", { scope: { servers: ["memory"] } });
const model = "gpt-5.4";
const instructions = "You keep notes.";
const archivist = new Agent(sift.with(child, { name: "Archivist", instructions, model }));
const tools = [archivist.asTool({ toolName: "archivist", runOptions: sift.runOptions() })];
const helper = new Agent(sift.with(session, { name: "Helper", instructions: "You help.", model, tools }));
const { finalOutput } = await run(helper, "Remember that Ada likes engines.", sift.runOptions());
child.handBack();
console.log(finalOutput, session.revealed);
await sift.close();
