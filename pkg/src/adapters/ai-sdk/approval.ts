/**
 * Checks if a call was approved: if the messages contain an approval request for the call, and a response that approves it.
 */

import type { ApprovalContext } from "./types.js";

/** Checks if the messages approve this call. */
export function isApproved({ messages, toolCallId }: ApprovalContext): boolean {
  const requests = new Set<string>();
  let approved = false;
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "tool-approval-request" && part.toolCallId === toolCallId) requests.add(part.approvalId);
      if (part.type === "tool-approval-response" && requests.has(part.approvalId)) approved ||= part.approved;
    }
  }
  return approved;
}
