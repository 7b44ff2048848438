/** Drives an agent over the Responses API with the `openai` package, kept by the host or by the vendor. */

import { startVendor } from "../../../apis/vendor.mjs";
import { responses } from "../../../apis/responses.mjs";

export const openaiResponses = {
  adapter: "toolsift/openai",
  road: "Responses: what is revealed is appended to the tools",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  converse: (options) => converseOverResponses(options, {}),
};

/** One run. `kept` is who keeps the conversation: the host, or the vendor by responses or as a conversation. */
export async function converseOverResponses(conversation, adapterOptions) {
  const { app, sift, id, scope, prompt, script, stream = false, kept = "host", params: more, ...options } = conversation;
  const { default: OpenAI } = await app.load("openai");
  const { runTools } = await app.load("toolsift");
  const adapter = await app.load("toolsift/openai");
  const vendor = await startVendor(responses, script);
  try {
    const client = new OpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none", maxRetries: 0 });
    const input = [{ role: "user", content: prompt }];
    const params = { model: "gpt-5.4", instructions: "You are an agent.", input, stream, ...more };
    if (kept === "response") params.previous_response_id = responses.begin("resp");
    if (kept === "conversation") params.conversation = responses.begin("conv");
    const session = sift.session(id, scope === undefined ? {} : { scope });
    const model = adapter.responsesModel(client, params, adapterOptions);
    const { finish, reply } = await runTools(session, { ...model, ...options });
    return { requests: vendor.requests, finish, text: reply.text, params };
  } finally {
    await vendor.close();
  }
}
