/** Writes a reply, and the answers to its calls, as messages of the next round. */

import type { Call, Content, Message } from "./types.js";

type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];

/** The answer to a call. */
export interface Said {
  call: Call;
  text: string;
  isError: boolean;
}

/** The message of a reply. */
export function asMessage(content: readonly Content[]): Message {
  return { role: "assistant", content: content.flatMap(asPart) };
}

/** The message that answers calls. */
export function results(said: readonly Said[]): Message {
  const content = said.map(({ call: { toolCallId, toolName }, text, isError }): ToolPart => {
    return { type: "tool-result", toolCallId, toolName, output: { type: isError ? "error-text" : "text", value: text } };
  });
  return { role: "tool", content };
}

function asPart(part: Content): AssistantPart[] {
  const { providerMetadata: providerOptions } = part as { providerMetadata?: any };
  const more = providerOptions === undefined ? {} : { providerOptions };
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text, ...more }];
  if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...more }];
  if (part.type === "tool-call") {
    const { toolCallId, toolName, providerExecuted } = part;
    const executed = providerExecuted === undefined ? {} : { providerExecuted };
    return [{ type: "tool-call", toolCallId, toolName, input: readable(part.input), ...executed, ...more }];
  }
  if (part.type === "tool-result") {
    const { toolCallId, toolName, result } = part;
    return [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value: result }, ...more }];
  }
  return [];
}

/** Vendors accept only objects as arguments. The answer says what was wrong with the text. */
function readable(input: string): unknown {
  try {
    return Object(JSON.parse(input));
  } catch {
    return {};
  }
}
