/**
 * The Responses API as a strict test API, and a client of it. It stores its answers: `previous_response_id` and
 * `conversation` refer to them. An item that is sent back must be unchanged and must come with its reasoning.
 *
 * A reply may have `reasoning` (false for no reasoning with calls) and `items` that are sent first and unchanged. A call may
 * have a `namespace`. A search that the client executes is a call of the session's search_tools. With `lean`, the API knows
 * only function tools.
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  argumentsText,
  checkSchema,
  countsIn,
  eventsIn,
  halves,
  holdsObject,
  must,
  mustBeObject,
  only,
  tokensOf,
} from "./vendor.mjs";

const FIELDS =
  "model input instructions tools tool_choice parallel_tool_calls stream stream_options temperature top_p max_output_tokens " +
  "max_tool_calls previous_response_id conversation store metadata include reasoning text truncation user service_tier " +
  "background prompt top_logprobs prompt_cache_key prompt_cache_retention safety_identifier";
const OUTPUTS = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};
const ITEMS = {
  message: ["id", "type", "role", "content", "status", "phase"],
  function_call: ["id", "type", "call_id", "name", "arguments", "status", "namespace"],
  function_call_output: ["id", "type", "call_id", "output", "status"],
  reasoning: ["id", "type", "summary", "content", "encrypted_content", "status"],
  item_reference: ["id", "type"],
  tool_search_call: ["id", "type", "call_id", "execution", "status", "arguments"],
  web_search_call: ["id", "type", "status", "action"],
};
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PARTS = ["input_text", "output_text", "refusal", "input_image", "input_file"];

let number = 0;

const asTool = ({ name, description, inputSchema }) => ({
  ...{ type: "function", name, description, parameters: inputSchema, strict: false },
});

/** The client's side; index.mjs says what each member is. */
const client = {
  url: () => "/v1/responses",
  counts: "/v1/responses/input_tokens",
  tool: asTool,
  nameOf: ({ name }) => name,
  asks: (content) => ({ role: "user", content }),
  says: (text) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }),
  step: (calls, output = (text) => text) => [
    ...calls.map(({ id, name, args }) => ({ type: "function_call", call_id: id, name, arguments: argumentsText(args) })),
    ...calls.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: output(text) })),
  ],
  request: ({ system, messages, tools, stream, choose, demand, json }) => ({
    ...{ model: "m", input: messages, tools: tools.map(asTool) },
    ...(system && { instructions: system }),
    ...(stream && { stream }),
    ...(choose && { tool_choice: { type: "function", name: choose } }),
    ...(demand && { tool_choice: demand === "free" ? "auto" : "required" }),
    ...(json && { text: { format: { type: "json_object" } } }),
  }),
  collect(bytes, stream) {
    if (!stream) return collected(JSON.parse(bytes));
    const all = eventsIn(bytes);
    const isNumbered = all.every(({ event, data }, at) => event === data.type && data.sequence_number === at);
    assert.ok(isNumbered, "numbered without gaps");
    const items = [];
    for (const { data } of all) {
      const { type, item, item_id, output_index: at } = data;
      if (type === "response.output_item.added") assert.equal(items.push(item) - 1, at);
      if (type === "response.output_item.done") items[at] = item;
      if (item_id !== undefined) assert.equal(items[at].id, item_id);
    }
    const { response } = all.at(-1).data;
    assert.deepEqual(response.output, items, "the end has what was streamed");
    assert.equal(new Set(all.flatMap(({ data }) => data.response?.id ?? [])).size, 1, "one id");
    return collected(response);
  },
};

function collected({ id, status, output, usage, tools, instructions }) {
  assert.equal(status, "completed");
  const calls = output.filter(({ type }) => type === "function_call");
  return {
    texts: output.flatMap(({ type, content }) => (type === "message" ? content[0].text : [])),
    calls: calls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
    tokens: countsIn(usage),
    ...{ id, output, tools, instructions },
  };
}

/** The API, with a memory of its own. */
export function responsesWire({ lean = false } = {}) {
  /** Conversations, by the id of a response. */
  const kept = new Map();
  /** Items that were answered, by their id, with the id of the reasoning that they came with. */
  const made = new Map();
  /** The ids of the calls that were made here. */
  const calls = new Set();
  const memory = { kept, made, calls, lean };
  return {
    ...client,
    path: /\/responses$/,
    streams: ({ stream }) => stream === true,
    read: (body, incoming) => read(body, incoming, memory),
    reply: (reply, body) => finished(reply, body, memory),
    stream: (reply, body) => events(reply, body, memory),
    /** Begins a conversation that is kept here, and says its id. */
    begin(prefix) {
      const id = `${prefix}_${(number += 1)}`;
      kept.set(id, []);
      return id;
    },
  };
}

export const responses = responsesWire();

