/** Counts a run's steps and its successive refused replies, from the run's messages. */

import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ErrorCode, Outcome } from "../../index.js";
import { refusalOf } from "../../loop/driver.js";

/** The value of `response_metadata.toolsift` in a message that answers a discovery tool or a refused call. */
export interface AnswerMark {
  kind: "result" | "refused";
  /** The error code of the call; null if it succeeded. */
  code: ErrorCode | null;
  /** The names of the tools that the call loaded. */
  revealed: string[];
}

/**
 * Returns the mark of an answer. It is not sent to the model, and is stored with the messages: a middleware that clears old
 * answers removes their `artifact`, but keeps this.
 */
export function markOf(outcome: Exclude<Outcome, { kind: "dispatch" }>): AnswerMark {
  const code = refusalOf(outcome)?.code ?? null;
  return { kind: outcome.kind, code, revealed: outcome.kind === "result" ? outcome.revealed : [] };
}

interface LastReply {
  reply: AIMessage | undefined;
  since: readonly BaseMessage[];
}

/** Returns the model's last reply, and the messages after it. */
export function lastReply(messages: readonly BaseMessage[]): LastReply {
  for (let at = messages.length - 1; at >= 0; at--) {
    const reply = messages[at];
    if (AIMessage.isInstance(reply)) return { reply, since: messages.slice(at + 1) };
  }
  return { reply: undefined, since: messages };
}

/** Returns the number of replies since the user's last message, at least 1. */
export function stepOf(messages: readonly BaseMessage[]): number {
  let step = 0;
  for (let at = messages.length - 1; at >= 0 && messages[at]!.getType() !== "human"; at--) {
    if (AIMessage.isInstance(messages[at])) step += 1;
  }
  return Math.max(step, 1);
}

/** Returns the number of successive replies, up to the last one, in which every call was refused. */
export function refusedReplies(messages: readonly BaseMessage[]): number {
  let replies = 0;
  let answers: ToolMessage[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (ToolMessage.isInstance(message)) answers.push(message);
    else if (AIMessage.isInstance(message) && answers.length > 0 && answers.every(isRefusal)) {
      replies += 1;
      answers = [];
    } else break;
  }
  return replies;
}

function isRefusal({ response_metadata: about }: ToolMessage): boolean {
  const { toolsift } = (about ?? {}) as { toolsift?: Partial<AnswerMark> };
  return typeof toolsift?.code === "string";
}
