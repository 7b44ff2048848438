/** OpenAI's Responses API, and compatible APIs. The vendor or the client stores the conversation. */

import type { Reply } from "../../wire/api.js";
import { type Fields, fieldsOf, objectsIn, textIn, textOf } from "../../wire/fields.js";
import * as api from "../../wire/openai-responses.js";
import { parsed } from "../../base/values.js";
import { elementsOf, JsonText, listOf } from "../json-text.js";
import { typedText } from "../sse.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided } from "../../loop/rounds.js";
import type { WireRequest, ListedTool, Recovered, RoundRequest, Wire } from "../wire.js";
import { nameIn, repeated, shownItems } from "./openai-responses-items.js";
import { ResponsesJoiner } from "./openai-responses-stream.js";
import { isWhole, openaiError, usageOf } from "./shared.js";

const { isAnswer, isCall } = api;

export const openaiResponses: Wire = {
  api,
  format: "openai-responses",
  route: (path) =>
    /\/responses\/?$/.test(path) ? {} : /\/responses\/input_tokens\/?$/.test(path) ? { counts: true } : undefined,
  toolsIn,
  read,
  definitions: (assembled) => [...assembled],
  stub: (own, shown) => JSON.stringify({ ...own, ...shown, strict: false }),
  write,
  joined,
  markOf: (body) => markOf(objectsIn(body.value("output"))),
  recovered,
  joiner: (request) => new ResponsesJoiner(request),
  error: (status, code, message) => JSON.stringify(openaiError(message, code, status)),
  streamError,
};

/** Returns the tools of the client; undefined if the client uses the vendor's own tool search. */
function toolsIn(text: string): ListedTool[] | undefined {
  const listed: ListedTool[] = [];
  for (const element of elementsOf(text) ?? []) {
    const tool = fieldsOf(JSON.parse(element));
    const { type, defer_loading } = tool;
    if (type === "tool_search" || defer_loading === true) return undefined;
    if (type === "namespace" && objectsIn(tool["tools"]).some((one) => one["defer_loading"] === true)) return undefined;
    listed.push({ text: element, name: api.nameOf(tool), definition: type === "function" ? tool : undefined });
  }
  return listed;
}

