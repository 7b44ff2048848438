/**
 * Anthropic's Messages API as a strict test API, and a client of it.
 *
 * A reply may have `thinking` (a text, which is signed), `blocks` that are sent first and unchanged, and `stop`, another
 * stop reason. With `lean`, the API knows only messages and functions: no server tools and no deferral.
 */

import assert from "node:assert/strict";
import { argumentsText, checkSchema, countsIn, eventsIn, halves, must, only, tokensOf } from "./vendor.mjs";

const FIELDS =
  "model max_tokens messages system tools tool_choice stream temperature top_k top_p stop_sequences metadata thinking " +
  "service_tier container context_management mcp_servers output_config output_format cache_control";
const BLOCKS = {
  text: ["type", "text", "citations", "cache_control"],
  image: ["type", "source", "cache_control"],
  document: ["type", "source", "title", "context", "citations", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
  tool_use: ["type", "id", "name", "input", "caller", "cache_control"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
};
const SERVER_BLOCKS = {
  server_tool_use: ["type", "id", "name", "input", "caller", "cache_control"],
  web_search_tool_result: ["type", "tool_use_id", "content", "caller", "cache_control"],
  tool_reference: ["type", "tool_name", "cache_control"],
};
const TOOL = ["type", "name", "description", "input_schema", "cache_control", "strict", "eager_input_streaming"];
const CHOICES = { auto: [], any: [], none: [], tool: ["name"] };
const ID = /^[a-zA-Z0-9_-]+$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_BREAKPOINTS = 4;

const asTool = ({ name, description, inputSchema, defer_loading, type }) =>
  inputSchema === undefined
    ? { name, type }
    : { name, description, input_schema: inputSchema, ...(defer_loading && { defer_loading }) };

/** The client's side; index.mjs says what each member is. */
const client = {
  url: () => "/v1/messages",
  counts: "/v1/messages/count_tokens",
  tool: asTool,
  nameOf: ({ name }) => name,
  asks: (content) => ({ role: "user", content }),
  says: (content) => ({ role: "assistant", content }),
  step: (calls, content = (text) => text) => [
    { role: "assistant", content: calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })) },
    {
      role: "user",
      content: calls.map(({ id, text, failed }) => ({
        ...{ type: "tool_result", tool_use_id: id, content: content(text) },
        ...(failed && { is_error: true }),
      })),
    },
  ],
  request: ({ system, messages: said, tools, stream, choose, demand, json, thinks }) => ({
    ...{ model: "m", max_tokens: 2_048, messages: said, tools: tools.map(asTool) },
    ...(system && { system }),
    ...(stream && { stream }),
    ...(choose && { tool_choice: { type: "tool", name: choose } }),
    ...(demand && { tool_choice: { type: demand === "free" ? "auto" : "any" } }),
    ...(json && { output_format: { type: "json_schema", schema: { type: "object" } } }),
    ...(thinks && { thinking: { type: "enabled", budget_tokens: 1_024 } }),
  }),
  collect(bytes, stream) {
    if (!stream) return collected(JSON.parse(bytes));
    const all = eventsIn(bytes);
    assert.ok(all.every(({ event, data }) => event === data.type));
    assert.deepEqual([all[0].event, all.at(-1).event], ["message_start", "message_stop"]);
    const { message } = all[0].data;
    for (const {
      event,
      data: { index, content_block, delta, usage },
    } of all) {
      const open = message.content[index];
      if (event === "content_block_start") assert.equal(message.content.push({ ...content_block, json: "" }) - 1, index);
      if (delta?.type === "text_delta") open.text += delta.text;
      if (delta?.type === "thinking_delta") open.thinking += delta.thinking;
      if (delta?.type === "signature_delta") open.signature = delta.signature;
      if (delta?.type === "input_json_delta") open.json += delta.partial_json;
      if (event === "content_block_stop" && open.type === "tool_use") open.input = JSON.parse(open.json || "{}");
      if (event === "content_block_stop") delete open.json;
      if (event === "message_delta") Object.assign(message, delta, { usage: { ...message.usage, ...usage } });
    }
    return collected(message);
  },
};

