/** An agent over OpenAI's Responses API. The model searches with OpenAI's `tool_search`, and the tool list never changes. */

import OpenAI from "openai";
import { runTools } from "toolsift";
import { responsesModel } from "toolsift/openai";
import { servers, sift } from "./servers.mjs";

const model = responsesModel(
  new OpenAI(),
  {
    model: "gpt-5.4",
    instructions: "You help with notes and files.",
    input: [{ role: "user", content: "Remember that Ada likes engines." }],
  },
  { deferLoading: true },
);
const { reply } = await runTools(sift.session("chat"), { ...model, execute: servers.execute });
console.log(reply.text);
await servers.close();
