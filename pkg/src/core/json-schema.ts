/**
 * Converts the schemas of schema libraries to JSON Schema, by the methods of the schemas: Standard JSON Schema (Zod 4,
 * ArkType, Valibot by `toStandardJsonSchema`), methods of older versions, and AI SDK's wrapper. No library is imported.
 */

import { ToolSiftError } from "../base/errors.js";
import { isList, kind, reasonOf } from "../base/values.js";

/** A JSON Schema as an object. Its contents are checked at registration. */
export type JsonSchema = Record<string, unknown>;

/** The JSON Schema draft: MCP's default. Anthropic requires it, and the other vendors accept it. */
const TARGET = "draft-2020-12";
/** The mark of AI SDK's `jsonSchema()`, `zodSchema()` and `asSchema()`. */
const AI_SDK = Symbol.for("vercel.ai.schema");

/** The members of a library's schema. Each can be missing. */
interface LibrarySchema {
  /** JSON Schema's own key. */
  $schema?: unknown;
  "~standard"?: { vendor?: unknown; jsonSchema?: { input?: unknown } };
  /** Zod 4. */
  toJSONSchema?: unknown;
  _zod?: unknown;
  /** ArkType; `in` is the type of its input. */
  toJsonSchema?: unknown;
  in?: unknown;
  /** AI SDK. */
  jsonSchema?: unknown;
  [AI_SDK]?: unknown;
}

/**
 * Returns the JSON Schema of a tool's parameters. If a schema transforms values or has defaults, it is that of the input.
 *
 * @param value a JSON Schema object, which is returned unchanged; a schema of Zod 4 or ArkType; any Standard Schema that
 * converts to JSON Schema; the result of AI SDK's `jsonSchema()` or `asSchema()`
 * @param where the place of the schema for error messages, such as `options.tools.weather.inputSchema`
 * @throws ToolSiftError `schema_invalid` for any other value, and for a schema that its library cannot convert; the message
 * names the library and states what to pass instead
 */
export function toJsonSchema(value: unknown, where: string): JsonSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || isList(value)) {
    throw invalid(`${where} must be a JSON Schema object or a schema of a library, got ${kind(value)}`);
  }
  const schema = value as LibrarySchema;
  // The result of Zod's `z.toJSONSchema` is both JSON Schema and a Standard Schema.
  if (typeof schema.$schema === "string") return value as JsonSchema;
  const vendor = vendorOf(schema);
  if (vendor !== undefined) return converted(schema, vendor, where);
  if (schema[AI_SDK] === true) return settled(schema.jsonSchema, "AI SDK", where);
  if (isThenable(schema)) throw invalid(`${where} is a promise; await it`);
  if (typeof value === "function") throw invalid(`${where} is a function; pass the schema that it returns`);
  const [field] = Object.entries(schema).find(([, inner]) => vendorOf(inner) !== undefined) ?? [];
  if (field === undefined) return value as JsonSchema;
  const advice = "pass the library's object schema, such as z.object({ … })";
  throw invalid(`${where} is an object of schemas (${JSON.stringify(field.slice(0, 80))} is one); ${advice}`);
}

/** Returns the library of a schema; undefined if the value is no Standard Schema. */
function vendorOf(value: unknown): string | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const vendor = (value as LibrarySchema)["~standard"]?.vendor;
  return typeof vendor === "string" ? vendor.slice(0, 80) : undefined;
}

function converted(schema: LibrarySchema, vendor: string, where: string): JsonSchema {
  const convert = converterOf(schema);
  if (convert === undefined) {
    throw invalid(`${where} is a schema of ${vendor} that offers no JSON Schema; ${adviceOn(schema, vendor)}`);
  }
  let answer: unknown;
  try {
    answer = convert();
  } catch (cause) {
    const message = `${where}: ${vendor} cannot convert the schema to JSON Schema: ${reasonOf(cause).slice(0, 300)}`;
    throw new ToolSiftError("schema_invalid", `${message}; change the schema, or pass JSON Schema`, { cause });
  }
  // The draft is MCP's default, which need not be stated with every tool.
  const { $schema: _, ...rest } = settled(answer, vendor, where);
  return rest;
}

function converterOf(schema: LibrarySchema): (() => unknown) | undefined {
  const standard = schema["~standard"]?.jsonSchema;
  if (has(standard, "input")) return () => standard.input({ target: TARGET });
  if (has(schema, "toJSONSchema")) return () => schema.toJSONSchema({ target: TARGET, io: "input" });
  const input = schema.in ?? schema;
  return has(input, "toJsonSchema") ? () => input.toJsonSchema() : undefined;
}

function has<K extends string>(value: unknown, method: K): value is Record<K, (options?: object) => unknown> {
  return typeof (value as Record<K, unknown> | null | undefined)?.[method] === "function";
}

/** Returns advice for a schema that cannot be converted, by its library. */
function adviceOn(schema: LibrarySchema, vendor: string): string {
  if (vendor === "zod" && "_zod" in schema) return 'pass z.toJSONSchema(schema, { io: "input" })';
  if (vendor === "zod") return "use Zod 4, or pass zodToJsonSchema(schema) of zod-to-json-schema";
  if (vendor === "valibot") return 'pass toJsonSchema(schema, { typeMode: "input" }) of @valibot/to-json-schema';
  return "pass JSON Schema";
}

/** Returns the result of a conversion, which must not be a promise. */
function settled(answer: unknown, vendor: string, where: string): JsonSchema {
  if (isThenable(answer)) {
    throw invalid(`${where}: ${vendor} gives the JSON Schema as a promise; await it, and pass what it resolves to`);
  }
  if (typeof answer === "object" && answer !== null && !isList(answer)) return answer as JsonSchema;
  throw invalid(`${where}: ${vendor} gives ${kind(answer)} as JSON Schema; pass a JSON Schema object`);
}

function isThenable(value: unknown): boolean {
  return has(value, "then");
}

function invalid(message: string): ToolSiftError {
  return new ToolSiftError("schema_invalid", message);
}
