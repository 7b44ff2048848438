/** Converts a tool's answer to text for the model. The core does it; here the answer becomes JSON. */

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
export function answerText(answer: unknown): AnswerText {
  const json = jsonOf(answer ?? null);
  if (json.length > MOST_CHARS) return { text: typeof answer === "string" ? answer : json, parts: [], isError: false };
  try {
    return JSON.parse(run(() => core().Core.answerText(json))) as AnswerText;
  } catch {
    // The answer nests too deep for the core.
    return { text: json, parts: [], isError: false };
  }
}

/** Returns a value as JSON, or as JavaScript's `String` writes it if JSON cannot represent it. */
function jsonOf(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, withoutBytes);
  } catch {
    // The value is cyclic, or contains a bigint.
  }
  json ??= JSON.stringify(String(value));
  // Vendors refuse half a surrogate pair, which JSON writes as an escape.
  return json.replace(/(\\\\)|\\ud[89a-f]../g, (_, backslash?: string) => backslash ?? "\ufffd");
}

/** Replaces byte arrays by their size, for `JSON.stringify`. Node's Buffer converts itself to an object. */
function withoutBytes(_: string, value: unknown): unknown {
  const { type, data } = Object(value) as { type?: unknown; data?: unknown };
  const isBuffer = type === "Buffer" && Array.isArray(data);
  const bytes = ArrayBuffer.isView(value) ? value.byteLength : isBuffer ? data.length : undefined;
  return bytes === undefined ? value : `(data, ${bytes} bytes, not shown)`;
}
