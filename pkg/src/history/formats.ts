/** Reads the calls of one message as each format keeps it: those of APIs with a wire are in `wire/`, the others here. */

import type { MessageFormat } from "../types/index.js";
import * as anthropic from "../wire/anthropic.js";
import type { Calls } from "../wire/calls.js";
import { type Fields, fieldsOf, isObject, objectsIn } from "../wire/fields.js";
import * as google from "../wire/google.js";
import * as chat from "../wire/openai-chat.js";
import * as responses from "../wire/openai-responses.js";

/** What reads the calls of one message, by format. */
export const READERS: Record<MessageFormat, (message: Fields, calls: Calls) => void> = {
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
