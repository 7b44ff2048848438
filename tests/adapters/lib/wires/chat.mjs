/** The wire of Chat Completions. */

import { argumentsText } from "../vendor.mjs";

export const chat = {
  path: /\/chat\/completions$/,
  streams: ({ stream }) => stream === true,

  read({ messages, tools = [] }) {
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    const since = messages.slice(last + 1);
    return {
      tools: tools.map((tool) => tool.function?.name ?? tool.custom?.name ?? tool.type),
      toolsText: JSON.stringify(tools),
      system: messages
        .filter(({ role }) => role === "system" || role === "developer")
        .map(textIn)
        .join("\n\n"),
      answers: since.filter(({ role }) => role === "tool").map(textIn),
      prompt: textIn(messages.findLast(({ role }) => role === "user")),
    };
  },

  reply({ text, calls, step }, { model }) {
    const message = { role: "assistant", content: text === "" ? null : text, refusal: null };
    if (calls.length > 0) message.tool_calls = calls.map(written);
    const choice = { index: 0, message, logprobs: null, finish_reason: finish(calls) };
    return { ...about(step, model), object: "chat.completion", choices: [choice], usage: USAGE };
  },

  /** Arguments come in pieces, as they do. */
  stream({ text, calls, step }, { model }) {
    const chunk = (delta, finish_reason = null) => ({
      data: { ...about(step, model), object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
    });
    const pieces = calls.flatMap((call, index) => {
      const {
        id,
        type,
        function: { name, arguments: args },
      } = written(call);
      const middle = Math.floor(args.length / 2);
      return [
        chunk({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: args.slice(0, middle) } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: args.slice(middle) } }] }),
      ];
    });
    const said = text === "" ? [] : [chunk({ content: text.slice(0, 1) }), chunk({ content: text.slice(1) })];
    const start = chunk({ role: "assistant", content: text === "" ? null : "" });
    return [start, ...said, ...pieces, chunk({}, finish(calls)), { data: "[DONE]" }];
  },
};

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const about = (step, model) => ({ id: `chatcmpl-${step}`, created: 1_700_000_000 + step, model });
const finish = (calls) => (calls.length > 0 ? "tool_calls" : "stop");
const written = ({ id, name, args }) => ({ id, type: "function", function: { name, arguments: argumentsText(args) } });

function textIn(message) {
  const { content } = message ?? {};
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n\n") : (content ?? "");
}
