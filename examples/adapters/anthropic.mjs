/** An agent over Anthropic's Messages API. Anthropic defers the tools, so that its prompt cache keeps all of them. */

import Anthropic from "@anthropic-ai/sdk";
import { runTools } from "toolsift";
import { messagesModel } from "toolsift/anthropic";
import { servers, sift } from "./servers.mjs";

const model = messagesModel(
  new Anthropic(),
  {
    model: "claude-opus-5-5",
    max_tokens: 4096,
    messages: [{ role: "user", content: "Remember in the knowledge graph that Ada likes engines." }],
  },
  { deferLoading: true },
);

const { reply } = await runTools(sift.session("chat-42"), { ...model, execute: servers.execute });
console.log(reply.text);
await servers.close();
