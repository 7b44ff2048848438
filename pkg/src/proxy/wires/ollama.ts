/** Ollama's own chat. What it offers in the form of Chat Completions is of that wire. */

import { type Fields, fieldsOf, isObject, objectsIn, textIn } from "../../wire/fields.js";
import * as api from "../../wire/ollama.js";
import { isSystem, joined as joinedPrompt } from "../../wire/prompt.js";
import { LINES } from "../frames.js";
import { elementsOf, type JsonText, listOf } from "../json-text.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided } from "../../loop/rounds.js";
import type { WireRequest, RoundRequest, Wire } from "../wire.js";
import { callKey, costsOf, handedCall } from "./ollama-reply.js";
import { OllamaJoiner } from "./ollama-stream.js";
import { openaiChat } from "./openai-chat.js";
import { isWhole, oneLine, roundsIn } from "./shared.js";

export const ollama: Wire = {
  api,
  format: "openai",
  messages: "ollama",
  toolsKey: "tools",
  route: (path) => (/\/api\/chat\/?$/.test(path) ? { frames: LINES } : undefined),
  toolsIn: openaiChat.toolsIn,
  read,
  definitions: openaiChat.definitions,
  stub: openaiChat.stub,
  write,
  joined,
  markOf: (body) => markOf(messageOf(body)),
  joiner: (request) => new OllamaJoiner(request),
  error: (_, code, message) => JSON.stringify(error(`${message} (${code})`)),
  streamError: (body) => `${oneLine(body, error)}\n`,
};

const error = (message: string): object => ({ error: message });

function read(body: JsonText): WireRequest | undefined {
  const messages = body.value("messages");
  const format = body.value("format");
  if (!Array.isArray(messages)) return undefined;
  const all = objectsIn(messages);
  const first = all.find(({ role }) => role === "user");
  const answer = all.find(({ role }) => role === "assistant");
  const system = promptMark(all.filter(isSystem).map(({ content }) => textIn(content)));
  return {
    body,
    // It streams unless it is told not to.
    stream: body.value("stream") !== false,
    model: textIn(body.value("model")),
    messages,
    named: [],
    choice: "free",
    isStructured: format === "json" || isObject(format),
    conversation: undefined,
    beginning: {
      first: JSON.stringify([system, first?.["content"]]),
      reply: answer === undefined ? undefined : markOf(answer),
    },
  };
}

function write({ body }: WireRequest, { always, tools, systemPrompt, turns }: RoundRequest): string {
  const all = [...always, ...tools];
  const messages = api.withPrompt(elementsOf(body.raw("messages")!)!, systemPrompt, JSON.parse, JSON.stringify);
  return body.with({
    messages: listOf([...messages, ...roundsIn(api, turns)]),
    tools: all.length === 0 ? undefined : listOf(all),
  });
}

function messageOf(body: JsonText): Fields {
  return fieldsOf(body.value("message"));
}

function joined({ isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  const { tool_calls, ...others } = messageOf(last);
  const calls = objectsIn(tool_calls);
  if (replies.length === 1 && isWhole(handed, calls.length)) return last.text;
  const before = isStructured ? [] : replies.slice(0, -1).map(messageOf);
  const message: Record<string, unknown> = { ...others };
  for (const key of ["content", "thinking"]) {
    const text = joinedPrompt(...[...before, others].map((one) => textIn(one[key])));
    if (text !== "") message[key] = text;
  }
  if (handed.length > 0) message["tool_calls"] = handed.map((one) => handedCall(calls[one.at]!, one));
  const costs = replies.reduce<Fields>((sum, one) => costsOf(sum, fieldsOf(JSON.parse(one.text))), {});
  const changed = Object.entries({ message, ...costs }).map(([key, value]) => [key, JSON.stringify(value)]);
  return last.with(Object.fromEntries(changed) as Record<string, string>);
}

function markOf({ content, tool_calls }: Fields): string {
  return replyMark(textIn(content) ?? "", objectsIn(tool_calls).map(callKey));
}
