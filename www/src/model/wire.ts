/** Reading one tool out of any wire format: the page shows them all alike, whatever a vendor calls the schema. */
import type { WireFormat } from "toolsift";
import { isRecord, type JsonRecord } from "./json.ts";

export const WIRE_FORMATS: Record<WireFormat, string> = {
  mcp: "MCP",
  openai: "OpenAI Chat",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic",
  google: "Google",
  bedrock: "Bedrock Converse",
};

export interface WireTool {
  name: string;
  description: string;
  schema: JsonRecord;
  /** The definition itself, as it is sent. */
  json: JsonRecord;
}

const SCHEMA_KEYS = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];

/** Every tool of a request, in order; Google packs all of them into one entry. */
export function wireTools(entries: readonly unknown[]): WireTool[] {
  return entries.filter(isRecord).flatMap((entry) => {
    const packed = entry["functionDeclarations"];
    return Array.isArray(packed) ? packed.filter(isRecord).map(readTool) : [readTool(entry)];
  });
}

/** A definition as a host wrote it, in any of the shapes that `register` reads. */
export function readTool(json: JsonRecord): WireTool {
  const body = [json["function"], json["toolSpec"]].find(isRecord) ?? json;
  const found = SCHEMA_KEYS.map((key) => body[key]).find(isRecord) ?? {};
  // Bedrock has the schema one level down.
  const schema = body === json["toolSpec"] && isRecord(found["json"]) ? found["json"] : found;
  return { name: text(body["name"]), description: text(body["description"]), schema, json };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
