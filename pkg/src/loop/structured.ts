/** Finds out whether the texts of an answer repeat its structured data: MCP recommends it, and many servers only write a summary. */

import { isList, parsed } from "../base/values.js";

/**
 * Whether the data of an answer stand in its content: alone, in any order of keys, or within other words. SDKs of servers wrap
 * what is no object as `{ result }`, and write the items of a list as texts of their own; servers of files wrap the content.
 */
export function isRepeated(data: unknown, content: readonly unknown[], texts: readonly string[]): boolean {
  const inContent = [content, ...content].map(sorted);
  const stands = (value: unknown) => {
    if (texts.some((text) => holds(text, value)) || inContent.includes(sorted(value) ?? "")) return true;
    return isList(value) && value.length === texts.length && texts.every((text, at) => holds(text, value[at]));
  };
  if (stands(data)) return true;
  const values = typeof data === "object" && data !== null && !isList(data) ? Object.values(data) : [];
  return values.length > 0 && values.every(stands);
}

function holds(text: string, value: unknown): boolean {
  if (text === value) return true;
  const wanted = sorted(value);
  if (wanted === undefined) return false;
  if (sorted(parsed(text)) === wanted) return true;
  // A number or a word may stand in any text.
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return false;
  return text.includes(JSON.stringify(value)) || text.includes(JSON.stringify(value, undefined, 2));
}

/** JSON text with sorted keys; undefined for what is not JSON. */
function sorted(value: unknown): string | undefined {
  const inOrder = (_: string, one: unknown) =>
    typeof one === "object" && one !== null && !isList(one) ? Object.fromEntries(Object.entries(one).sort()) : one;
  try {
    return JSON.stringify(value, inOrder);
  } catch {
    return undefined;
  }
}
