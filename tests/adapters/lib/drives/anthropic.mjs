/** Drives an agent over Anthropic's Messages API with `@anthropic-ai/sdk`, on each of its roads. */

import { startVendor } from "../../../apis/vendor.mjs";
import { anthropic } from "../../../apis/messages.mjs";
import { jsonOf, led, sessionOf } from "./run.mjs";

const about = {
  adapter: "toolsift/anthropic",
  versions: [{ "@anthropic-ai/sdk": "@anthropic-ai/sdk" }],
  without: { maxTools: "the API has no such limit", limit: "the API has no such limit" },
};

/** One run: `mode` or `road` are what the adapter is told, `params` go into each request. */
export async function converse({ app, sift, id, scope, prompt, script, door, own = [], ...others }) {
  const { mode, road = { mode }, stream = false, messages = [], params, ...options } = others;
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

const over = (mode) => ({ ...about, converse: (options) => converse({ mode, ...options }) });

export const anthropicPlain = { ...over("plain"), road: "plain tools: what is revealed is appended to the tools" };

export const anthropicClient = {
  ...over("client"),
  without: { ...about.without, limits: "what the conversation refers to stays loaded" },
  road: "defer_loading with tool_reference: the tools never change",
};

export const anthropicHosted = {
  ...about,
  road: "the hosted search: the tools never change",
  surface: ["tool_search_tool_bm25"],
  without: {
    "a skill that the user's own message fits stands in the first request by its first lines, with its tools":
      "the vendor searches, so that the prompt has no section",
    ...about.without,
    search_tools: "the vendor searches",
    surface: "the vendor searches",
    profile: "the vendor searches",
    limits: "what the conversation refers to stays loaded",
    add_tool: "the vendor's searches stand within its replies: tests/adapters/anthropic-hosted.test.mjs",
    maxAnswerChars: "the tool for reading on is one of the session's, which are not sent",
  },
  converse: (options) => converse({ mode: "hosted", ...options, script: searchingItself(options.script) }),
};

/** Where a script adds tools, this model searches for them instead, and the vendor pauses its reply there. */
function searchingItself(script) {
  return async (request, step) => {
    const { calls = [], ...reply } = await script(request, step);
    const searches = calls.filter(({ name }) => name === "add_tool").flatMap(({ args }) => args.tool_names);
    const others = calls.filter(({ name }) => name !== "add_tool");
    if (searches.length === 0 || others.length > 0) return { ...reply, searches, calls: others };
    return { ...reply, searches, calls: [], stop: "pause_turn" };
  };
}
