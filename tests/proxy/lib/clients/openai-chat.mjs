/** An agent over Chat Completions with the `openai` package, plain or with its own accumulator of streams. */

import { appWith } from "../../../adapters/lib/app.mjs";
import { chat } from "../../../apis/chat.mjs";
import { parsed } from "./parsed.mjs";

export const openaiChat = {
  label: "openai chat",
  wire: "chat",
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  variants: [{ stream: false }, { stream: true }],

  async run({ packages, url, fetch, tools, execute, prompt, system, stream, maxSteps, messages, params, headers }) {
    const { default: OpenAI } = await (await appWith(packages)).load("openai");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0, fetch, defaultHeaders: headers });
    if (system !== undefined && messages.length === 0) messages.push({ role: "system", content: system });
    messages.push({ role: "user", content: prompt });
    const functions = tools.map(chat.tool);
    const replies = [];
    for (let step = 1; step <= maxSteps; step += 1) {
      const body = { model: "gpt-5.2", messages, ...(functions.length > 0 && { tools: functions }), ...params };
      const completion = stream
        ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
        : await client.chat.completions.create(body);
      replies.push(completion);
      const [{ message, finish_reason }] = completion.choices;
      messages.push(withoutParsed(message));
      if (!message.tool_calls?.length) return { messages, replies, text: message.content, finish: finish_reason };
      for (const {
        id,
        function: { name, arguments: args },
      } of message.tool_calls) {
        messages.push({ role: "tool", tool_call_id: id, content: await execute(name, parsed(args)) });
      }
    }
    return { messages, replies, finish: "steps" };
  },
};

/** What the SDK's accumulator adds is not the API's. */
function withoutParsed({ parsed: _, ...message }) {
  const calls = message.tool_calls?.map((call) => {
    const { name, arguments: args } = call.function;
    return { id: call.id, type: call.type, function: { name, arguments: args } };
  });
  const { role, content, refusal, reasoning_content } = message;
  return {
    role,
    content,
    refusal: refusal ?? null,
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...(calls?.length > 0 && { tool_calls: calls }),
  };
}
