/** Compares definitions with pinned ones: the parts that a model reads or a client decides by, and their hash. */

import { sha256 } from "../base/sha256.js";
import { isObject } from "../wire/fields.js";

/** One tool as its server wrote it. Keys that are not named here are kept, and are listed too. */
export interface ServerTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  icons?: unknown;
  execution?: unknown;
  _meta?: unknown;
}

/** A definition as it was pinned. */
export interface Pinned {
  hash: string;
  /** The time when it was read, in ISO 8601. */
  seen: string;
  /** Undefined if it was too large to store: then every other definition counts as changed. */
  definition?: object;
}

/** The maximum depth of a definition: deeper parts are neither shown nor pinned. */
export const MAX_DEPTH = 256;

/** The fields of a definition with search words, which people do not read. */
export const SEARCH_FIELDS = ["searchHint", "search_hint", "searchKeywords", "searchQueries", "tags", "category"] as const;
/** The keys of a server's `_meta` with search words, and the key that asks to send its tool with every request. */
const META = ["anthropic/searchHint", "toolsift/search"] as const;
const ALWAYS = "anthropic/alwaysLoad";

/** Returns the search words in `_meta`. */
export const searchMeta = (meta: unknown): unknown[] => META.map((key) => (Object(meta) as Record<string, unknown>)[key]);

/** The additional fields of a skill. */
const OF_A_SKILL = ["kind", "text", "tools"];

/**
 * The pinned parts of a definition, in the forms of MCP and of other vendors, including the fields on deferral and search.
 * Icons, `execution` and the rest of `_meta` have no effect on a model. The order of the parts decides the hash: with
 * another order, stored pins without a definition match nothing.
 */
const PARTS: readonly string[] = [
  ...["name", "title", "description", "inputSchema", "outputSchema", "annotations"],
  ...["input_schema", "parameters", "parametersJsonSchema", "function", "deferral", "defer_loading"],
  ...SEARCH_FIELDS,
  ...OF_A_SKILL,
];
/** The parts with parameters. */
const PARAMETERS = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];
/** The keys under which names may be added: optional parameters, and schemas that no pinned part refers to. */
const GROWING_NAMES = ["properties", "$defs", "definitions"];
/** The keys of lists to which values may be added. */
const GROWING_SETS = ["enum", "anyOf", "oneOf", "propertyOrdering"];

/** How a value is compared: exactly (`plain`), as text without times (`said`), or as a schema or a part of one. */
type Form = "tool" | "plain" | "said" | "schema" | "names" | "set" | "sets";

const FORMS: Readonly<Record<string, Form>> = {
  ...{ description: "said", title: "said", default: "said", examples: "said", const: "plain" },
  ...{ properties: "names", patternProperties: "names", $defs: "names", definitions: "names", dependentSchemas: "names" },
  ...{ required: "set", enum: "set", type: "set", anyOf: "set", oneOf: "set", allOf: "set", propertyOrdering: "set" },
  dependentRequired: "sets",
};
const WHOLE: readonly string[] = ["name", "_meta", "deferral", "defer_loading", ...SEARCH_FIELDS, ...OF_A_SKILL];

/** Returns the form of a definition's part, or of the value under a key. */
function formOf(key: string, within: Form): Form {
  if (within === "tool" && WHOLE.includes(key)) return "plain";
  // Named schemas, and schemas in a list.
  if (within === "names" || within === "set") return "schema";
  if (within === "sets") return "set";
  return within === "schema" || within === "tool" ? (Object.hasOwn(FORMS, key) ? FORMS[key]! : "schema") : within;
}

/** Returns only the pinned parts of a definition. `alwaysLoad` is included only if it is true. */
export function pinnedParts(tool: object): object {
  const fields = tool as Record<string, unknown>;
  const kept = PARTS.filter((part) => fields[part] !== undefined).map((part) => [part, fields[part]]);
  const meta = Object(fields["_meta"]) as Record<string, unknown>;
  const said = [...META, ALWAYS].filter((key) => (key === ALWAYS ? meta[key] === true : meta[key] !== undefined));
  const more = said.length === 0 ? [] : [["_meta", Object.fromEntries(said.map((key) => [key, meta[key]]))]];
  return Object.fromEntries([...kept, ...more]) as object;
}

/**
 * Returns the SHA-256 of a definition, in hexadecimal. It ignores the order of keys and sets, and in descriptive texts also
 * times near the given ones. Undefined for a definition that is nested deeper than 256 levels.
 *
 * @param readings the times when the definition was read, in ms since 1970
 */
