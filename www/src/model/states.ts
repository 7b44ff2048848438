/** What a tool's state is called, and which tools are sent in full. */
import type { ToolInfo, ToolState } from "toolsift";

export const STATES: Record<ToolState, { label: string; meaning: string }> = {
  eager: { label: "eager", meaning: "in full in every request, not searched" },
  pinned: { label: "pinned", meaning: "in full from the start, and still searchable" },
  revealed: { label: "revealed", meaning: "sent in full from its reveal on" },
  deferred: { label: "deferred", meaning: "its parameters are not sent until the model asks for them" },
  hidden: { label: "out of scope", meaning: "this session can neither find nor call it" },
};

export function isSent(tool: ToolInfo): boolean {
  return tool.state === "eager" || tool.state === "pinned" || tool.state === "revealed";
}
