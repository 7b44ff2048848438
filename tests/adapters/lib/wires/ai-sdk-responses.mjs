/** The wire of the Responses API as AI SDK's provider speaks it: it refers to what the API keeps by its id. */

import assert from "node:assert/strict";
import { argumentsText } from "../../../vendors/vendor.mjs";

/** What was answered, by the ids of its items. */
const kept = new Map();
let number = 0;

export const aiSdkResponses = {
  path: /\/responses$/,
  streams: ({ stream }) => stream === true,

  read({ input, tools = [] }) {
    const items = input.map((item) => (item.type === "item_reference" ? kept.get(item.id) : item));
    assert.ok(
      items.every((item) => item !== undefined),
      "what is referred to was answered",
    );
    const since = items.slice(items.findLastIndex(({ type }) => type === "function_call" || type === "message") + 1);
    const outputs = since.filter(({ type }) => type === "function_call_output");
    const calls = items.filter(({ type }) => type === "function_call").map(({ call_id }) => call_id);
    for (const { call_id } of outputs) assert.ok(calls.includes(call_id), "an output belongs to a call");
    return {
      tools: tools.map(({ type, name }) => name ?? type),
      system: items
        .filter(({ role }) => role === "system" || role === "developer")
        .map(textIn)
        .join("\n\n"),
      answers: outputs.map(({ output }) => output),
      prompt: textIn(items.findLast(({ role }) => role === "user")),
    };
  },

  reply: answered,

  stream(reply, body) {
    const response = answered(reply, body);
    const events = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      ...response.output.flatMap(eventsOf),
      { type: "response.completed", response },
    ];
    return events.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number } }));
  },
};

function answered({ text, calls, step }, { model }) {
  const items = [...calls.map(written), ...(text === "" ? [] : [said(text)])];
  const output = items.map((item) => ({ ...item, id: `item_${(number += 1)}`, status: "completed" }));
  for (const item of output) kept.set(item.id, item);
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const about = { id: `resp_${step}`, object: "response", created_at: 1_700_000_000 + step, model, status: "completed" };
  return { ...about, error: null, incomplete_details: null, output, usage };
}

const written = ({ id, name, args }) => ({ type: "function_call", call_id: id, name, arguments: argumentsText(args) });
const said = (text) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] });

/** Arguments come in pieces, as they do. */
function eventsOf(item, output_index) {
  const about = { output_index, item_id: item.id };
  const done = { type: "response.output_item.done", output_index, item };
  const added = (more) => ({
    type: "response.output_item.added",
    output_index,
    item: { ...item, ...more, status: "in_progress" },
  });
  if (item.type === "message") {
    const [{ text }] = item.content;
    const delta = { ...about, type: "response.output_text.delta", content_index: 0, delta: text, logprobs: [] };
    return [added({ content: [] }), delta, done];
  }
  const middle = Math.floor(item.arguments.length / 2);
  const deltas = [item.arguments.slice(0, middle), item.arguments.slice(middle)];
  const pieces = deltas.map((delta) => ({ ...about, type: "response.function_call_arguments.delta", delta }));
  return [
    added({ arguments: "" }),
    ...pieces,
    { ...about, type: "response.function_call_arguments.done", arguments: item.arguments },
    done,
  ];
}

function textIn(message) {
  const { content } = message ?? {};
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n\n") : (content ?? "");
}