function read(body: JsonText): WireRequest | string | undefined {
  const input = body.value("input") ?? [];
  if (!(typeof input === "string" || Array.isArray(input))) return undefined;
  if (body.value("background") === true) return "what runs in the background is asked for later, under another path";
  const messages: unknown[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const format = fieldsOf(fieldsOf(body.value("text"))["format"])["type"];
  const conversation = body.value("conversation");
  return {
    body,
    stream: body.value("stream") === true,
    model: textIn(body.value("model")),
    messages,
    ...api.choiceIn(body.value("tool_choice")),
    isStructured: format === "json_schema" || format === "json_object",
    conversation: textIn(conversation) ?? textIn(fieldsOf(conversation)["id"]),
    follows: textIn(body.value("previous_response_id")),
    isStored: body.value("store") !== false,
    beginning: beginningOf(messages, [
      textIn(body.value("instructions")),
      body.value("user"),
      body.value("safety_identifier"),
    ]),
  };
}

/** Returns the user's first message, and the reply to it: the items up to the user's next message. */
function beginningOf(messages: readonly unknown[], [instructions, ...whose]: readonly unknown[]): WireRequest["beginning"] {
  const items = objectsIn(messages);
  const first = items.findIndex(({ role }) => role === "user");
  const prompt = promptMark([
    textIn(instructions),
    ...items.slice(0, Math.max(0, first)).map(({ content }) => textOf(content)),
  ]);
  const rest = items.slice(first + 1);
  const next = rest.findIndex((item) => item["role"] === "user" || isAnswer(item));
  const answers = next === -1 ? [] : rest.slice(next).filter(isAnswer);
  const reply = next === -1 ? rest : rest.slice(0, next);
  // Calls may be references: then the answers have their ids.
  const replyItems = reply.some(isCall)
    ? reply
    : [...reply, ...answers.slice(0, reply.filter(({ type }) => type === "item_reference").length)];
  const question = textOf(items[first]?.["content"]);
  return { first: JSON.stringify([prompt, whose, question]), reply: reply.length === 0 ? undefined : markOf(replyItems) };
}

function markOf(items: readonly Fields[]): string {
  const text = items
    .map((item) => (item["type"] === "message" || item["role"] === "assistant" ? textOf(item["content"]) : ""))
    .join("");
  return replyMark(
    text,
    items.flatMap((item) => textIn(item["call_id"]) ?? []),
  );
}

function write({ body, follows, conversation, isStored }: WireRequest, round: RoundRequest): string {
  const { always, tools, systemPrompt, turns, chain, isWrapped } = round;
  const all = [...always, ...tools];
  const input = body.value("input") ?? [];
  const items =
    typeof input === "string" ? [JSON.stringify({ role: "user", content: input })] : elementsOf(body.raw("input") ?? "[]")!;
  const own = isWrapped ? items.map(withoutId) : items;
  const outputs = turns.map(({ answers }) => api.answersOf(answers).map((one) => JSON.stringify(one)));
  const last = turns.at(-1)?.reply;
  const isKept = follows !== undefined || conversation !== undefined;
  const before = isKept ? (chain?.pending ?? []) : [];
  const inner = turns.flatMap(({ reply }, at) => [...itemsOf(reply, isStored === true), ...outputs[at]!]);
  const given = { instructions: body.value("instructions"), prompt: body.value("prompt"), input: own, isKept };
  const { instructions, input: prompted } = api.withPrompt(given, systemPrompt, JSON.parse, JSON.stringify);
  // A vendor that stores the conversation has everything except the newest outputs.
  const sent = isKept && last !== undefined ? outputs.at(-1)! : [...before, ...(prompted ?? own), ...inner];
  const id = last?.id ?? chain?.alias;
  const changes: Record<string, string | undefined> = {};
  if (turns.length > 0 || before.length > 0 || prompted !== undefined || isWrapped) changes["input"] = listOf(sent);
  if (follows !== undefined && id !== undefined) changes["previous_response_id"] = JSON.stringify(id);
  if (instructions !== undefined) changes["instructions"] = JSON.stringify(instructions);
  if (all.length > 0) return body.with({ ...changes, tools: listOf(all) });
  return body.with({ ...changes, tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined });
}

/** Removes the id of a call: at the vendor, it belongs to the call of a discovery tool. */
function withoutId(text: string): string {
  const { id, ...item } = fieldsOf(JSON.parse(text));
  return item["type"] === "function_call" && id !== undefined ? JSON.stringify(item) : text;
}

/** Returns a reply's items for the next round. If the vendor does not store them, reasoning without content is left out. */
function itemsOf({ messages }: Reply, isStored: boolean): string[] {
  const isSent = ({ type, encrypted_content }: Fields) => isStored || type !== "reasoning" || textIn(encrypted_content);
  return objectsIn(messages)
    .filter(isSent)
    .map((item) => JSON.stringify(item));
}

function joined({ body, isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  const outputs = replies.map((one) => objectsIn(one.value("output")));
  const own = Object.entries(repeated(fieldsOf(JSON.parse(last.text)), body));
  const changes: Record<string, string> = Object.fromEntries(
    own.map(([key, value]) => [key, body.raw(key) ?? JSON.stringify(value)]),
  );
  if (replies.length > 1 || !isWhole(handed, outputs.at(-1)!.filter(isCall).length)) {
    const shown = outputs.flatMap((items, at) => {
      const isLast = at === outputs.length - 1;
      return shownItems(items, isLast ? handed : [], isStructured && !isLast);
    });
    changes["output"] = JSON.stringify(shown);
    Object.assign(changes, usageOf("usage", replies));
  }
  return Object.keys(changes).length === 0 ? last.text : last.with(changes);
}

/** The answer to a search whose state is lost. */
const LOST = "What this call found is not known any longer. Search again.";

/** Answers the proxy's own calls in a stored reply. Converts answers to calls that are not in that reply to messages. */
function recovered(request: WireRequest, kept: JsonText, isListed: (name: string) => boolean): Recovered | undefined {
  const calls = objectsIn(kept.value("output")).filter(isCall);
  const missing = calls.filter((item) => nameIn(item) !== undefined && !isListed(nameIn(item)!));
  if (missing.length === 0) return undefined;
  const pending = missing.map(({ call_id }) => JSON.stringify({ type: "function_call_output", call_id, output: LOST }));
  const input = elementsOf(request.body.raw("input") ?? "")?.map((text) => {
    const item = fieldsOf(JSON.parse(text));
    const { call_id, output } = item;
    if (!isAnswer(item) || calls.some((call) => call["call_id"] === call_id)) return text;
    const answer = typeof output === "string" ? output : JSON.stringify(output);
    // A tool's answer must have no more weight than a user's message.
    return JSON.stringify({
      role: "user",
      content: `A tool that the assistant called (${String(call_id)}) has answered:\n${answer}`,
    });
  });
  const body = input === undefined ? request.body : JsonText.of(request.body.with({ input: listOf(input) }))!;
  return { request: { ...request, body }, chain: { pending } };
}

function streamError(body: string): string {
  const read = parsed(body);
  const error = read === undefined ? { message: body.slice(0, 1_000) } : fieldsOf(fieldsOf(read)["error"]);
  const { code = null, message = "the upstream failed", param = null } = error as Fields;
  return typedText({ type: "error", code, message, param });
}
