/** Converts a tool's answer to text for the model: text as it is, texts of MCP's content, anything else as JSON. */

interface Part {
  type: string;
  text?: unknown;
}

interface McpResult {
  content: readonly Part[];
  structuredContent?: unknown;
  isError?: unknown;
}

/** Whether it is what MCP's `tools/call` answers. Other answers may have a `content` too: a page of records, say. */
export function isMcpResult(value: unknown): value is McpResult {
  if (typeof value !== "object" || value === null) return false;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every((part) => typeof (part as Part | null)?.type === "string");
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

function partText(part: Part): string {
  const { type, text } = part;
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
