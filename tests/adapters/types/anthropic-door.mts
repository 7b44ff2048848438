import Anthropic from "@anthropic-ai/sdk";
import { toolsift } from "toolsift/anthropic";

const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
});
const messages = [{ role: "user" as const, content: "Go on." }];
const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };
const { text, finish } = await sift.run("chat-42", new Anthropic(), params, { deferLoading: true });
text satisfies string;
finish satisfies "done" | "steps" | "refused";
// @ts-expect-error there is no such option
await sift.run("chat-42", new Anthropic(), params, { deferloading: true });
