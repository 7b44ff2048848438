/** What is pinned of a definition: everything that a model reads or a client decides by. The hash of it says that two are one. */

import { pinnedMeta, SEARCH_FIELDS } from "./search-words.js";
import type { ServerTool } from "./server-tool.js";
import { isTimeNear, settled } from "./shifting.js";
import { sha256 } from "./sha256.js";
import { counter, MAX_DEPTH } from "./walk.js";

/** A definition as it was pinned. */
export interface Pinned {
  hash: string;
  /** When it was read, in the form of ISO 8601. */
  seen: string;
  /** Missing where it was too large to keep: every other definition is another one then. */
  definition?: object;
  /** How often it was read while numbers in it may be seen to shift. */
  readings?: number;
  /** The numbers that were seen to shift, as places of texts and their order in these. */
  shifting?: string[];
}

/** The parts of a definition of MCP that are pinned. Icons, `execution` and the rest of `_meta` tell a model nothing. */
const PARTS = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;
/** What other vendors' forms call these parts, and what a definition says of its own deferral. */
const OTHER_FORMS = ["input_schema", "parameters", "parametersJsonSchema", "function", "deferral", "defer_loading"];
/** The parts that are pinned in any vendor's form, with words for the search. */
export const ALL_PARTS: readonly string[] = [...PARTS, ...OTHER_FORMS, ...SEARCH_FIELDS];

/** How a value is compared: as it is, as prose, as values that a schema names, or as a schema and what stands in it. */
export type Form = "plain" | "prose" | "values" | "schema" | "names" | "set" | "sets";

const FORMS: Readonly<Record<string, Form>> = {
  ...{ description: "prose", title: "prose" },
  ...{ default: "values", examples: "values", const: "plain" },
  ...{ properties: "names", patternProperties: "names", $defs: "names", definitions: "names", dependentSchemas: "names" },
  ...{ required: "set", enum: "set", type: "set", anyOf: "set", oneOf: "set", allOf: "set", propertyOrdering: "set" },
  dependentRequired: "sets",
};
const WHOLE: readonly string[] = ["name", "_meta", "deferral", "defer_loading", ...SEARCH_FIELDS];

/** The form of a part of a definition, or of what stands under a key. */
export function formOf(key: string, within: Form | "tool"): Form {
  if (within === "tool" && WHOLE.includes(key)) return "plain";
  if (within === "names") return "schema";
  if (within === "sets") return "set";
  // The schemas in a list of some.
  if (within === "set") return "schema";
  return within === "schema" || within === "tool" ? (Object.hasOwn(FORMS, key) ? FORMS[key]! : "schema") : within;
}

/** A definition with only the parts that are pinned. */
export function pinnedParts(tool: object, parts: readonly string[] = PARTS): ServerTool {
  const fields = tool as Record<string, unknown>;
  const kept = parts.filter((part) => fields[part] !== undefined).map((part) => [part, fields[part]]);
  const meta = pinnedMeta(fields["_meta"]);
  return Object.fromEntries(meta === undefined ? kept : [...kept, ["_meta", meta]]) as ServerTool;
}

/**
 * The SHA-256 of a definition, in hexadecimal. The order of keys and of sets does not matter, nor do times near now in what is
 * said. Undefined for a definition that is nested deeper than 256 levels, or holds more than a million values.
 */
export function pinnedHash(tool: object, now = Date.now()): string | undefined {
  const text = canonical(pinnedParts(tool, ALL_PARTS), "tool", now);
  return text === undefined ? undefined : sha256(text);
}

/** A value as text, with sorted keys and sets. Undefined where it is nested too deep, or too large. */
export function canonical(value: unknown, form: Form | "tool", now: number): string | undefined {
  const fits = counter();
  const write = (value: unknown, depth: number, form: Form | "tool"): string | undefined => {
    const isSaid = form === "prose" || form === "values";
    if (isSaid && typeof value === "string") return JSON.stringify(settled(value, now));
    if (isSaid && typeof value === "number" && isTimeNear(value, now)) return '"\uffff"';
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
    if (depth >= MAX_DEPTH) return undefined;
    if (Array.isArray(value)) {
      if (!fits(value.length)) return undefined;
      const items: string[] = [];
      for (let at = 0; at < value.length; at++) {
        const text = write(value[at], depth + 1, formOf("", form));
        if (text === undefined) return undefined;
        items.push(text);
      }
      return `[${(form === "set" ? items.sort() : items).join(",")}]`;
    }
    const object = value as Record<string, unknown>;
    // The parts of a definition stand in an order of their own.
    const keys = form === "tool" ? Object.keys(object) : Object.keys(object).sort();
    if (!fits(keys.length)) return undefined;
    const fields: string[] = [];
    for (const key of keys) {
      if (object[key] === undefined) continue;
      const text = write(object[key], depth + 1, formOf(key, form));
      if (text === undefined) return undefined;
      fields.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${fields.join(",")}}`;
  };
  return write(value, 0, form);
}
