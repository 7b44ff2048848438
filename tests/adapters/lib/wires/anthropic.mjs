/**
 * The wire of Anthropic's Messages API, as strict as the API is where it is said what it refuses.
 *
 * Beside `text` and `calls`, a reply may hold `blocks`, content that stands before all else as it is; `searches`, queries
 * to the hosted search, which looks them up in the tools it was sent; `waiting`, a server's tool called at once with the
 * calls, so that it runs with the next request; and `stop`, another reason to stop.
 */

import assert from "node:assert/strict";
import { argumentsText } from "../../../vendors/vendor.mjs";

export const anthropic = {
  path: /\/v1\/messages$/,
  streams: ({ stream }) => stream === true,

  read({ messages, tools = [], system = [], ...others }, { headers }) {
    assert.ok(headers["anthropic-version"] && headers["authorization"]);
    checkTools(tools);
    checkMessages(messages, tools);
    const breakpoints = JSON.stringify({ messages, tools, system, ...others }).split('"cache_control":').length - 1;
    assert.ok(breakpoints <= 4, `${breakpoints} cache breakpoints`);
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    const since = messages.slice(last + 1).flatMap(({ content }) => blocksOf(content));
    const beside = since.filter(({ type }) => type === "text").map(({ text }) => text);
    const answer = ({ content = [] }) => (isReferring(content) ? (beside.shift() ?? "") : textIn(content));
    return {
      tools: visible(messages, tools),
      system: textIn(system),
      answers: since.filter(({ type }) => type === "tool_result").map(answer),
      prompt: textIn(messages.findLast(({ role, content }) => role === "user" && !isAnswer(content))?.content ?? ""),
    };
  },

  reply: (reply, body) => ({ ...about(reply, body), content: contentOf(reply, body), stop_reason: stopOf(reply) }),

  /** Texts and arguments come in pieces, as they do. */
  stream(reply, body) {
    const events = [{ type: "message_start", message: { ...about(reply, body), content: [], stop_reason: null } }];
    for (const [index, block] of contentOf(reply, body).entries()) {
      const { started, deltas } = inPieces(block, reply.calls);
      events.push({ type: "content_block_start", index, content_block: started });
      for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
      events.push({ type: "content_block_stop", index });
    }
    const delta = { stop_reason: stopOf(reply), stop_sequence: null, stop_details: null, container: null };
    events.push({ type: "message_delta", delta, usage: USAGE }, { type: "message_stop" });
    return events.map((data) => ({ event: data.type, data }));
  },
};

const USAGE = { input_tokens: 1, output_tokens: 1 };
const MOST_DEFERRED = 10_000;
const MOST_FOUND = 5;
const MOST_CHARS = 500;

const about = ({ step }, { model }) => {
  return { id: `msg_${step}`, type: "message", role: "assistant", model, stop_sequence: null, usage: USAGE };
};
const stopOf = ({ stop, calls }) => stop ?? (calls.length > 0 ? "tool_use" : "end_turn");

function contentOf({ blocks = [], text, searches = [], waiting = [], calls, step }, { tools = [] }) {
  const said = text === "" ? [] : [{ type: "text", text, citations: null }];
  const found = searches.flatMap((query, at) => hosted(query, `srvtoolu_${step}_${at}`, tools));
  const caller = { type: "direct" };
  const used = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: inputOf(args), caller }));
  return [...blocks, ...said, ...found, ...waiting, ...used];
}

/** Arguments that are no JSON were cut off; what is left of them is the vendor's guess. */
function inputOf(args) {
  try {
    return JSON.parse(argumentsText(args));
  } catch {
    return {};
  }
}

/** The vendor's own search: a call of the model, and its answer in the same reply. */
function hosted(query, id, tools) {
  const name = tools.find(({ type }) => type?.startsWith("tool_search_tool_"))?.name;
  assert.ok(name, "no search tool was sent");
  assert.ok(query.length <= MOST_CHARS);
  return [
    { type: "server_tool_use", id, name, input: { query }, caller: { type: "direct" } },
    searchResult(id, query, tools),
  ];
}

/** What the hosted search answers: a tool of just this name, or tools that have all the words. */
export function searchResult(id, query, tools) {
  const words = query.toLowerCase().split(" ");
  const fits = ({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word));
  const deferred = tools.filter((tool) => tool.defer_loading === true);
  const named = deferred.filter(({ name }) => name === query);
  const hits = named.length > 0 ? named : deferred.filter(fits).slice(0, MOST_FOUND);
  const tool_references = hits.map(({ name }) => ({ type: "tool_reference", tool_name: name }));
  const content = { type: "tool_search_tool_search_result", tool_references };
  return { type: "tool_search_tool_result", tool_use_id: id, content };
}

