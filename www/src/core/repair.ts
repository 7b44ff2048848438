/** Fixes of definitions that need no thought, so that the doctor can show them: a name that vendors take, a type that is missing. */
import { isRecord, type JsonRecord } from "../model/json.ts";

/** What stands in a definition, and what it should be. */
export interface Fix {
  before: string;
  after: string;
}

const MOST_NAME = 64;

/** The definition as it should be, and what differs; null where nothing can be mended without thought. */
export function repaired(tool: unknown): { tool: JsonRecord; fix: Fix } | null {
  if (!isRecord(tool) || typeof tool["name"] !== "string" || tool["name"] === "") return null;
  const { name, inputSchema } = tool;
  const safe = name
    .replaceAll(/[^\w-]/g, "_")
    .replace(/^(?![A-Za-z_])/, "_")
    .slice(0, MOST_NAME);
  if (safe !== name) return { tool: { ...tool, name: safe }, fix: { before: name, after: safe } };
  if (isRecord(inputSchema) && inputSchema["type"] === undefined) {
    const schema = { type: "object", ...inputSchema };
    return { tool: { ...tool, inputSchema: schema }, fix: { before: excerpt(inputSchema), after: excerpt(schema) } };
  }
  return null;
}

/** The beginning of a schema. */
function excerpt(schema: JsonRecord): string {
  const text = JSON.stringify(schema);
  return text.length > 72 ? `${text.slice(0, 72)}…` : text;
}
