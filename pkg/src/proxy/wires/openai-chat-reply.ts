/** The replies of Chat Completions, whole and streamed: what is read of them, and how the client gets their calls. */

import type OpenAI from "openai";
import { chatCalls } from "../../wire/openai-chat.js";
import type { Fields } from "../fields.js";
import type { Handed, Reply } from "../wire.js";

type Message = OpenAI.ChatCompletionMessage;

/** The fields of a message whose texts are joined over the rounds. */
export const TEXTS = ["content", "refusal", "reasoning", "reasoning_content"];

/** How a call is written in a reply. */
export type ChatCall = Fields & { id?: string };

/** The reply of a message. */
export function replyOf(message: Fields, finishReason: string | null): Reply {
  return { calls: chatCalls(message as unknown as Message, finishReason), reply: JSON.stringify(message) };
}

/** A call of a reply as the client gets it. */
export function handedCall(call: ChatCall, { unwrapped }: Handed): ChatCall {
  if (unwrapped === undefined) return call;
  const { custom: _, ...others } = call;
  return { ...others, type: "function", function: { name: unwrapped.name, arguments: JSON.stringify(unwrapped.args) } };
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function finishOf(reason: string | null, handed: readonly Handed[]): string | null {
  return handed.length === 0 && (reason === "tool_calls" || reason === "function_call") ? "stop" : reason;
}
