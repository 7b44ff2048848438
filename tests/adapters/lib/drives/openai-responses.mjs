/** Drives an agent over the Responses API with the `openai` package, kept by the host or by the vendor. */

import { startVendor } from "../../../apis/vendor.mjs";
import { responses } from "../../../apis/responses.mjs";
import { jsonOf, led, sessionOf } from "./run.mjs";

export const openaiResponses = {
  adapter: "toolsift/openai",
  road: "Responses: what is revealed is appended to the tools",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  without: { "another vendor may take more tools": "the vendor of these tests takes 128" },
  converse: (options) => converseOverResponses(options, {}),
};

export const openaiDeferred = {
  ...openaiResponses,
  road: "Responses with `deferLoading`: definitions come by value in the conversation",
  without: {
    limit: "what is revealed stands in the conversation, and needs no room",
    maxTools: "what is revealed stands in the conversation, and needs no room",
    limits: "definitions that stand in the conversation stay there",
    "a catalog may change while a run goes on": "definitions that stand in the conversation stay there",
    profile: 'a bridge loads nothing: "option_conflict"',
    surface: 'a constant surface loads nothing: "option_conflict"',
  },
  converse: (options) => converseOverResponses(options, { deferLoading: true }),
};

/** One run. `kept` is who keeps the conversation: the host, or the vendor by responses or as a conversation. */
export async function converseOverResponses(conversation, adapterOptions) {
  const { app, sift, id, scope, prompt, script, door, stream = false, kept = "host", own = [], ...others } = conversation;
  const { params: more, maxTools, ...options } = others;
  const { default: OpenAI } = await app.load("openai");
  const vendor = await startVendor(responses, script);
  try {
    const client = new OpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none", maxRetries: 0 });
    const input = [{ role: "user", content: prompt }];
    const tools = own.map(({ name, description, inputSchema }) => {
      return { type: "function", name, description, parameters: inputSchema, strict: false };
    });
    const params = { model: "gpt-5.4", instructions: "You are an agent.", input, stream, ...more };
    if (tools.length > 0) params.tools = tools;
    if (kept === "response") params.previous_response_id = responses.begin("resp");
    if (kept === "conversation") params.conversation = responses.begin("conv");
    const session = sessionOf({ sift, id, scope });
    const { finish, reply } = await led(
      { app, adapter: "toolsift/openai", sift, session, door },
      ({ responsesModel }) => responsesModel(client, params, { maxTools, ...adapterOptions }),
      (open, run) => open.runResponses(session, client, params, { maxTools, ...adapterOptions, ...run }),
      options,
    );
    const left = kept === "host" ? { kept: jsonOf(params.input, "openai-responses") } : {};
    return { requests: vendor.requests, finish, text: reply.text, params, ...left };
  } finally {
    await vendor.close();
  }
}
