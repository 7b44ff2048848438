import OpenAI from "openai";
import { toolsift } from "toolsift/openai";

const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
});
const client = new OpenAI();
const { text } = await sift.run("chat-42", client, { model: "gpt-5.4", messages: [{ role: "user", content: "Go on." }] });
const other = await sift.runResponses(
  "chat-42",
  client,
  { model: "gpt-5.4", input: [{ role: "user", content: "Go on." }] },
  { deferLoading: true, maxSteps: 3 },
);
text satisfies string;
other.reply.response.id satisfies string;
// @ts-expect-error there is no such option
await sift.run("chat-42", client, { model: "gpt-5.4", messages: [] }, { maxStep: 3 });
