/**
 * How does a whole agent look? MCP servers' tools, a session, a model behind Chat Completions, and the loop between them.
 */

import OpenAI from "openai";
import { runTools } from "toolsift";
import { chatModel } from "toolsift/openai";
import { servers, sift } from "./servers.mjs";

const session = sift.session("chat-42");
const model = chatModel(new OpenAI(), {
  model: "gpt-5.4",
  messages: [
    { role: "system", content: `You are a helpful assistant.\n\n${servers.instructions(session)}` },
    { role: "user", content: "Remember that Ada likes engines, and tell me what else you know of her." },
  ],
});
const { finish, steps, reply } = await runTools(session, { ...model, execute: servers.execute });

console.log(reply.text);
console.log(`${finish} after ${steps} steps; loaded: ${session.revealed.join(", ")}`);
await servers.close();