function collected({ content, stop_reason, usage }) {
  const of = (wanted) => content.filter(({ type }) => type === wanted);
  assert.equal(stop_reason, of("tool_use").length > 0 ? "tool_use" : "end_turn");
  return {
    texts: of("text").map(({ text }) => text),
    calls: of("tool_use").map(({ name, input }) => ({ name, args: input })),
    tokens: countsIn(usage),
    content,
  };
}

/** The API. `lean` backends know no tools but functions; with `restarts`, a conversation may have been with a vendor of the same numbers. */
export function messagesWire({ lean = false, restarts = false } = {}) {
  return {
    ...client,
    path: /\/v1\/messages(\?.*)?$/,
    streams: ({ stream }) => stream === true,
    read: (body, incoming) => read(body, incoming, { lean, restarts }),
    reply: (reply, body) => ({
      ...about(reply, body),
      content: contentOf(reply),
      stop_reason: stopOf(reply),
      usage: usageOf(body, reply),
    }),
    stream: events,
  };
}

export const messages = messagesWire();

/** As adapters are tested, whose conversations go on with another vendor. */
export const anthropic = messagesWire({ restarts: true });

function read(body, { headers }, { lean, restarts }) {
  must(headers["anthropic-version"] !== undefined, "anthropic-version: header is required");
  must(headers["x-api-key"] ?? headers.authorization, "x-api-key header is required");
  only(body, FIELDS.split(" "), "request");
  const { tools = [], system = [], tool_choice, thinking } = body;
  must(Number.isInteger(body.max_tokens), "max_tokens: Field required");
  checkTools(tools, lean);
  checkChoice(tool_choice, tools, thinking);
  checkMessages(body, { lean, restarts });
  const breakpoints = JSON.stringify(body).split('"cache_control":').length - 1;
  must(breakpoints <= MOST_BREAKPOINTS, `A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints}.`);
  const last = body.messages.findLastIndex(({ role }) => role === "assistant");
  const since = body.messages.slice(last + 1).flatMap(({ content }) => blocksOf(content));
  const beside = since.filter(({ type }) => type === "text").map(({ text }) => text);
  const answer = (result) => (referencesIn(result).length > 0 ? (beside.shift() ?? "") : textIn(result.content ?? ""));
  const words = body.messages.findLast(({ role, content }) => role === "user" && !isAnswer(content));
  return {
    tools: visible(body.messages, tools),
    toolTokens: tokensOf(tools),
    system: textIn(system),
    answers: since.filter(({ type }) => type === "tool_result").map(answer),
    prompt: textIn(words?.content ?? ""),
  };
}

