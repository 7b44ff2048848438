/**
 * What can the model do? Read from the discovery tools themselves: their names come from the settings, their arguments
 * from the schemas that were assembled, so that every profile's tools get their form without a line here.
 */
import { isRecord, type JsonRecord } from "./json.ts";
import type { WireTool } from "./wire.ts";

export type FieldKind = "text" | "list" | "number" | "flag" | "json";

/** One argument of a tool. */
export interface Field {
  name: string;
  kind: FieldKind;
  required: boolean;
  description: string;
}

export interface SurfaceTool {
  name: string;
  description: string;
  fields: Field[];
  /** The argument that says what is looked for. */
  query: Field | null;
  /** The argument that names tools. */
  names: Field | null;
  /** The argument that is handed on to the tool that is named. */
  passed: Field | null;
}

/** The discovery tools of a request, by what they do. */
export interface Surface {
  /** In the order in which the model sees them. */
  tools: SurfaceTool[];
  search: SurfaceTool | null;
  /** Loads tools by name. */
  load: SurfaceTool | null;
  /** Shows one tool. */
  describe: SurfaceTool | null;
  /** Calls one tool on the model's behalf. */
  forward: SurfaceTool | null;
}

/** `names` are those of the discovery tools. */
export function surfaceOf(names: readonly string[], sent: readonly WireTool[]): Surface {
  const tools = sent.filter((tool) => names.includes(tool.name)).map(surfaceTool);
  const byName = tools.filter((tool) => tool.names && !tool.query);
  return {
    tools,
    search: tools.find((tool) => tool.query) ?? null,
    load: byName.find((tool) => tool.names?.kind === "list") ?? null,
    describe: byName.find((tool) => tool.names?.kind === "text" && !tool.passed) ?? null,
    // Of several, the last one may call any tool.
    forward: byName.findLast((tool) => tool.names?.kind === "text" && tool.passed) ?? null,
  };
}

function surfaceTool(tool: WireTool): SurfaceTool {
  const fields = fieldsOf(tool.schema);
  return {
    name: tool.name,
    description: tool.description,
    fields,
    // What may be left out narrows an answer, and is not what is looked for.
    query: fields.find((field) => field.kind === "text" && field.required && !takesNames(field)) ?? null,
    names: fields.find(takesNames) ?? null,
    passed: fields.find((field) => field.kind === "json") ?? null,
  };
}

/** The value of an argument that names tools, in the kind that the schema asks for. */
export function namesValue(field: Field, names: readonly string[]): unknown {
  return field.kind === "list" ? [...names] : (names[0] ?? "");
}

export function fieldsOf(schema: JsonRecord): Field[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(properties).map(([name, value]) => {
    const property = isRecord(value) ? value : {};
    const description = typeof property["description"] === "string" ? property["description"] : "";
    return { name, kind: kindOf(property), required: required.includes(name), description };
  });
  // What must be given comes first.
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

function kindOf(property: JsonRecord): FieldKind {
  const items = property["items"];
  switch (property["type"]) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "flag";
    case "array":
      return isRecord(items) && items["type"] === "string" ? "list" : "json";
    default:
      return "json";
  }
}

function takesNames(field: Field): boolean {
  return (field.kind === "text" || field.kind === "list") && /name/i.test(field.name);
}
