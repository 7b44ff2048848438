/** OpenAI's Chat Completions, and compatible APIs. */

import { type Fields, fieldsOf, objectsIn, textIn, textOf } from "../../wire/fields.js";
import * as api from "../../wire/openai-chat.js";
import { isSystem, joined as joinedPrompt } from "../../wire/prompt.js";
import { elementsOf, type JsonText, listOf } from "../json-text.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided } from "../../loop/rounds.js";
import type { WireRequest, ListedTool, RoundRequest, Route, Wire } from "../wire.js";
import { finishOf, handedCall, TEXTS, ChatJoiner } from "./openai-chat-stream.js";
import { isWhole, oneLine, openaiError, roundsIn, usageOf } from "./shared.js";

export const openaiChat: Wire = {
  api,
  format: "openai",
  route: (path) => (/\/chat\/completions\/?$/.test(path) ? {} : undefined),
  toolsIn,
  read,
  definitions: (assembled) => [...assembled],
  stub,
  write,
  joined,
  markOf: (body) => markOf(messageOf(body)),
  joiner: (request) => new ChatJoiner(request),
  error: (status, code, message) => JSON.stringify(openaiError(message, code, status)),
  streamError: (body) => `data: ${oneLine(body, (message) => openaiError(message, null))}\n\n`,
};

function toolsIn(text: string): ListedTool[] | undefined {
  return elementsOf(text)?.map((element): ListedTool => {
    const tool = fieldsOf(JSON.parse(element));
    return { text: element, name: api.nameOf(tool), definition: tool["type"] === "function" ? tool : undefined };
  });
}

function read(body: JsonText, _: Route): WireRequest | string | undefined {
  const messages = body.value("messages");
  const n = body.value("n") ?? 1;
  if (!Array.isArray(messages)) return undefined;
  if (n !== 1) return "several choices (n) are several conversations";
  const format = fieldsOf(body.value("response_format"))["type"];
  const first = messages.find((message) => fieldsOf(message)["role"] === "user") as unknown;
  const answer = messages.find((message) => fieldsOf(message)["role"] === "assistant") as unknown;
  return {
    body,
    stream: body.value("stream") === true,
    model: textIn(body.value("model")),
    messages,
    ...api.choiceIn(body.value("tool_choice")),
    isStructured: format === "json_schema" || format === "json_object",
    conversation: undefined,
    beginning: {
      first: JSON.stringify([
        systemText(messages),
        body.value("user"),
        body.value("safety_identifier"),
        fieldsOf(first)["content"],
      ]),
      reply: answer === undefined ? undefined : markOf(fieldsOf(answer)),
    },
  };
}

function systemText(messages: readonly unknown[]): string {
  const first = messages.findIndex((message) => !isSystem(message));
  return promptMark(
    messages.slice(0, first === -1 ? undefined : first).map((message) => JSON.stringify(fieldsOf(message)["content"])),
  );
}

/** Returns a stub. It loses `strict`, because vendors refuse a stub's schema as a strict schema. */
function stub(own: object, shown: object): string {
  const { function: made, ...others } = own as Fields;
  const { strict: _, ...inner } = fieldsOf(made);
  return JSON.stringify({ ...others, function: { ...inner, ...fieldsOf(fieldsOf(shown)["function"]) } });
}

function write({ body }: WireRequest, { always, tools, systemPrompt, turns }: RoundRequest): string {
  const all = [...always, ...tools];
  const messages = elementsOf(body.raw("messages")!)!;
  const sent = api.withPrompt(messages, systemPrompt, JSON.parse, JSON.stringify);
  const changes = { messages: listOf([...sent, ...roundsIn(api, turns)]) };
  if (all.length > 0) return body.with({ ...changes, tools: listOf(all) });
  // The API refuses parameters about tools in a request without tools.
  return body.with({ ...changes, tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined });
}

function choiceOf(body: JsonText): Fields {
  return fieldsOf((body.value("choices") as unknown[] | undefined)?.[0]);
}

function messageOf(body: JsonText): Fields {
  return fieldsOf(choiceOf(body)["message"]);
}

function joined({ isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  const choice = choiceOf(last);
  const message = messageOf(last);
  const calls = objectsIn(message["tool_calls"]);
  if (replies.length === 1 && isWhole(handed, calls.length)) return last.text;
  const { tool_calls: _, ...others } = message;
  const fields: Record<string, unknown> = { ...others };
  const before = isStructured ? [] : replies.slice(0, -1).map(messageOf);
  for (const key of TEXTS) {
    const texts = [...before, message].map((one) => textIn(one[key]));
    if (texts.some((text) => text !== undefined)) fields[key] = joinedPrompt(...texts) || message[key];
  }
  // Some vendors add lists of their own, such as `reasoning_details` and `annotations`.
  const all = [...before, others];
  const lists = new Set(all.flatMap((one) => Object.keys(one).filter((key) => Array.isArray(one[key]))));
  for (const key of lists) if (key !== "tool_calls" && key !== "content") fields[key] = all.flatMap((one) => one[key] ?? []);
  if (handed.length > 0) fields["tool_calls"] = handed.map((one) => handedCall(calls[one.at]!, one));
  const changed = { ...choice, message: fields, finish_reason: finishOf(choice["finish_reason"], handed) };
  return last.with({ choices: JSON.stringify([changed]), ...usageOf("usage", replies) });
}

function markOf({ content, tool_calls }: Fields): string {
  return replyMark(
    textOf(content),
    objectsIn(tool_calls).map((call) => textIn(call["id"]) ?? ""),
  );
}
