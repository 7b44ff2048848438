/** What does the model read of what a tool answered? Text: as it is, out of MCP's content, or as JSON. */

interface McpResult {
  content: readonly unknown[];
  structuredContent?: unknown;
  isError?: unknown;
}

/** Whether it is what MCP's `tools/call` answers. */
export function isMcpResult(value: unknown): value is McpResult {
  return typeof value === "object" && value !== null && Array.isArray((value as { content?: unknown }).content);
}

/** Whether a tool's answer says that the tool failed, as MCP's do. */
export function saysError(value: unknown): boolean {
  return isMcpResult(value) && value.isError === true;
}

/**
 * The answer as text. Of MCP's content, texts stand on lines of their own, and what is no text (images, resources) stands
 * there as JSON; where there is no content, what is structured does.
 */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (!isMcpResult(value)) return jsonOf(value);
  const { content, structuredContent } = value;
  if (content.length === 0 && structuredContent !== undefined) return jsonOf(structuredContent);
  return content.map(partText).join("\n");
}

function partText(part: unknown): string {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? text : jsonOf(part);
}

/** What is no JSON is written as JavaScript writes it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
