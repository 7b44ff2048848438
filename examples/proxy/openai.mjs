import OpenAI from "openai";
import { siftFetch } from "toolsift/proxy";
import { chat as tools } from "./tools.mjs";

const client = new OpenAI({ fetch: siftFetch({ sift: { activation: "on" } }) });
const messages = [{ role: "user", content: "When is high water in Brest?" }];
const { choices } = await client.chat.completions.create({ model: "gpt-5.4", messages, tools });
console.log(choices[0].message.tool_calls.map((call) => call.function.name));
