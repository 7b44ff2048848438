/** Writes a reply, and the answers to its calls, as messages of the next round. */

import type { Answer } from "../../index.js";
import { objectOf } from "../../wire/arguments.js";
import type { Content, Message } from "./types.js";

type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];

/** The message of a reply. */
export function asMessage(content: readonly Content[]): Message {
  return { role: "assistant", content: content.flatMap(asPart) };
}

/** The message that answers calls. */
export function results(answers: readonly Answer[]): Message {
  const content = answers.map(({ call, content: value, isError }): ToolPart => {
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
    return { type: "tool-result", toolCallId: call.id!, toolName: call.name, output };
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
    // Vendors accept only objects as arguments. The answer says what was wrong with the text.
    const executed = providerExecuted === undefined ? {} : { providerExecuted };
    return [{ type: "tool-call", toolCallId, toolName, input: objectOf(part.input), ...executed, ...more }];
  }
  if (part.type === "tool-result") {
    const { toolCallId, toolName, result } = part;
    return [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value: result }, ...more }];
  }
  return [];
}
