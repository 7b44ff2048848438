/** An agent of AI SDK 6 and 7 with its own provider for OpenAI, over either of OpenAI's wires. */

import { appWith } from "../../../adapters/lib/app.mjs";

const over = (wire, api) => ({
  label: `ai ${api}`,
  wire,
  versions: [
    { ai: "ai", "@ai-sdk/openai": "@ai-sdk/openai" },
    { ai: "ai-7", "@ai-sdk/openai": "@ai-sdk/openai-4" },
  ],
  variants: [{ stream: false }, { stream: true }],

  async run({ packages, url, fetch, tools, execute, prompt, system, stream, maxSteps, messages, params, headers }) {
    const app = await appWith(packages);
    const { generateText, streamText, stepCountIs, tool, jsonSchema } = await app.load("ai");
    const { createOpenAI } = await app.load("@ai-sdk/openai");
    const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none", fetch, headers });
    messages.push({ role: "user", content: prompt });
    const set = tools.map(({ name, description, inputSchema }) => {
      const made = tool({ description, inputSchema: jsonSchema(inputSchema), execute: (args) => execute(name, args) });
      return [name, made];
    });
    const about = { model: openai[api]("gpt-5.2"), maxRetries: 0, system, messages, ...params };
    const options = { ...about, tools: Object.fromEntries(set), stopWhen: stepCountIs(maxSteps) };
    const failures = [];
    const result = stream
      ? streamText({ ...options, onError: ({ error }) => failures.push(error) })
      : await generateText(options);
    if (stream) await result.consumeStream();
    if (failures.length > 0) throw failures[0];
    const [steps, text, response] = [await result.steps, await result.text, await result.response];
    // In version 7, the response is the last step's alone.
    messages.push(...((await result.responseMessages) ?? response.messages));
    const { finishReason } = steps.at(-1);
    const isCut = steps.length === maxSteps && finishReason === "tool-calls";
    return { messages, replies: steps, text, finish: isCut ? "steps" : finishReason };
  },
});

export const aiSdkChat = over("chat", "chat");
export const aiSdkResponses = over("responses", "responses");
