import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";

export async function play({ base_url, tools, execute, system, prompt, stream }) {
  const vendor = createOpenAICompatible({ name: "vendor", baseURL: `${base_url}/v1`, apiKey: "none" });
  const set = tools.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema), execute: (args) => execute(name, args) }),
  ]);
  const model = vendor("gpt-5.2");
  const options = { model, system, prompt, tools: Object.fromEntries(set), stopWhen: stepCountIs(10), maxRetries: 0 };
  return stream ? streamText(options).text : (await generateText(options)).text;
}