function inPieces(block, calls) {
  const halves = (text) => [text.slice(0, Math.floor(text.length / 2)), text.slice(Math.floor(text.length / 2))];
  if (block.type === "text") {
    const deltas = halves(block.text).map((text) => ({ type: "text_delta", text }));
    return { started: { ...block, text: "" }, deltas };
  }
  if (block.type === "thinking") {
    const thinking = halves(block.thinking).map((piece) => ({ type: "thinking_delta", thinking: piece }));
    const deltas = [...thinking, { type: "signature_delta", signature: block.signature }];
    return { started: { ...block, thinking: "", signature: "" }, deltas };
  }
  if (block.type !== "tool_use" && block.type !== "server_tool_use") return { started: block, deltas: [] };
  const written = calls.find(({ id }) => id === block.id)?.args ?? block.input;
  const deltas = halves(argumentsText(written)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return { started: { ...block, input: {} }, deltas };
}

/** What the model sees: what is not deferred, then what the conversation refers to. */
function visible(messages, tools) {
  const deferred = new Set(tools.filter((tool) => tool.defer_loading === true).map(({ name }) => name));
  const referred = messages.flatMap(({ content }) => blocksOf(content).flatMap(referencesIn));
  const shown = tools.filter(({ name }) => !deferred.has(name)).map(({ name }) => name);
  return [...shown, ...new Set(referred.filter((name) => deferred.has(name)))];
}

function checkTools(tools) {
  const deferred = tools.filter((tool) => tool.defer_loading === true);
  assert.ok(tools.length === 0 || deferred.length < tools.length, "all tools are deferred");
  assert.ok(deferred.length <= MOST_DEFERRED);
  assert.ok(
    deferred.every(({ cache_control }) => cache_control === undefined),
    "a deferred tool with a breakpoint",
  );
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length, "a name twice");
}

function checkMessages(messages, tools) {
  const names = new Set(tools.map(({ name }) => name));
  assert.equal(messages[0].role, "user");
  const turns = [];
  for (const { role, content, ...others } of messages) {
    assert.deepEqual(Object.keys(others), []);
    assert.ok(content.length > 0, "a message without content");
    if (turns.at(-1)?.role === role) turns.at(-1).blocks.push(...blocksOf(content));
    else turns.push({ role, blocks: [...blocksOf(content)] });
  }
  for (const { blocks } of turns) blocks.forEach(checkBlock);
  for (const name of turns.flatMap(({ blocks }) => blocks.flatMap(referencesIn))) {
    assert.ok(names.has(name), `Tool reference '${name}' not found in available tools`);
  }
  for (const [at, { role, blocks }] of turns.entries()) {
    if (role !== "assistant") continue;
    const used = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const next = turns[at + 1]?.blocks ?? [];
    const answered = next.slice(0, used.length).map(({ type, tool_use_id }) => type === "tool_result" && tool_use_id);
    assert.deepEqual(answered, used, "each call is answered at the beginning of the next message, in their order");
    const closed = new Set(blocks.map(({ tool_use_id }) => tool_use_id));
    const open = blocks.some(({ type, id }) => type === "server_tool_use" && !closed.has(id));
    if (open) assert.equal(next.length, used.length, "an open turn takes nothing but the results");
  }
}

function checkBlock({ type, text, content, is_error }) {
  if (type === "text") assert.ok(text.trim() !== "", "an empty text block");
  if (type !== "tool_result" || !Array.isArray(content)) return;
  assert.ok(content.length > 0);
  content.forEach(checkBlock);
  const kinds = new Set(content.map((part) => part.type));
  assert.ok(!kinds.has("tool_reference") || kinds.size === 1, "a reference beside something else");
  if (is_error) assert.deepEqual([...kinds], ["text"], "all content must be type 'text' if 'is_error' is true");
}

function blocksOf(content) {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function referencesIn({ type, content }) {
  const parts = type === "tool_search_tool_result" ? content.tool_references : type === "tool_result" ? content : [];
  if (!Array.isArray(parts)) return [];
  return parts.filter((part) => part.type === "tool_reference").map((part) => part.tool_name);
}

function isReferring(content) {
  return Array.isArray(content) && content.some(({ type }) => type === "tool_reference");
}

function isAnswer(content) {
  return Array.isArray(content) && content.some(({ type }) => type === "tool_result");
}

function textIn(content) {
  return blocksOf(content)
    .map(({ type, text }) => (type === "text" ? text : `[${type}]`))
    .join("\n\n");
}
