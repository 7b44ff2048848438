/**
 * Reads calls from AI SDK's messages. Model messages keep them as parts, with the answers in messages of their own; UI
 * messages, which hosts store, keep call and answer as one part.
 */

import { type Calls, type Fields, fields } from "./calls.js";

export function aiSdk(message: Fields, calls: Calls): void {
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
