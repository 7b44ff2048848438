import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, tool } from "ai";
import { siftFetch } from "toolsift/proxy";
import { tools } from "./tools.mjs";

const openai = createOpenAI({ fetch: siftFetch({ sift: { activation: "on" } }) });
const set = tools.map(({ name, inputSchema, ...rest }) => [name, tool({ ...rest, inputSchema: jsonSchema(inputSchema) })]);
const prompt = "When is high water in Brest?";
const { toolCalls } = await generateText({ model: openai("gpt-5.4"), prompt, tools: Object.fromEntries(set) });
console.log(toolCalls.map(({ toolName }) => toolName));
