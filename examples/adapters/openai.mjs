/** How does an agent search tools over Chat Completions? What it finds is appended to the tools of its next request. */

import OpenAI from "openai";
import { runTools } from "toolsift";
import { chatModel } from "toolsift/openai";
import { servers, sift } from "./servers.mjs";

const model = chatModel(new OpenAI(), {
  model: "gpt-5.4",
  messages: [
    { role: "system", content: "You help with notes and files." },
    { role: "user", content: "Remember that Ada likes engines." },
  ],
});
const { reply } = await runTools(sift.session("chat"), { ...model, execute: servers.execute });
console.log(reply.text);
await servers.close();
