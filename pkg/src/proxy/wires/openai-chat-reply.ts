/** The replies of Chat Completions, whole and streamed, as the client gets them. */

import type { Fields } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

/** The fields of a message whose texts are joined over the rounds. */
export const TEXTS = ["content", "refusal", "reasoning", "reasoning_content"];

/** How a call is written in a reply. */
export type ChatCall = Fields & { id?: string };

/** A call of a reply as the client gets it. */
export function handedCall(call: ChatCall, { unwrapped }: Handed): ChatCall {
  if (unwrapped === undefined) return call;
  const { custom: _, ...others } = call;
  return { ...others, type: "function", function: { name: unwrapped.name, arguments: JSON.stringify(unwrapped.args) } };
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function finishOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && (reason === "tool_calls" || reason === "function_call") ? "stop" : reason;
}
