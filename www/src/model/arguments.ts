/** Arguments for a call: what a person typed into a form, or the smallest ones that a schema accepts. */
import { isRecord, parseJson, type JsonRecord } from "./json.ts";
import type { Field } from "./surface.ts";

/** What stands in the form, by argument. */
export type Typed = Record<string, string | boolean>;

/** The arguments as the model would write them; what was left empty is left out. */
export function argumentsOf(fields: readonly Field[], typed: Typed): JsonRecord {
  const result: JsonRecord = {};
  for (const field of fields) {
    const value = typed[field.name];
    if (value === undefined || value === "" || value === false) continue;
    result[field.name] = typeof value === "boolean" ? value : valueOf(field, value);
  }
  return result;
}

/** A number or a JSON value that cannot be read stays the text it is: the tool then says what is wrong with it. */
function valueOf(field: Field, value: string): unknown {
  switch (field.kind) {
    case "list":
      return value.split(/[\s,]+/).filter(Boolean);
    case "number":
      return Number.isFinite(Number(value)) ? Number(value) : value;
    case "json":
      return parseJson(value) ?? value;
    default:
      return value;
  }
}

const MAX_DEPTH = 4;

/** Arguments with every required property, as a starting point for a call; each text is `text`. */
export function sampleArguments(schema: JsonRecord, text = "example"): JsonRecord {
  const sample = sampleOf(schema, { root: schema, text }, 0);
  return isRecord(sample) ? sample : {};
}

interface Sample {
  root: JsonRecord;
  text: string;
}

function sampleOf(schema: JsonRecord, sample: Sample, depth: number): unknown {
  const { root, text } = sample;
  const [target, type] = [resolve(schema, root), typeOf(resolve(schema, root))];
  if ("default" in target) return target["default"];
  if ("const" in target) return target["const"];
  if (Array.isArray(target["enum"]) && target["enum"].length > 0) return target["enum"][0];
  switch (type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return typeof target["minimum"] === "number" ? target["minimum"] : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return isRecord(target["items"]) && depth < MAX_DEPTH ? [sampleOf(target["items"], sample, depth + 1)] : [];
    default:
      return sampleObject(target, sample, depth);
  }
}

function sampleObject(schema: JsonRecord, sample: Sample, depth: number): JsonRecord {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const result: JsonRecord = {};
  for (const [name, property] of Object.entries(properties)) {
    if (required.includes(name) && depth < MAX_DEPTH) {
      result[name] = isRecord(property) ? sampleOf(property, sample, depth + 1) : null;
    }
  }
  return result;
}

/** Follows a local `$ref` and takes the first of several alternatives. */
function resolve(schema: JsonRecord, root: JsonRecord): JsonRecord {
  const reference = schema["$ref"];
  if (typeof reference === "string" && reference.startsWith("#/")) {
    let at: unknown = root;
    for (const step of reference.slice(2).split("/")) at = isRecord(at) ? at[step] : undefined;
    if (isRecord(at) && at !== schema) return at;
  }
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  const first = Array.isArray(alternatives) ? alternatives.find(isRecord) : undefined;
  return first ?? schema;
}

function typeOf(schema: JsonRecord): unknown {
  const type = schema["type"];
  return Array.isArray(type) ? type[0] : type;
}
