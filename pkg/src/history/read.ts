/** Reads the calls of a conversation as its format has them, and refuses messages of another format. */

import { plain } from "../base/plain-data.js";
import { ToolSiftError } from "../base/errors.js";
import type { FromMessagesOptions, MessageFormat } from "../types/index.js";
import { isList, kind } from "../base/values.js";
import { type Call, Calls } from "../wire/calls.js";
import { fieldsOf, type Fields, isObject, objectsIn } from "../wire/fields.js";
import * as anthropic from "../wire/anthropic.js";
import * as google from "../wire/google.js";
import * as chat from "../wire/openai-chat.js";
import * as responses from "../wire/openai-responses.js";

/** What reads the calls of one message, by format. */
const READERS: Record<MessageFormat, (message: Fields, calls: Calls) => void> = {
  openai: chat.history,
  "openai-responses": responses.history,
  anthropic: anthropic.history,
  google: google.history,
  mcp,
  "ai-sdk": aiSdk,
  langchain,
  bedrock,
};

/** Reads calls that an agent with a format of its own passes one by one, each with its answer. */
function mcp(call: Fields, calls: Calls): void {
  const { name, arguments: args, result } = call;
  calls.call(name, args);
  if (result !== undefined) calls.answer(result, { name, failed: fieldsOf(result)["isError"] === true });
  calls.forget();
}

/**
 * Reads calls from AI SDK's messages. Model messages keep them as parts, with the answers in messages of their own; UI
 * messages, which hosts store, keep call and answer as one part.
 */
function aiSdk(message: Fields, calls: Calls): void {
  const { role, content, parts } = message;
  if (role !== "assistant" && role !== "tool") return;
  for (const part of calls.items(content)) {
    if (part["type"] === "tool-call" && role === "assistant") noteCall(part, part["toolName"], calls);
    if (part["type"] === "tool-result") answered(part, part["output"] ?? part["result"], calls);
  }
  for (const part of calls.items(parts)) {
    const { type, toolName, state, output, errorText } = part;
    const isTool = typeof type === "string" && type.startsWith("tool-");
    if (!isTool && type !== "dynamic-tool") continue;
    noteCall(part, isTool ? type.slice("tool-".length) : toolName, calls);
    if (state === "output-available") answered(part, output, calls);
    else if (state === "output-error") answered(part, { type: "error-text", value: errorText }, calls);
  }
}

function noteCall({ input, toolCallId, providerExecuted }: Fields, name: unknown, calls: Calls): void {
  // What else a provider runs is no tool of the catalog, and answers with texts of strangers.
  if (providerExecuted !== true) calls.call(name, input, toolCallId);
  else if (/tool_?search/i.test(String(name))) calls.vendorSearch(toolCallId);
}

function answered({ toolCallId }: Fields, output: unknown, calls: Calls): void {
  const type = String(fieldsOf(output)["type"]);
  calls.answer(output, { id: toolCallId, failed: type.startsWith("error-") || type === "execution-denied" });
}

const NOT_THE_MODEL = ["human", "user", "system", "developer"];

/** Reads calls from LangChain's messages. Each answer is a message of its own, as an instance or as JSON. */
function langchain(given: Fields, calls: Calls): void {
  // What is stored lies one level deeper, in either of two forms.
  const message = [given["kwargs"], given["data"]].find(isObject) ?? given;
  const { tool_calls, tool_call_id: id, content, status } = message;
  if (NOT_THE_MODEL.includes(String(given["type"] ?? given["role"]))) return;
  if (id !== undefined) calls.answer(content, { id, failed: status === "error" });
  for (const call of calls.items(tool_calls)) {
    const { name, args, arguments: text } = isObject(call["function"]) ? call["function"] : call;
    calls.call(name, args ?? text, call["id"]);
  }
}

/**
 * Reads calls of Amazon Bedrock's Converse from the assistant's blocks, and answers from the user's. An answer may be JSON
 * instead of text.
 */
function bedrock(message: Fields, calls: Calls): void {
  const isModel = message["role"] === "assistant";
  for (const { toolUse, toolResult } of calls.items(message["content"])) {
    if (isModel && isObject(toolUse)) calls.call(toolUse["name"], toolUse["input"], toolUse["toolUseId"]);
    if (isModel || !isObject(toolResult)) continue;
    const { toolUseId: id, content, status } = toolResult;
    calls.answer(
      objectsIn(content).map((block) => block["json"] ?? block),
      { id, failed: status === "error" },
    );
  }
}

/** The calls of a conversation, in their order. */
export function callsIn(messages: unknown, options: FromMessagesOptions): Calls {
  const format = formatOf(options);
  if (!isList(messages)) {
    throw new ToolSiftError("messages_invalid", `messages must be a list, got ${kind(messages)}`);
  }
  const calls = readAs(format, messages);
  if (!calls.all.some(isAnswered)) refuseOthers(format, messages);
  return calls;
}

function formatOf(options: FromMessagesOptions): MessageFormat {
  const { format, ...others } = fieldsOf(plain("options", options));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ToolSiftError("option_unknown", `options.${unknown} is unknown; there is format only`);
  if (typeof format === "string" && Object.hasOwn(READERS, format)) return format as MessageFormat;
  const all = Object.keys(READERS).join(", ");
  throw new ToolSiftError("option_invalid", `options.format must be one of ${all}; got ${kind(format)}`);
}

function readAs(format: MessageFormat, messages: readonly unknown[]): Calls {
  const calls = new Calls();
  calls.count(messages.length);
  for (const [at, message] of messages.entries()) {
    if (typeof message !== "object" || message === null) {
      throw new ToolSiftError("messages_invalid", `messages.${at} must be an object, got ${kind(message)}`);
    }
    READERS[format](fieldsOf(message), calls);
  }
  return calls;
}

/** A conversation of another format has no calls in this one: silently, all that it revealed would be forgotten. */
function refuseOthers(format: MessageFormat, messages: readonly unknown[]): void {
  for (const other of Object.keys(READERS) as MessageFormat[]) {
    const found = other === format ? 0 : readAs(other, messages).all.filter(isAnswered).length;
    if (found === 0) continue;
    const message = `messages hold no answered call as ${format}, but ${found} as ${other}: pass format "${other}"`;
    throw new ToolSiftError("format_mismatch", message);
  }
}

function isAnswered(call: Call): boolean {
  return "answer" in call;
}
