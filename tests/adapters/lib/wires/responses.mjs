/**
 * The wire of the Responses API. It keeps what it answered, so that conversations can be kept here too
 * (`previous_response_id`, `conversation`), and refuses what the API refuses: items that are not as they were answered,
 * calls without their outputs, outputs without their calls, tools twice.
 */

import assert from "node:assert/strict";
import { argumentsText } from "../../../vendors/vendor.mjs";

/** Conversations, by the id of a response or of a conversation. */
const kept = new Map();
/** Items that were answered, by their id. */
const made = new Map();
let number = 0;

export const responses = {
  path: /\/responses$/,
  streams: ({ stream }) => stream === true,

  read(body) {
    const { tools = [], instructions = "" } = body;
    const items = itemsOf(body);
    check(items, tools);
    const since = items.slice(items.findLastIndex(({ id }) => made.has(id)) + 1);
    return {
      tools: [...new Set([...tools, ...items.flatMap(loadedBy)].flatMap(namesOf))],
      system: instructions,
      answers: answersIn(since),
      prompt: textIn(items.findLast(({ role }) => role === "user")),
      items,
    };
  },

  reply: (reply, body) => finished(reply, body),

  /** Arguments come in pieces, as they do. */
  stream(reply, body) {
    const response = finished(reply, body);
    const begun = { ...response, status: "in_progress", output: [], usage: null };
    const events = [
      { type: "response.created", response: begun },
      ...response.output.flatMap(eventsOf),
      { type: `response.${response.status}`, response },
    ];
    return events.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number } }));
  },
};

/** The whole conversation, wherever it is kept. */
function itemsOf({ previous_response_id, conversation, input }) {
  const id = conversation?.id ?? conversation ?? previous_response_id;
  if (previous_response_id) assert.ok(kept.has(id), `Previous response with id '${id}' not found.`);
  return [...(kept.get(id) ?? []), ...input];
}

/** Begins a conversation that is kept here, and says its id. */
export function startConversation(prefix) {
  const id = `${prefix}_${(number += 1)}`;
  kept.set(id, []);
  return id;
}

const OUTPUTS = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};

function check(items, tools) {
  const names = tools.flatMap(namesOf);
  assert.deepEqual(names, [...new Set(names)], "each tool stands in the tools once");
  const open = new Map();
  for (const item of items) {
    if (item.id !== undefined) assert.deepEqual(item, made.get(item.id), "an item comes back as it was answered");
    assert.ok(!("created_by" in item), "Unknown parameter: 'input[].created_by'.");
    if (item.type in OUTPUTS && item.execution !== "server") open.set(item.call_id, OUTPUTS[item.type]);
    if (!Object.values(OUTPUTS).includes(item.type) || item.execution === "server") continue;
    assert.equal(open.get(item.call_id), item.type, `No tool call found for ${item.type} with call_id ${item.call_id}.`);
    open.delete(item.call_id);
  }
  assert.equal(open.size, 0, `No tool output found for function call ${[...open.keys()]}.`);
  for (const item of items) {
    for (const tool of loadedBy(item)) {
      assert.equal(typeof tool.parameters, "object");
      assert.ok(tool.parameters !== null, "a loaded tool has parameters");
      assert.equal(tool.defer_loading, item.type === "tool_search_output" ? true : undefined);
    }
  }
}

function loadedBy({ type, tools }) {
  return type === "tool_search_output" || type === "additional_tools" ? tools : [];
}

/** As the session calls them: the client's search stands for the discovery tool. */
function namesOf(tool) {
  if (tool.type === "namespace") return tool.tools.map(({ name }) => `${tool.name}.${name}`);
  if (tool.type === "tool_search") return [tool.execution === "client" ? "search_tools" : "tool_search"];
  return [tool.name ?? tool.type];
}

/** What answers the last calls: outputs, and for the client's searches what the developer says after them. */
function answersIn(items) {
  const said = items.filter(({ role }) => role === "developer").map(textIn);
  const outputs = items.filter(({ type, call_id }) => Object.values(OUTPUTS).includes(type) && !isOurs(call_id, items));
  return outputs.map(({ type, output }) => (type === "tool_search_output" ? said.shift() : output));
}

/** Whether a call stands among the answers themselves: the adapter put it there to give tools. */
function isOurs(call_id, items) {
  return items.some((item) => item.type in OUTPUTS && item.call_id === call_id);
}

function finished({ text, calls, step, status = "completed", output: given, ...others }, body) {
  const id = `resp_${(number += 1)}`;
  const output = given ?? [...reasoning(calls), ...calls.map((call) => written(call, body)), ...message(text)];
  const items = output.map((item) => ({ id: `item_${(number += 1)}`, ...item }));
  for (const { created_by: _, ...item } of items) made.set(item.id, item);
  const conversation = body.conversation?.id ?? body.conversation;
  kept.set(conversation ?? id, [...itemsOf(body), ...items.map((item) => made.get(item.id))]);
  const about = { id, object: "response", created_at: 1_700_000_000 + step, model: body.model, tools: body.tools ?? [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { ...about, status, error: null, incomplete_details: null, output: items, usage, ...others };
}

const reasoning = (calls) => (calls.length > 0 ? [{ type: "reasoning", summary: [], encrypted_content: "gAAAA" }] : []);

const message = (text) =>
  text === ""
    ? []
    : [
        {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ];

function written({ id, name, args, namespace, item }, body) {
  const { tools = [] } = body;
  if (item !== undefined) return { call_id: id, ...item };
  if (name === "search_tools" && tools.some(({ type, execution }) => type === "tool_search" && execution === "client")) {
    const about = { type: "tool_search_call", call_id: id, execution: "client", status: "completed" };
    return { ...about, arguments: args ?? {}, created_by: "model" };
  }
  // A tool that was loaded by itself is called in a namespace of its own name.
  const isLoaded =
    !tools.some((tool) => tool.name === name) &&
    itemsOf(body)
      .flatMap(loadedBy)
      .some((tool) => tool.name === name);
  const within = namespace ?? (isLoaded ? name : undefined);
  const about = { type: "function_call", call_id: id, name, status: "completed" };
  return { ...about, arguments: argumentsText(args), ...(within === undefined ? {} : { namespace: within }) };
}

function eventsOf(item, output_index) {
  const about = { output_index, item_id: item.id };
  const added = { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const middle = Math.floor(item.arguments.length / 2);
    const deltas = [item.arguments.slice(0, middle), item.arguments.slice(middle)];
    return [
      { ...added, item: { ...added.item, arguments: "" } },
      ...deltas.map((delta) => ({ ...about, type: "response.function_call_arguments.delta", delta })),
      { ...about, type: "response.function_call_arguments.done", arguments: item.arguments },
      done,
    ];
  }
  if (item.type !== "message") return [added, done];
  const [{ text }] = item.content;
  return [added, { ...about, content_index: 0, type: "response.output_text.delta", delta: text, logprobs: [] }, done];
}

function textIn(message) {
  const { content } = message ?? {};
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n\n") : (content ?? "");
}
