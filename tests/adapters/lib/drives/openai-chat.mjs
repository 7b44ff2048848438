/** Drives an agent over Chat Completions with the `openai` package. */

import { startVendor } from "../../../apis/vendor.mjs";
import { chat, compatible } from "../../../apis/chat.mjs";
import { jsonOf, led, sessionOf } from "./run.mjs";

export const openaiChat = {
  adapter: "toolsift/openai",
  road: "Chat Completions: what is revealed is appended to the tools",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],

  async converse({ app, sift, id, scope, prompt, script, door, stream = false, own = [], params, maxTools, ...options }) {
    const { default: OpenAI } = await app.load("openai");
    const vendor = await startVendor(maxTools > 128 ? compatible : chat, script);
    try {
      const client = new OpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none", maxRetries: 0 });
      const messages = [
        { role: "system", content: "You are an agent." },
        { role: "user", content: prompt },
      ];
      const tools = own.map(({ name, description, inputSchema }) => {
        return { type: "function", function: { name, description, parameters: inputSchema } };
      });
      const given = { model: "gpt-5.2", messages, stream, ...(tools.length > 0 && { tools }), ...params };
      const session = sessionOf({ sift, id, scope });
      const { finish, reply } = await led(
        { app, adapter: "toolsift/openai", sift, session, door },
        ({ chatModel }) => chatModel(client, given, { maxTools }),
        (open, more) => open.run(session, client, given, { maxTools, ...more }),
        options,
      );
      return { requests: vendor.requests, finish, text: reply.text, messages, kept: jsonOf(messages, "openai") };
    } finally {
      await vendor.close();
    }
  },
};
