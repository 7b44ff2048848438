/** Runs an agent of AI SDK whose model searches by itself, for the table of what a prompt cache keeps. */

import { startVendor } from "../../vendors/vendor.mjs";
import { chat } from "../../vendors/wires/chat.mjs";
import { aiSdk } from "./drives/ai-sdk.mjs";
import { SERVERS, toolsOf } from "./tools.mjs";

/** Not a drive of the contract: the host has all the tools, and no session. */
export const middleware = {
  adapter: "toolsift/ai-sdk-middleware",
  road: "a model that searches within a call: what is revealed is appended to the tools",
  versions: aiSdk.versions,

  async converse({ app, prompt, script }) {
    const { dynamicTool, generateText, jsonSchema, stepCountIs, wrapLanguageModel } = await app.load("ai");
    const { createOpenAI } = await app.load("@ai-sdk/openai");
    const { siftMiddleware } = await app.load("toolsift/ai-sdk-middleware");
    const vendor = await startVendor(chat, script);
    try {
      const openai = createOpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none" });
      const model = wrapLanguageModel({ model: openai.chat("gpt-5.2"), middleware: siftMiddleware() });
      const all = SERVERS.flatMap(toolsOf).map(({ name, description, inputSchema }) => [
        name,
        dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute: async () => `${name} did it` }),
      ]);
      const { text } = await generateText({
        model,
        tools: Object.fromEntries(all),
        prompt,
        stopWhen: stepCountIs(10),
        maxRetries: 0,
      });
      return { requests: vendor.requests, text };
    } finally {
      await vendor.close();
    }
  },
};
