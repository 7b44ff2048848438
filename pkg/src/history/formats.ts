/** Reads the calls of one message as each format keeps them. */

import type { MessageFormat } from "../types.js";
import { type Calls, type Fields, fields } from "./calls.js";

/** What reads the calls of one message, by format. */
export const READERS: Record<MessageFormat, (message: Fields, calls: Calls) => void> = {
  openai,
  "openai-responses": responses,
  anthropic,
  google,
  mcp,
  "ai-sdk": aiSdk,
  langchain,
};

/** Reads calls from the assistant's messages of Chat Completions. Each answer is a message of its own. */
function openai(message: Fields, calls: Calls): void {
  const { role, content, tool_calls, tool_call_id, function_call, name } = message;
  if (role === "assistant") {
    for (const call of calls.items(tool_calls)) {
      const { name: tool, arguments: args } = fields(call["function"]) ?? {};
      calls.call(tool, args, call["id"]);
    }
    // As it was before there were several calls at once.
    const { name: tool, arguments: args } = fields(function_call) ?? {};
    calls.call(tool, args);
  } else if (role === "tool" || role === "function") {
    calls.answer(content, { id: tool_call_id, name });
  } else {
    calls.forget();
  }
}

/**
 * Reads calls from the Responses API, which keeps them as items beside the messages. Its own tool search, and a host that
 * adds tools in between, give tools by value.
 */
function responses(item: Fields, calls: Calls): void {
  const { type, call_id: id, name, arguments: args, output, tools } = item;
  if (type === "function_call") calls.call(name, args, id);
  else if (type === "function_call_output") calls.answer(output, { id });
  else if (type === "tool_search_call") calls.vendorSearch(id);
  else if (type === "tool_search_output") calls.vendorAnswer(references(tools, calls), id);
  else if (type === "additional_tools") calls.given(references(tools, calls));
}

/** References to tools that are given by value, also within namespaces. */
function references(tools: unknown, calls: Calls): Fields[] {
  return calls.items(tools).flatMap((tool) => {
    const inner = fields(tool["type"] === "namespace" ? tool : undefined)?.["tools"];
    const all = inner === undefined ? [tool] : calls.items(inner);
    return all.map(({ name }) => ({ type: "tool_reference", tool_name: name }));
  });
}

/**
 * Reads calls from the Messages API, which keeps them as blocks: the assistant's calls, the user's answers, both of hosted
 * tools.
 */
function anthropic(message: Fields, calls: Calls): void {
  const isModel = message["role"] === "assistant";
  for (const { type, id, name, input, tool_use_id, content, is_error } of calls.items(message["content"])) {
    if (type === "tool_result" && !isModel) calls.answer(content, { id: tool_use_id, failed: is_error === true });
    if (!isModel) continue;
    if (type === "tool_use") calls.call(name, input, id);
    else if (type === "server_tool_use" && String(name).startsWith("tool_search_tool_")) calls.vendorSearch(id);
    else if (type === "tool_search_tool_result") calls.vendorAnswer(content, tool_use_id);
  }
}

/** Reads calls from the Gemini API's parts. Without ids, an answer belongs to the first open call of its name. */
function google(message: Fields, calls: Calls): void {
  const parts = calls.items(message["parts"]);
  for (const part of parts) {
    const call = message["role"] === "model" ? fields(part["functionCall"]) : undefined;
    if (call !== undefined) calls.call(call["name"], call["args"], call["id"]);
    const answer = message["role"] === "model" ? undefined : fields(part["functionResponse"]);
    if (answer === undefined) continue;
    const { id, name, response } = answer;
    calls.answer(response, { id, name, failed: fields(response)?.["error"] !== undefined });
  }
  if (message["role"] === "user" && !parts.some((part) => "functionResponse" in part)) calls.forget();
}

/** Reads calls that an agent with a format of its own passes one by one, each with its answer. */
function mcp(call: Fields, calls: Calls): void {
  const { name, arguments: args, result } = call;
  calls.call(name, args);
  if (result !== undefined) calls.answer(result, { name, failed: fields(result)?.["isError"] === true });
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
    if (part["type"] === "tool-call" && role === "assistant") made(part, part["toolName"], calls);
    if (part["type"] === "tool-result") answered(part, part["output"] ?? part["result"], calls);
  }
  for (const part of calls.items(parts)) {
    const { type, toolName, state, output, errorText } = part;
    const isTool = typeof type === "string" && type.startsWith("tool-");
    if (!isTool && type !== "dynamic-tool") continue;
    made(part, isTool ? type.slice("tool-".length) : toolName, calls);
    if (state === "output-available") answered(part, output, calls);
    else if (state === "output-error") answered(part, { type: "error-text", value: errorText }, calls);
  }
}

function made({ input, toolCallId, providerExecuted }: Fields, name: unknown, calls: Calls): void {
  // What else a provider runs is no tool of the catalog, and answers with texts of strangers.
  if (providerExecuted !== true) calls.call(name, input, toolCallId);
  else if (/tool_?search/i.test(String(name))) calls.vendorSearch(toolCallId);
}

function answered({ toolCallId }: Fields, output: unknown, calls: Calls): void {
  const type = String(fields(output)?.["type"]);
  calls.answer(output, { id: toolCallId, failed: type.startsWith("error-") || type === "execution-denied" });
}

const NOT_THE_MODEL = ["human", "user", "system", "developer"];

/** Reads calls from LangChain's messages. Each answer is a message of its own, as an instance or as JSON. */
function langchain(given: Fields, calls: Calls): void {
  // What is stored lies one level deeper, in either of two forms.
  const message = fields(given["kwargs"]) ?? fields(given["data"]) ?? given;
  const { tool_calls, tool_call_id: id, content, status } = message;
  if (NOT_THE_MODEL.includes(String(given["type"] ?? given["role"]))) return;
  if (id !== undefined) calls.answer(content, { id, failed: status === "error" });
  for (const call of calls.items(tool_calls)) {
    const { name, args, arguments: text } = fields(call["function"]) ?? call;
    calls.call(name, args ?? text, call["id"]);
  }
}
