/** The replies of the Messages API, whole and streamed: the calls in them, and how the client gets them. */

import type Anthropic from "@anthropic-ai/sdk";
import { messagesCalls } from "../../wire/anthropic.js";
import type { ModelCall } from "../../loop/types.js";
import { type Fields, textIn } from "../fields.js";
import type { Handed } from "../wire.js";

/** The calls of a reply's blocks. */
export function callsIn(content: readonly Fields[], stopReason: unknown): ModelCall[] {
  const message = { content, stop_reason: textIn(stopReason) ?? null };
  return messagesCalls(message as unknown as Anthropic.Message);
}

/** A call through a bridge as that of the tool itself. */
export function unwrappedBlock(block: Fields, { unwrapped }: Handed): Fields {
  return { ...block, name: unwrapped!.name, input: unwrapped!.args };
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function stopOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && reason === "tool_use" ? "end_turn" : reason;
}
