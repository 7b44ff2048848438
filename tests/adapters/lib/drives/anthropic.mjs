/** Drives an agent over Anthropic's Messages API with `@anthropic-ai/sdk`. */

import { startVendor } from "../../../apis/vendor.mjs";
import { anthropic } from "../../../apis/messages.mjs";
import { jsonOf, led, sessionOf } from "./run.mjs";

const about = {
  adapter: "toolsift/anthropic",
  versions: [{ "@anthropic-ai/sdk": "@anthropic-ai/sdk" }],
  without: { maxTools: "the API has no such limit", limit: "the API has no such limit" },
};

/** One run: `road` are the options of the adapter, `params` go into each request. */
export async function converse({ app, sift, id, scope, prompt, script, door, own = [], ...others }) {
  const { road = {}, stream = false, messages = [], params, ...options } = others;
  const { default: Anthropic } = await app.load("@anthropic-ai/sdk");
  const vendor = await startVendor(anthropic, script);
  try {
    const client = new Anthropic({ baseURL: vendor.url, apiKey: "none", maxRetries: 0 });
    const session = sessionOf({ sift, id, scope });
    if (prompt !== undefined) messages.push({ role: "user", content: prompt });
    const tools = own.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
    const asked = { model: "claude-opus-5-5", max_tokens: 1024, system: "You are an agent.", messages, stream };
    const given = { ...asked, ...(tools.length > 0 && { tools }), ...params };
    const { finish, reply, steps } = await led(
      { app, adapter: "toolsift/anthropic", sift, session, door },
      ({ messagesModel }) => messagesModel(client, given, road),
      (open, run) => open.run(session, client, given, { ...road, ...run }),
      options,
    );
    const kept = jsonOf(messages, "anthropic");
    return { requests: vendor.requests, finish, text: reply.text, messages, kept, reply, session, steps };
  } finally {
    await vendor.close();
  }
}

export const anthropicPlain = { ...about, road: "what is revealed is appended to the tools", converse };

export const anthropicDeferred = {
  ...about,
  road: "`deferLoading`: the tools never change, and references load them",
  without: {
    ...about.without,
    limits: "what the conversation refers to stays loaded",
    profile: 'a bridge loads nothing: "option_conflict"',
    surface: 'a constant surface loads nothing: "option_conflict"',
  },
  converse: (options) => converse({ road: { deferLoading: true }, ...options }),
};
