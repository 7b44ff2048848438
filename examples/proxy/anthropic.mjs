import Anthropic from "@anthropic-ai/sdk";
import { siftFetch } from "toolsift/proxy";
import { messages as tools } from "./tools.mjs";

const client = new Anthropic({ fetch: siftFetch({ sift: { activation: "on" } }) });
const messages = [{ role: "user", content: "When is high water in Brest?" }];
const stream = client.messages.stream({ model: "claude-opus-5-5", max_tokens: 1024, messages, tools });
const { content } = await stream.finalMessage();
console.log(content.filter(({ type }) => type === "tool_use").map(({ name }) => name));
