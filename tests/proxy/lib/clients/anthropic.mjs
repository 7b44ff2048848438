/** An agent over Anthropic's Messages API with `@anthropic-ai/sdk`, plain or with its own accumulator of streams. */

import { appWith } from "../../../adapters/lib/app.mjs";
import { messages as api } from "../../../apis/messages.mjs";

export const anthropic = {
  label: "anthropic",
  wire: "messages",
  versions: [{ "@anthropic-ai/sdk": "@anthropic-ai/sdk" }],
  variants: [{ stream: false }, { stream: true }],

  async run({ packages, url, fetch, tools, execute, prompt, system, stream, maxSteps, messages, params, headers }) {
    const { default: Anthropic } = await (await appWith(packages)).load("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0, fetch, defaultHeaders: headers });
    messages.push({ role: "user", content: prompt });
    const functions = tools.map(api.tool);
    const replies = [];
    for (let step = 1; step <= maxSteps; step += 1) {
      const about = { model: "claude-opus-5-5", max_tokens: 1024, messages, ...(system !== undefined && { system }) };
      const body = { ...about, ...(functions.length > 0 && { tools: functions }), ...params };
      const message = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
      replies.push(message);
      messages.push({ role: "assistant", content: message.content });
      const used = message.content.filter(({ type }) => type === "tool_use");
      if (used.length === 0) return { messages, replies, text: textOf(message), finish: message.stop_reason };
      const content = [];
      for (const { id, name, input } of used) {
        content.push({ type: "tool_result", tool_use_id: id, content: await execute(name, input) });
      }
      messages.push({ role: "user", content });
    }
    return { messages, replies, finish: "steps" };
  },
};

const textOf = ({ content }) =>
  content
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("");
