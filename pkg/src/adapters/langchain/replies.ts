/** Counts the replies of a run from its messages, and those in a row whose calls were all refused. */

import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ErrorCode, Outcome } from "../../index.js";
import { refusalOf } from "../../loop/driver.js";

/** What `response_metadata` of a message holds that answers a discovery tool or a refused call, under the key `toolsift`. */
export interface AnswerMark {
  kind: "result" | "refused";
  /** The error code of the call; null if the call was right. */
  code: ErrorCode | null;
  /** What the call revealed. */
  revealed: string[];
}

/**
 * The mark of an answer. It is not sent to the model, and kept wherever the messages are: a middleware that clears old
 * answers takes their `artifact`, and leaves this.
 */
export function markOf(outcome: Exclude<Outcome, { kind: "dispatch" }>): AnswerMark {
  const code = refusalOf(outcome)?.code ?? null;
  return { kind: outcome.kind, code, revealed: outcome.kind === "result" ? outcome.revealed : [] };
}

interface LastReply {
  reply: AIMessage | undefined;
  since: readonly BaseMessage[];
}

/** The model's last reply. */
export function lastReply(messages: readonly BaseMessage[]): LastReply {
  for (let at = messages.length - 1; at >= 0; at--) {
    const reply = messages[at];
    if (AIMessage.isInstance(reply)) return { reply, since: messages.slice(at + 1) };
  }
  return { reply: undefined, since: messages };
}

/** The number of replies since the last message of the user, from 1. */
export function stepOf(messages: readonly BaseMessage[]): number {
  let step = 0;
  for (let at = messages.length - 1; at >= 0 && messages[at]!.getType() !== "human"; at--) {
    if (AIMessage.isInstance(messages[at])) step += 1;
  }
  return Math.max(step, 1);
}

/** The number of replies in a row, up to the last one, in which every call was refused. */
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
