/** How does an agent of the OpenAI Agents SDK hand a conversation over? To an agent with a child session, in `handoffs`. */

import { Agent, run } from "@openai/agents";
import { toolsift } from "toolsift/openai-agents";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all" });
const session = sift.session("chat");
const child = session.child("chat/archivist", { scope: { servers: ["memory"] } });
const model = "gpt-5.4";
const archivist = new Agent(sift.with(child, { name: "Archivist", handoffDescription: "Keeps notes.", model }));
const settings = { name: "Helper", instructions: "You help.", model, handoffs: [archivist] };
const helper = new Agent(sift.with(session, settings));
const { finalOutput, lastAgent } = await run(helper, "Remember that Ada likes engines.", sift.runOptions());
child.handBack();
console.log(lastAgent?.name, finalOutput, session.revealed);
await sift.close();
