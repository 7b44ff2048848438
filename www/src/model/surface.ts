/**
 * What can the model do? Read from the discovery tools themselves: their names come from the profile, their arguments
 * from the schemas that were assembled, so that another profile's tools get their form without a line here.
 */
import type { ProfileInfo } from "toolsift";
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
}

/** The discovery tools of a request, in the order in which the model sees them. */
export function surfaceOf(profile: ProfileInfo, tools: readonly WireTool[]): SurfaceTool[] {
  return tools
    .filter((tool) => profile.surface.includes(tool.name))
    .map((tool) => {
      const fields = fieldsOf(tool.schema);
      return {
        name: tool.name,
        description: tool.description,
        fields,
        query: fields.find((field) => field.kind === "text" && !takesNames(field)) ?? null,
        names: fields.find(takesNames) ?? null,
      };
    });
}

/** The tool that loads others by name; one that also takes arguments for them would run them instead. */
export function loaderOf(surface: readonly SurfaceTool[]): SurfaceTool | null {
  const loads = (tool: SurfaceTool) => tool.names && !tool.query && tool.fields.every((field) => field.kind !== "json");
  return surface.find(loads) ?? null;
}

export function searcherOf(surface: readonly SurfaceTool[]): SurfaceTool | null {
  return surface.find((tool) => tool.query) ?? null;
}

/** The value of an argument that names one tool, in the kind that the schema asks for. */
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
