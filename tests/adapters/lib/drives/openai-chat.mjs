/** Drives an agent over Chat Completions with the `openai` package. */

import { startVendor } from "../../../apis/vendor.mjs";
import { chat } from "../../../apis/chat.mjs";

export const openaiChat = {
  adapter: "toolsift/openai",
  road: "Chat Completions: what is revealed is appended to the tools",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],

  async converse({ app, sift, id, scope, prompt, script, stream = false, params, ...options }) {
    const { default: OpenAI } = await app.load("openai");
    const { runTools } = await app.load("toolsift");
    const { chatModel } = await app.load("toolsift/openai");
    const vendor = await startVendor(chat, script);
    try {
      const client = new OpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none", maxRetries: 0 });
      const messages = [
        { role: "system", content: "You are an agent." },
        { role: "user", content: prompt },
      ];
      const session = sift.session(id, scope === undefined ? {} : { scope });
      const model = chatModel(client, { model: "gpt-5.2", messages, stream, ...params });
      const { finish, reply } = await runTools(session, { ...model, ...options });
      return { requests: vendor.requests, finish, text: reply.text, messages };
    } finally {
      await vendor.close();
    }
  },
};