export function pinnedHash(tool: object, readings: readonly number[] = [Date.now()]): string | undefined {
  const text = canonical(pinnedParts(tool), "tool", readings);
  return text === undefined ? undefined : sha256(text);
}

/** Returns the pin of a definition that is read now. */
export function firstPin(tool: object, hash: string): Pinned {
  return { hash, seen: new Date().toISOString(), definition: pinnedParts(tool) };
}

/**
 * Checks if a definition is the pinned one. It may have additions: optional parameters, and values of an `enum`.
 *
 * @param hash the definition's hash
 * @returns the tool without the additions, and their paths in `added`, such as `inputSchema.properties.limit`; undefined for
 *   another definition
 */
export function asPinned<T extends object>(pin: Pinned, tool: T, hash: string): { tool: T; added: string[] } | undefined {
  if (pin.hash === hash) return { tool, added: [] };
  const before = pin.definition as Record<string, unknown> | undefined;
  if (before === undefined) return undefined;
  const [then, now] = [Date.parse(pin.seen), Date.now()];
  const parts = pinnedParts(tool) as Record<string, unknown>;
  const isOther = (key: string, is: unknown) => !isSamePart(before[key], is, formOf(key, "tool"), then, now);
  const others = [...new Set([...Object.keys(before), ...Object.keys(parts)])].filter((key) => isOther(key, parts[key]));
  if (others.length === 0) return { tool, added: [] };
  if (!others.every((key) => key === "function" || PARAMETERS.includes(key))) return undefined;
  const added: string[] = [];
  const rest = without(before, parts, "tool", [], then, added) as Record<string, unknown>;
  const isSame = added.length > 0 && !others.some((key) => isOther(key, rest[key]));
  return isSame ? { tool: { ...tool, ...rest }, added } : undefined;
}

/** Checks if a part of a definition is unchanged. A time near the first reading may have stayed the same or moved on. */
function isSamePart(was: unknown, is: unknown, form: Form, then: number, now: number): boolean {
  // Most parts are exactly equal.
  if (JSON.stringify(was) === JSON.stringify(is)) return true;
  if (was === undefined || is === undefined) return false;
  const text = canonical(was, form, [then]);
  return [[now], [then], [then, now]].some((readings) => canonical(is, form, readings) === text);
}

/** Returns a later value without the allowed additions, and adds their paths to `added`. */
function without(
  before: unknown,
  now: unknown,
  form: Form,
  path: readonly string[],
  then: number,
  added: string[],
  grows = false,
): unknown {
  const place = path.join(".");
  const last = path.at(-1) ?? "";
  if (Array.isArray(before) && Array.isArray(now)) {
    const inner = formOf("", form);
    if (form !== "set" || !grows || !GROWING_SETS.includes(last)) {
      return now.map((item, at) => without(before[at], item, inner, [...path, String(at)], then, added, grows));
    }
    const left = new Set(before.map((item) => canonical(item, inner, [then])));
    const known = now.filter((item) => left.delete(canonical(item, inner, [Date.now()])));
    // Items of which only parts were added keep their places.
    if (left.size > 0)
      return now.map((item, at) => without(before[at], item, inner, [...path, String(at)], then, added, grows));
    if (known.length < now.length) added.push(place);
    return known;
  }
  if (!isObject(before) || !isObject(now)) return now;
  const mayAdd = grows && form === "names" && GROWING_NAMES.includes(last);
  const isTool = form === "tool" || place === "function";
  const shown = Object.entries(now).flatMap(([key, value]) => {
    const inner = [...path, key];
    if (Object.hasOwn(before, key)) {
      const isGrowing = grows || (isTool && PARAMETERS.includes(key));
      return [[key, without(before[key], value, formOf(key, form), inner, then, added, isGrowing)]];
    }
    if (mayAdd) added.push(inner.join("."));
    return mayAdd ? [] : [[key, value]];
  });
  return Object.fromEntries(shown);
}

/** Returns a value as text, with sorted keys and sets; undefined if it is nested too deep. */
function canonical(value: unknown, form: Form, readings: readonly number[], depth = 0): string | undefined {
  if (form === "said" && typeof value === "string") return JSON.stringify(settled(value, readings));
  if (form === "said" && typeof value === "number" && readings.some((at) => isTimeNear(value, at))) return `"${MARK}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth >= MAX_DEPTH) return undefined;
  const write = (one: unknown, key: string) => canonical(one, formOf(key, form), readings, depth + 1);
  if (Array.isArray(value)) {
    const items = value.map((item) => write(item, ""));
    return items.includes(undefined) ? undefined : `[${(form === "set" ? items.sort() : items).join(",")}]`;
  }
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  // The parts of a definition already have a fixed order.
  if (form !== "tool") fields.sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = fields.map(([key, one]) => {
    const text = write(one, key);
    return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`;
  });
  return texts.includes(undefined) ? undefined : `{${texts.join(",")}}`;
}

