/**
 * Finds out whether a call was approved: the messages hold a request that names the call, and a response to that request.
 */

import type { ApprovalContext } from "./types.js";

/** Whether the messages approve this call. */
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
