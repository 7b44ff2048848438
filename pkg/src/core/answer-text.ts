/** Converts a tool's answer to text for the model. The core does it; here the answer becomes JSON. */

import { isList } from "../base/values.js";
import type { AnswerPart } from "../types/index.js";
import { run } from "./boundary.js";
import { core } from "./bindings.js";

/** A tool's answer, as text and in parts. */
export interface AnswerText {
  /** The texts of the parts on separate lines, or the answer as text or JSON. */
  text: string;
  /** The content of a result of MCP's `tools/call`; empty for other answers. */
  parts: AnswerPart[];
  /** True if the answer states that the tool failed. */
  isError: boolean;
}

/** The maximum length of an answer that is passed to the core, in characters. A longer one is sent as it is, or cut. */
const MOST_CHARS = 64 * 2 ** 20;

/** Returns a tool's answer for the model. It may be any value. */
export function readToolResult(answer: unknown): AnswerText {
  const { content, structuredContent, isError } = Object(answer) as Record<string, unknown>;
  if (typeof answer === "string" && isPlain(answer)) return { text: wellFormed(answer), parts: [], isError: false };
  if (isList(content) && content.every(isText) && (structuredContent ?? null) === null) {
    // The core would only copy the texts.
    const parts = content.map(({ text }) => ({ text: wellFormed(text) }));
    return { text: parts.map(({ text }) => text).join("\n"), parts, isError: isError === true };
  }
  const json = jsonOf(answer ?? null);
  if (json.length > MOST_CHARS) return { text: typeof answer === "string" ? answer : json, parts: [], isError: false };
  try {
    return JSON.parse(run(() => core().Core.answerText(json))) as AnswerText;
  } catch {
    // The answer nests too deep for the core.
    return { text: json, parts: [], isError: false };
  }
}

/** The core replaces data URLs. */
const isPlain = (text: string): boolean => !text.startsWith("data:");

function isText(part: unknown): part is { text: string } {
  const { type, text } = Object(part) as Record<string, unknown>;
  return type === "text" && typeof text === "string" && isPlain(text);
}

/** Replaces half surrogate pairs, because vendors refuse requests that contain them. */
const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** Returns a value as JSON, or as JavaScript's `String` writes it if JSON cannot represent it. */
function jsonOf(value: unknown): string {
  const { content, isError } = Object(value) as Record<string, unknown>;
  // A result of MCP keeps its content if its data cannot be written.
  const json =
    written(value) ?? (isList(content) ? written({ content, isError }) : undefined) ?? JSON.stringify(String(value));
  // JSON writes half a surrogate pair as an escape.
  return json.replace(/(\\\\)|\\ud[89a-f]../g, (_, backslash?: string) => backslash ?? "\ufffd");
}

function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, plain);
  } catch {
    // The value is cyclic.
    return undefined;
  }
}

/** Replaces byte arrays by their size, and bigints by their digits. Node's Buffer converts itself to an object. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  const { type, data } = Object(value) as { type?: unknown; data?: unknown };
  const isBuffer = type === "Buffer" && Array.isArray(data);
  const bytes = ArrayBuffer.isView(value) ? value.byteLength : isBuffer ? data.length : undefined;
  return bytes === undefined ? value : `(data, ${bytes} bytes, not shown)`;
}