/** The character that replaces such a time. No text contains it. */
export const MARK = "\uffff";
/** The maximum distance of such a time from a reading, in ms: it may be in any zone, or the day of the server's start. */
const NEAR_MS = 60 * 3_600_000;
/** The maximum distance of a time without a date, in minutes. */
const NEAR_MINUTES = 90;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const MONTH = `(?:${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")})`;
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?,? )?";
const CLOCK =
  "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M\\b)?(?: ?Z\\b| ?(?:UTC|GMT)(?:[+-]\\d{1,4})?\\b| ?[+-]\\d{2}:?\\d{2}\\b)?";
const TIME = `(?:,?(?: at)? ${CLOCK})?`;
/** Matches times with digits and fixed words only, so that no part of a match can address a model. */
const TIMES = new RegExp(
  [
    // 2026-11-24T13:11:47.123Z, 2026-11-24, 2026/11/24
    `\\b(?<y1>\\d{4})[-/](?<m>\\d{2})[-/](?<d1>\\d{2})(?:[T ]${CLOCK})?(?![\\w/-])`,
    // 11/24/2026, 24.11.2026
    `\\b(?<a>\\d{1,2})[/.](?<b>\\d{1,2})[/.](?<y2>\\d{4})${TIME}(?![\\w/.]\\d)`,
    // November 24th, 2026; Tue, 24 Nov 2026 13:11:47 GMT; Tue Nov 24 13:11:47 UTC 2026
    `\\b${DAY}(?:(?<n3>${MONTH}) {1,2}(?<d3>\\d{1,2})(?:st|nd|rd|th)?|(?<d4>\\d{1,2}) (?<n4>${MONTH})),?${TIME} (?<y3>\\d{4})${TIME}(?!\\w)`,
    // 13:11 UTC
    "\\b(?<h>\\d{1,2}):(?<i>\\d{2})(?::\\d{2}(?:[.,]\\d{1,9})?)? ?(?:UTC|GMT|Z)\\b(?![+-])",
    // Seconds or milliseconds since 1970
    "(?<![\\w.-])(?<epoch>[12]\\d{9}(?:\\d{3})?)(?![\\w.-])",
  ].join("|"),
  "gi",
);

/** Replaces each time near one of the readings, in ms since 1970, by a mark. */
export function settled(text: string, readings: readonly number[]): string {
  if (!/\d/.test(text)) return text;
  return text.replace(TIMES, (token: string, ...more: unknown[]) => {
    const groups = more.at(-1) as Record<string, string | undefined>;
    return readings.some((reading) => isNear(groups, reading)) ? MARK : token;
  });
}

function isNear({ y1, m, d1, a, b, y2, n3, d3, n4, d4, y3, h, i, epoch }: Record<string, string | undefined>, at: number) {
  if (epoch !== undefined) return isTimeNear(Number(epoch), at);
  if (h !== undefined) {
    const minutes = Math.abs(Number(h) * 60 + Number(i) - (Math.floor(at / 60_000) % 1_440));
    return Math.min(minutes, 1_440 - minutes) <= NEAR_MINUTES;
  }
  const isDayNear = (year: unknown, month: number, day: unknown): boolean =>
    month >= 1 && month <= 12 && Math.abs(Date.UTC(Number(year), month - 1, Number(day), 12) - at) <= NEAR_MS;
  if (y1 !== undefined) return isDayNear(y1, Number(m), d1);
  // Some formats have the month first, others the day.
  if (y2 !== undefined) return isDayNear(y2, Number(a), b) || isDayNear(y2, Number(b), a);
  const month = (n3 ?? n4 ?? "").slice(0, 3).toLowerCase();
  return isDayNear(y3, MONTHS.findIndex((name) => name.toLowerCase().startsWith(month)) + 1, d3 ?? d4);
}

/** Checks if a number is a time near another one, in seconds or ms since 1970. */
export function isTimeNear(value: number, at: number): boolean {
  return Math.abs(value - at) <= NEAR_MS || Math.abs(value * 1_000 - at) <= NEAR_MS;
}
