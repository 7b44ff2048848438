/** Finds the tools that a conversation has loaded, from the items that the SDK stores. */

import type { AgentInputItem } from "@openai/agents";
import { requireMethods, listOf } from "../../base/checks.js";
import type { HistoryReport, Session } from "../../index.js";

type Result = Extract<AgentInputItem, { type: "function_call_result" }>;

/**
 * Loads in a session the tools that a stored conversation had loaded. The items are the `history` of a result or of a run's
 * state, or the items of an SDK session. Use it in a process that has not seen the conversation and has no snapshot of it.
 *
 * ```ts
 * fromAgentItems(sift.session("chat-42"), await memory.getItems());
 * ```
 *
 * @returns as `session.fromMessages`
 * @throws ToolSiftError as `session.fromMessages`
 */
export function fromAgentItems(session: Session, items: readonly AgentInputItem[]): HistoryReport {
  requireMethods("session", session, ["fromMessages"], "what sift.session(id) returns");
  const messages = listOf("items", items).map(asResponses);
  return session.fromMessages(messages, { format: "openai-responses" });
}

function asResponses(item: AgentInputItem): unknown {
  if (item?.type === "function_call") {
    return { type: item.type, call_id: item.callId, name: item.name, arguments: item.arguments };
  }
  if (item?.type !== "function_call_result") return item;
  return { type: "function_call_output", call_id: item.callId, output: textIn(item.output) };
}

function textIn(output: Result["output"]): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : [output];
  return parts.map((part) => (Object(part) as { text?: unknown }).text ?? "").join("\n");
}