function itemsOf({ previous_response_id, conversation, input }, { kept, made }) {
  const id = conversation?.id ?? conversation ?? previous_response_id;
  const before = id ? kept.get(id) : [];
  must(before !== undefined, `Previous response with id '${id}' not found.`);
  const given = typeof input === "string" ? [{ role: "user", content: input }] : (input ?? []);
  const whole = given.map((item) => (item.type === "item_reference" ? made.get(item.id)?.item : item));
  must(!whole.includes(undefined), "Item with such an id not found.");
  return [...before, ...whole];
}

function read(body, { headers }, memory) {
  must(/^Bearer \S+$/.test(headers.authorization ?? ""), "You didn't provide an API key.");
  only(body, FIELDS.split(" "), "request");
  const { tools = [], instructions = "", tool_choice } = body;
  checkTools(tools, memory);
  const chosen = tool_choice?.name;
  must(chosen === undefined || tools.some(({ name }) => name === chosen), `Tool choice '${chosen}' not found in 'tools'.`);
  const items = itemsOf(body, memory);
  must(items.length > 0, "Missing required parameter: 'input'.");
  check(items, memory);
  const isSaid = ({ type, role }) => role === "assistant" || type in OUTPUTS;
  // An adapter puts searches of its own behind the answers, to give tools.
  const spoken = items.filter(({ type, call_id }) => !/^tool_search_/.test(type) || memory.calls.has(call_id));
  const since = spoken.slice(spoken.findLastIndex(isSaid) + 1);
  const leading = items.filter(({ role }) => role === "system" || role === "developer").map(textIn);
  return {
    tools: [...new Set([...tools, ...items.flatMap(loadedBy)].flatMap(namesOf))],
    toolTokens: tokensOf(tools),
    system: [instructions ?? "", ...leading].filter(Boolean).join("\n\n"),
    answers: answersIn(since),
    prompt: textIn(items.findLast(({ role }) => role === "user")),
    items,
  };
}

/** The tools that an item gives by value. */
const loadedBy = ({ type, tools }) => (type === "tool_search_output" ? tools : []);

/** As the session calls them: the client's search stands for the discovery tool. */
function namesOf({ type, name, tools, execution }) {
  if (type === "namespace") return tools.map((tool) => `${name}.${tool.name}`);
  return [type === "tool_search" && execution === "client" ? "search_tools" : (name ?? type)];
}

/** What answers the last calls: outputs, and for the client's searches what the developer says after them. */
function answersIn(items) {
  const said = items.filter(({ role }) => role === "developer").map(textIn);
  const outputs = items.filter(({ type }) => Object.values(OUTPUTS).includes(type));
  return outputs.map(({ type, output }) => {
    if (type === "tool_search_output") return said.shift();
    return typeof output === "string" ? output : output.map(({ text }) => text).join("\n\n");
  });
}

function checkTools(tools, { lean }) {
  must(tools.length <= 128, `Invalid 'tools': array too long. Expected maximum length 128, got ${tools.length}.`);
  const names = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  must(new Set(names).size === names.length, "Tool names must be unique.");
  for (const [at, tool] of tools.entries()) {
    const where = `tools[${at}]`;
    must(typeof tool.type === "string", `Missing required parameter: '${where}.type'.`);
    must(!lean || tool.type === "function", `${where}: unknown type '${tool.type}'`);
    if (tool.type !== "function") continue;
    only(tool, ["type", "name", "description", "parameters", "strict", ...(lean ? [] : ["defer_loading"])], where);
    must(NAME.test(tool.name), `Invalid '${where}.name'`);
    if (tool.parameters != null) checkSchema(tool.parameters, where);
  }
}

function check(items, { made, lean }) {
  const open = new Map();
  const ids = new Set();
  for (const [at, item] of items.entries()) {
    const type = item.type ?? "message";
    const where = `input[${at}]`;
    if (lean) must(ITEMS[type] !== undefined, `${where}: Invalid value: '${type}'.`);
    if (ITEMS[type] !== undefined) only(item, ITEMS[type], where);
    if (item.id !== undefined && item.id !== null) {
      must(!ids.has(item.id), `Duplicate item found with id ${item.id}.`);
      ids.add(item.id);
      const answered = made.get(item.id);
      if (answered !== undefined) {
        const same = isDeepStrictEqual(withoutNothing(item), withoutNothing(mended(answered.item)));
        must(same, () => `${where}: an item comes back as it was answered: ${JSON.stringify([item, answered.item])}`);
      }
    }
    if (type === "message") checkMessage(item, where);
    if (type === "function_call") {
      must(NAME.test(item.name), `${where}: name`);
      mustBeObject(item.arguments, where);
      must(!open.has(item.call_id), `Duplicate call_id ${item.call_id}`);
    }
    if (type in OUTPUTS) open.set(item.call_id, OUTPUTS[type]);
    if (!Object.values(OUTPUTS).includes(type)) continue;
    must(open.get(item.call_id) === type, `No tool call found for function call output with call_id ${item.call_id}.`);
    open.delete(item.call_id);
  }
  must(open.size === 0, `No tool output found for function call ${[...open.keys()]}.`);
  for (const [at, item] of items.entries()) checkReasoning(item, at, items, made);
}

