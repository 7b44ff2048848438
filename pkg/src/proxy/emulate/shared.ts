/** The parts that the emulations of both vendors share. */

import { parsed } from "../../values.js";
import type { Fields } from "../../wire/fields.js";

/** What a search has found, as the backend's model reads it: written from the names alone, so that it stays the same. */
export function foundText(names: readonly string[]): string {
  if (names.length === 0) return "No tool matches.";
  return `Loaded. Call them from your next step on:\n${names.map((name) => `- ${name}`).join("\n")}`;
}

/** A tool without what belongs to tool search. */
export function backendTool(tool: Fields): Fields {
  const { defer_loading: _, allowed_callers, ...others } = tool;
  const callers = listIn(allowed_callers).filter((caller) => caller !== "direct");
  return callers.length > 0 ? { ...others, allowed_callers } : others;
}

/** An object that a text holds; undefined for any other text. */
export function parsedJson(text: string): Fields | undefined {
  const value = parsed(text);
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

/** The elements of a list; none for what is no list. */
export function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
