/** The hash of a definition: two definitions with one hash say the same to a model, to a search and to a client. */

import { pinnedMeta, SEARCH_FIELDS } from "./search-words.js";
import type { ServerTool } from "./server-tool.js";
import { settled, settledNumber } from "./shifting.js";
import { sha256 } from "./sha256.js";
import { counter, MAX_DEPTH } from "./walk.js";

/** The parts of a definition that are pinned: everything that a model reads or a client decides by. */
const PINNED = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution"] as const;
/** What other vendors' forms call these parts, and what a definition says of its own deferral. */
const OTHER_FORMS = ["input_schema", "parameters", "parametersJsonSchema", "function", "deferral", "defer_loading"];
const FIELDS = [...PINNED, ...OTHER_FORMS, ...SEARCH_FIELDS];

/** Keys of a schema under which words for people and models stand, and examples of values. */
const SAID = ["description", "title", "default", "examples"];
/** Keys of a schema whose keys are names. */
const NAMES = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** How a value is written: values that change by themselves have a mark where they are said, and stay everywhere else. */
type Form = "plain" | "schema" | "names" | "said";

const formOf = (key: string): Form => (SAID.includes(key) ? "said" : NAMES.includes(key) ? "names" : "schema");
const WHOLE: readonly string[] = ["name", "icons", "execution", "_meta", ...SEARCH_FIELDS];

/**
 * The SHA-256 of a definition, in hexadecimal. The order of keys does not matter, nor do values that change by themselves in
 * descriptions, titles, defaults and examples: times, dates, random ids and versions. Undefined for a definition that is
 * nested deeper than 256 levels, or holds more than a million values.
 */
export function pinnedHash(tool: object): string | undefined {
  return hashOf(tool, (field) =>
    WHOLE.includes(field) ? "plain" : field === "description" || field === "title" ? "said" : "schema",
  );
}

/** The hash with values that change by themselves as they are, which earlier versions pinned. */
export function wholeHash(tool: object): string | undefined {
  return hashOf(tool, () => "plain");
}

/** Whether a definition is the pinned one. */
export function isPinned(pinned: string, tool: object, hash: string): boolean {
  return pinned === hash || pinned === wholeHash(tool);
}

function hashOf(tool: object, form: (field: string) => Form): string | undefined {
  const fits = counter();
  const parts: string[] = [];
  const add = (field: string, value: unknown): boolean => {
    if (value === undefined) return true;
    const text = canonical(value, 0, fits, form(field));
    if (text !== undefined) parts.push(`${JSON.stringify(field)}:${text}`);
    return text !== undefined;
  };
  const fields = tool as Record<string, unknown>;
  const isWhole = FIELDS.every((field) => add(field, fields[field])) && add("_meta", pinnedMeta(fields["_meta"]));
  return isWhole ? sha256(`{${parts.join(",")}}`) : undefined;
}

/** A definition with only the parts that are pinned. */
export function pinnedParts(tool: ServerTool): ServerTool {
  const parts = PINNED.filter((field) => tool[field] !== undefined).map((field) => [field, tool[field]]);
  const meta = pinnedMeta(tool._meta);
  return Object.fromEntries(meta === undefined ? parts : [...parts, ["_meta", meta]]) as ServerTool;
}

/** A JSON value as text, with sorted keys. Undefined where it is nested too deep, or too large. */
function canonical(value: unknown, depth: number, fits: ReturnType<typeof counter>, form: Form): string | undefined {
  if (form === "said" && typeof value === "string") return JSON.stringify(settled(value));
  if (form === "said" && typeof value === "number") return settledNumber(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth >= MAX_DEPTH) return undefined;
  let written = "";
  if (Array.isArray(value)) {
    if (!fits(value.length)) return undefined;
    for (let at = 0; at < value.length; at++) {
      const text = canonical(value[at], depth + 1, fits, form === "names" ? "schema" : form);
      if (text === undefined) return undefined;
      written += at === 0 ? text : `,${text}`;
    }
    return `[${written}]`;
  }
  const keys = Object.keys(value).sort();
  if (!fits(keys.length)) return undefined;
  for (const key of keys) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    const text = canonical(item, depth + 1, fits, form === "schema" ? formOf(key) : form === "names" ? "schema" : form);
    if (text === undefined) return undefined;
    written += `${written === "" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `{${written}}`;
}
