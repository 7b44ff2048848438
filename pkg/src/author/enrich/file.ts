/** Reads and writes enrichment files: one entry a line, so that people can read, edit and compare them. */

import { ToolSift } from "toolsift:self";
import { ToolSiftError } from "../../base/errors.js";
import type { Enrichment } from "../../types/index.js";
import { isList, kind, reasonOf } from "../../base/values.js";

/** The order of an entry's keys. Keys of other programs follow. */
const KEYS = ["name", "server", "hash", "languages", "queries", "keywords"] as const;
/** Characters that JSON does not escape, and that editors hide or treat as the end of a line. */
const UNSHOWN = /[\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Returns the entries of a file: a JSON list, or one entry a line. Unknown keys are kept.
 *
 * @throws ToolSiftError `enrichment_invalid` with the invalid line or entry; `option_invalid`, `text_invalid`
 */
export function readEnrichment(text: string): Enrichment[] {
  if (typeof text !== "string") {
    throw new ToolSiftError("option_invalid", `the text of an enrichment must be a string, got ${kind(text)}`);
  }
  check(text);
  const plain = text.replace(/^\uFEFF/, "");
  const entries = plain.trimStart().startsWith("[")
    ? (jsonOf("the list", plain) as unknown[]).map((entry, at) => ({ entry, place: `entry ${at}` }))
    : plain.split(/\r?\n/).flatMap((line, at) => {
        const place = `line ${at + 1}`;
        return line.trim() === "" ? [] : [{ entry: jsonOf(place, line), place }];
      });
  return entries.map(({ entry, place }) => {
    const { languages } = entry as Enrichment;
    if (languages === undefined || languages === null || isTexts(languages)) return entry as Enrichment;
    throw invalid(`${place}: languages must be a list of strings, got ${kind(languages)}`);
  });
}

/**
 * Returns the text of a file: one entry a line, by server, and for each server in the order of the list.
 *
 * @throws ToolSiftError `enrichment_invalid`, `option_invalid`
 */
export function writeEnrichment(entries: readonly Enrichment[]): string {
  const servers = new Map<string, string[]>();
  for (const entry of entriesOf("entries", entries)) {
    const server = entry.server ?? "";
    const lines = servers.get(server) ?? [];
    servers.set(server, lines);
    lines.push(lineOf(entry));
  }
  const sorted = [...servers].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([, lines]) => lines.map((line) => `${line}\n`)).join("");
}

/**
 * Returns the entries of an option: a list, or the text of a file.
 *
 * @throws ToolSiftError `enrichment_invalid`, `option_invalid`, `text_invalid`
 * @internal
 */
export function entriesOf(what: string, given: unknown): Enrichment[] {
  if (typeof given === "string") return readEnrichment(given);
  if (!isList(given)) throw new ToolSiftError("option_invalid", `${what} must be a list of entries, got ${kind(given)}`);
  return readEnrichment(JSON.stringify(given));
}

function lineOf(entry: Enrichment): string {
  const given = new Map(Object.entries(entry).filter(([, value]) => value !== undefined && value !== null));
  const known = KEYS.flatMap((key) => (given.has(key) ? [[key, given.get(key)] as const] : []));
  const others = [...given].filter(([key]) => !KEYS.includes(key as never));
  const line = JSON.stringify(Object.fromEntries([...known, ...others]));
  return line.replace(UNSHOWN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Checks an enrichment with the core, which reads it in the same way at registration. */
function check(enrichment: string): void {
  const sift = new ToolSift();
  try {
    sift.register([], { enrichment });
  } finally {
    sift.dispose();
  }
}

function jsonOf(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`${place}: ${reasonOf(error)}`);
  }
}

const isTexts = (value: unknown): boolean => isList(value) && value.every((one) => typeof one === "string");

const invalid = (why: string): ToolSiftError => {
  return new ToolSiftError("enrichment_invalid", `the enrichment cannot be read: ${why}`);
};