function checkTools(tools, lean) {
  const names = tools.map(({ name }) => name);
  must(new Set(names).size === names.length, "tools: Tool names must be unique.");
  const isAllDeferred = tools.length > 0 && tools.every((tool) => tool.defer_loading === true);
  must(!isAllDeferred, "At least one tool must have defer_loading=false.");
  for (const [at, tool] of tools.entries()) {
    const where = `tools.${at}`;
    const isServer = tool.type !== undefined && tool.type !== "custom";
    must(!lean || !isServer, `${where}: unknown type '${tool.type}'`);
    must(NAME.test(tool.name), `${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    must(tool.defer_loading !== true || tool.cache_control === undefined, `${where}: cache_control on a deferred tool`);
    if (isServer) continue;
    only(tool, lean ? TOOL : [...TOOL, "defer_loading"], where);
    checkSchema(tool.input_schema, `${where}.input_schema`);
  }
}

function checkChoice(choice, tools, thinking) {
  if (choice === undefined) return;
  const { type, name, ...others } = choice;
  must(CHOICES[type] !== undefined, `tool_choice: '${type}'`);
  only(others, ["disable_parallel_tool_use"], "tool_choice");
  must(tools.length > 0, "tool_choice may only be specified while providing tools.");
  must(type !== "tool" || tools.some((tool) => tool.name === name), `Tool '${name}' not found in provided tools`);
  const isForced = type === "any" || type === "tool";
  must(!isForced || thinking?.type !== "enabled", "Thinking may not be enabled when tool_choice forces tool use.");
}

function checkMessages({ messages, tools = [], thinking }, { lean, restarts }) {
  must(Array.isArray(messages) && messages[0]?.role === "user", "messages: first message must use the user role");
  const names = tools.map(({ name }) => name);
  const turns = [];
  for (const [at, { role, content, ...others }] of messages.entries()) {
    only(others, [], `messages.${at}`);
    must(role === "user" || role === "assistant", `messages.${at}: role '${role}'`);
    must(content.length > 0, `messages.${at}: all messages must have non-empty content`);
    if (turns.at(-1)?.role === role) turns.at(-1).blocks.push(...blocksOf(content));
    else turns.push({ role, blocks: [...blocksOf(content)] });
  }
  const ids = new Set();
  for (const [at, { role, blocks }] of turns.entries()) {
    for (const block of blocks) checkBlock(block, `messages.${at}`, lean);
    const used = blocks.filter(({ type }) => type === "tool_use");
    must(used.length === 0 || role === "assistant", `messages.${at}: tool_use in a user message`);
    must(used.length === 0 || tools.length > 0, "Requests which include tool_use blocks must define tools");
    for (const { id } of used) {
      must(restarts || !ids.has(id), `messages.${at}: tool_use ids must be unique`);
      ids.add(id);
    }
    const before = (turns[at - 1]?.blocks ?? []).filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
    for (const id of results) must(before.includes(id), `unexpected tool_use_id found in tool_result blocks: ${id}`);
    must(new Set(results).size === results.length, "each tool_use must have a single result");
    for (const id of before) must(results.includes(id), `tool_use ids were found without tool_result blocks: ${id}`);
    const first = blocks.findIndex(({ type }) => type !== "tool_result");
    must(first < 0 || !blocks.slice(first).some(({ type }) => type === "tool_result"), "tool_result blocks come first");
    checkServerTools(blocks, turns[at - 2]?.blocks ?? [], `messages.${at}`);
    for (const name of blocks.flatMap(referencesIn)) {
      must(names.includes(name), `Tool reference '${name}' not found in available tools`);
    }
    const closed = blocks.map(({ tool_use_id }) => tool_use_id);
    const isOpen = blocks.some(({ type, id }) => type === "server_tool_use" && !closed.includes(id));
    const next = turns[at + 1]?.blocks ?? [];
    must(!isOpen || next.length === used.length, "an open turn takes nothing but the results");
  }
  must(!turns.at(-1).blocks.some(({ type }) => type === "tool_use"), "tool_use ids were found without tool_result blocks");
  if (thinking?.type !== "enabled") return;
  const last = turns.findLast(({ role }) => role === "assistant");
  const thinks =
    last === undefined || !last.blocks.some(({ type }) => type === "tool_use") || /thinking/.test(last.blocks[0].type);
  must(
    thinks,
    "Expected `thinking` or `redacted_thinking`, but found `tool_use`: a final assistant message must start with one",
  );
}

function checkServerTools(blocks, before, where) {
  const made = [...before, ...blocks].filter(({ type }) => type === "server_tool_use").map(({ id }) => id);
  for (const { type, tool_use_id } of blocks) {
    if (!/_tool_result$/.test(type) || type === "tool_result") continue;
    must(made.includes(tool_use_id), `${where}: ${type} without its server_tool_use`);
  }
}

function checkBlock(block, where, lean) {
  const known = BLOCKS[block.type] ?? (lean ? undefined : SERVER_BLOCKS[block.type]);
  must(
    known !== undefined,
    `${where}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`,
  );
  only(block, known, `${where}.${block.type}`);
  const { type, text, content, id, tool_use_id, name, input, is_error, signature } = block;
  if (type === "text") must(text.trim() !== "", `${where}: text content blocks must be non-empty`);
  if (type === "thinking") {
    must(signature === signed(block.thinking), `${where}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (type === "tool_use" || type === "server_tool_use") {
    must(ID.test(id), `${where}.${type}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    must(NAME.test(name), `${where}.${type}.name`);
    must(
      typeof input === "object" && input !== null && !Array.isArray(input),
      `${where}.${type}.input: Input should be an object`,
    );
  }
  if (type !== "tool_result") return;
  must(ID.test(tool_use_id), `${where}.tool_result.tool_use_id`);
  if (!Array.isArray(content)) return;
  for (const part of content) checkBlock(part, `${where}.tool_result`, lean);
  const kinds = new Set(content.map((part) => part.type));
  must(!kinds.has("tool_reference") || kinds.size === 1, "tool_reference blocks stand alone");
  must(!is_error || [...kinds].every((kind) => kind === "text"), "all content must be type 'text' if 'is_error' is true");
}

/** What the vendor signs a thought with. */
export const signed = (thought) => `sig-${Buffer.from(thought).toString("base64")}`;

const about = ({ step }, { model }) => ({
  id: `msg_${step}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});
const stopOf = ({ stop, calls }) => stop ?? (calls.length > 0 ? "tool_use" : "end_turn");

function usageOf({ messages: list, tools, system }, { text, calls }) {
  return {
    input_tokens: tokensOf({ list, tools, system }),
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 2,
    output_tokens: tokensOf([text, calls]),
    service_tier: "standard",
  };
}

function contentOf({ thinking, blocks = [], text, calls }) {
  const thought = thinking === undefined ? [] : [{ type: "thinking", thinking, signature: signed(thinking) }];
  const said = text === "" ? [] : [{ type: "text", text, citations: null }];
  const used = calls.map(({ id, name, args }) => ({
    type: "tool_use",
    id,
    name,
    input: inputOf(args),
    caller: { type: "direct" },
  }));
  return [...thought, ...blocks, ...said, ...used];
}

/** What the model sees: what is not deferred, then what the conversation refers to. */
function visible(list, tools) {
  const [deferred, shown] = [true, false].map((isDeferred) =>
    tools.filter((tool) => (tool.defer_loading === true) === isDeferred).map(({ name }) => name),
  );
  const referred = list.flatMap(({ content }) => blocksOf(content).flatMap(referencesIn));
  return [...shown, ...new Set(referred.filter((name) => deferred.includes(name)))];
}

function referencesIn({ type, content }) {
  const parts = type === "tool_result" && Array.isArray(content) ? content : [];
  return parts.filter((part) => part.type === "tool_reference").map((part) => part.tool_name);
}

/** Arguments that are no JSON were cut off; what is left of them is the vendor's guess. */
function inputOf(args) {
  try {
    return JSON.parse(argumentsText(args));
  } catch {
    return {};
  }
}

/** Texts and arguments come in pieces, as they do. */
function events(reply, body) {
  const usage = usageOf(body, reply);
  const message = { ...about(reply, body), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const list = [{ type: "message_start", message }];
  for (const [index, block] of contentOf(reply).entries()) {
    const { started, deltas } = inPieces(block, reply.calls);
    list.push({ type: "content_block_start", index, content_block: started });
    if (index === 0) list.push({ type: "ping" });
    for (const delta of deltas) list.push({ type: "content_block_delta", index, delta });
    list.push({ type: "content_block_stop", index });
  }
  const delta = { stop_reason: stopOf(reply), stop_sequence: null };
  const { output_tokens } = usage;
  list.push({ type: "message_delta", delta, usage: { output_tokens } }, { type: "message_stop" });
  return list.map((data) => ({ event: data.type, data }));
}

function inPieces(block, calls) {
  if (block.type === "text") {
    return { started: { ...block, text: "" }, deltas: halves(block.text).map((text) => ({ type: "text_delta", text })) };
  }
  if (block.type === "thinking") {
    const thought = halves(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    const deltas = [...thought, { type: "signature_delta", signature: block.signature }];
    return { started: { ...block, thinking: "", signature: "" }, deltas };
  }
  if (block.type !== "tool_use" && block.type !== "server_tool_use") return { started: block, deltas: [] };
  const written = argumentsText(calls.find(({ id }) => id === block.id)?.args ?? block.input);
  const deltas = ["", ...halves(written)].map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return { started: { ...block, input: {} }, deltas };
}

function blocksOf(content) {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function isAnswer(content) {
  return Array.isArray(content) && content.some(({ type }) => type === "tool_result");
}

function textIn(content) {
  return blocksOf(content)
    .map(({ type, text }) => (type === "text" ? text : `[${type}]`))
    .join("\n\n");
}