/** A thought and what followed from it come back together. */
function checkReasoning(item, at, items, made) {
  if (item.type === "reasoning") {
    const next = items[at + 1];
    const follows = next !== undefined && (next.type in OUTPUTS || next.role === "assistant" || next.type === "reasoning");
    must(follows, `Item '${item.id}' of type 'reasoning' was provided without its required following item.`);
    const answered = made.get(item.id);
    if (answered === undefined || next.id === undefined) return;
    must(
      answered.next === undefined || answered.next === next.id,
      `Item '${item.id}' of type 'reasoning' was provided without its required following item '${answered.next}', but with '${next.id}'.`,
    );
  }
  const { thought } = made.get(item.id) ?? {};
  if (thought === undefined) return;
  must(
    items.slice(0, at).some(({ id }) => id === thought),
    `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${thought}'.`,
  );
}

function checkMessage({ role, content }, where) {
  must(["user", "assistant", "system", "developer"].includes(role), `${where}: role '${role}'`);
  must(typeof content === "string" || Array.isArray(content), `${where}.content`);
  if (!Array.isArray(content)) return;
  for (const { type } of content) must(PARTS.includes(type), `${where}: content of type '${type}'`);
}

/** An item whose arguments were no JSON comes back with none, and is kept so. */
function mended(item) {
  return item.type !== "function_call" || holdsObject(item.arguments) ? item : { ...item, arguments: "{}" };
}

/** SDKs leave out what is null, or say it; some send no status back. */
function withoutNothing({ status, ...item }) {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined));
}

function finished(reply, body, memory) {
  const { text, calls, step, items: given = [], reasoning = calls.length > 0 } = reply;
  const id = `resp_${(number += 1)}`;
  const conversation = body.conversation?.id ?? body.conversation;
  const thoughts = reasoning ? [{ type: "reasoning", summary: [], encrypted_content: `gAAAA${step}` }] : [];
  const all = [...given, ...thoughts, ...message(text), ...calls.map((call) => written(call, body, memory))];
  const output = all.map((item) => ({ id: `${PREFIX[item.type] ?? "item"}_${(number += 1)}`, ...item }));
  for (const [at, item] of output.entries()) {
    const before = output[at - 1];
    memory.calls.add(item.call_id);
    const next = item.type === "reasoning" ? output[at + 1]?.id : undefined;
    memory.made.set(item.id, { item, next, thought: before?.type === "reasoning" ? before.id : undefined });
  }
  if (body.store !== false) memory.kept.set(conversation ?? id, [...itemsOf(body, memory), ...output.map(mended)]);
  return {
    id,
    object: "response",
    created_at: 1_700_000_000 + step,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: null,
    model: body.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_p: 1,
    truncation: "disabled",
    usage: usageOf(body, reply, memory),
    user: null,
    metadata: {},
  };
}

const PREFIX = { reasoning: "rs", function_call: "fc", message: "msg" };

function usageOf(body, { text, calls }, memory) {
  const input_tokens = tokensOf({ items: itemsOf(body, memory), tools: body.tools, instructions: body.instructions });
  const output_tokens = tokensOf([text, calls]);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}

function message(text) {
  if (text === "") return [];
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return [{ type: "message", role: "assistant", status: "completed", content }];
}

function written({ id, name, args, namespace }, body, memory) {
  const { tools = [] } = body;
  if (name === "search_tools" && tools.some(({ execution }) => execution === "client")) {
    return { type: "tool_search_call", call_id: id, execution: "client", status: "completed", arguments: args ?? {} };
  }
  // A tool that was loaded by itself is called in a namespace of its own name.
  const isNamed = (tool) => tool.name === name;
  const isLoaded = !tools.some(isNamed) && itemsOf(body, memory).flatMap(loadedBy).some(isNamed);
  const within = namespace ?? (isLoaded ? name : undefined);
  const about = { type: "function_call", call_id: id, name, arguments: argumentsText(args), status: "completed" };
  return { ...about, ...(within === undefined ? {} : { namespace: within }) };
}

function events(reply, body, memory) {
  const response = finished(reply, body, memory);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const list = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response.output.flatMap(eventsOf),
    { type: "response.completed", response },
  ];
  return list.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number } }));
}

/** Arguments and texts come in pieces, as they do. */
function eventsOf(item, output_index) {
  const about = { item_id: item.id, output_index };
  const added = (more) => ({
    type: "response.output_item.added",
    output_index,
    item: { ...item, ...more, ...("status" in item ? { status: "in_progress" } : {}) },
  });
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const pieces = halves(item.arguments);
    return [
      added({ arguments: "" }),
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...about, delta })),
      { type: "response.function_call_arguments.done", ...about, name: item.name, arguments: item.arguments },
      done,
    ];
  }
  if (item.type !== "message") return [added({}), done];
  const [part] = item.content;
  const at = { ...about, content_index: 0 };
  return [
    added({ content: [] }),
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...halves(part.text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text: part.text, logprobs: [] },
    { type: "response.content_part.done", ...at, part },
    done,
  ];
}

function textIn(item) {
  const { content } = item ?? {};
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n\n") : (content ?? "");
}
