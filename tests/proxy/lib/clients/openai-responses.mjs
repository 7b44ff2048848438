/** An agent over the Responses API with the `openai` package; the client or the vendor keeps the conversation. */

import { appWith } from "../../../adapters/lib/app.mjs";
import { responses } from "../../../apis/responses.mjs";
import { parsed } from "./parsed.mjs";

export const openaiResponses = {
  label: "openai responses",
  wire: "responses",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  variants: [{ stream: false }, { stream: true }, { stream: true, kept: "response" }],

  /** `find` answers the searches that the client runs: with the tools that they found. */
  async run({
    packages,
    url,
    fetch,
    tools,
    execute,
    find,
    prompt,
    system,
    stream,
    kept,
    maxSteps,
    messages,
    params,
    headers,
  }) {
    const { default: OpenAI } = await (await appWith(packages)).load("openai");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0, fetch, defaultHeaders: headers });
    messages.push({ role: "user", content: prompt });
    const functions = tools.map((one) => (one.inputSchema === undefined ? one : responses.tool(one)));
    const replies = [];
    let fresh = messages;
    let previous;
    for (let step = 1; step <= maxSteps; step += 1) {
      const about = { model: "gpt-5.4", instructions: system, ...(functions.length > 0 && { tools: functions }), ...params };
      const body =
        kept === "response"
          ? { ...about, input: [...fresh], previous_response_id: previous }
          : { ...about, input: messages };
      const response = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
      replies.push(response);
      previous = response.id;
      const items = response.output.map(({ parsed_arguments: _, ...item }) => withoutParsed(item));
      messages.push(...items);
      fresh = [];
      for (const { type, call_id, name, namespace, execution, arguments: args } of items) {
        if (type === "function_call")
          fresh.push({ type: "function_call_output", call_id, output: await execute(name, parsed(args), namespace) });
        if (type === "tool_search_call" && execution === "client")
          fresh.push({ type: "tool_search_output", call_id, execution, status: "completed", tools: find(args) });
      }
      if (fresh.length === 0) return { messages, replies, text: response.output_text, finish: response.status };
      messages.push(...fresh);
    }
    return { messages, replies, finish: "steps" };
  },
};

function withoutParsed(item) {
  if (item.type !== "message") return item;
  return { ...item, content: item.content.map(({ parsed: _, ...part }) => part) };
}
