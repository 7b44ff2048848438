/**
 * Converts a tool's answer to text for the model: text unchanged, the texts of MCP's content, and anything else as JSON.
 * Images, audio and files are replaced by their type and size, because as base64 they would cost tokens without any use.
 */

import { isList, parsed } from "../base/values.js";
import type { Answer } from "../types/index.js";

interface Part {
  type: string;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  resource?: unknown;
}

interface McpResult {
  content: readonly Part[];
  structuredContent?: unknown;
  isError?: unknown;
}

/** Checks if a value is a result of MCP's `tools/call`. Other values may have a `content` too, such as a page of records. */
export function isMcpResult(value: unknown): value is McpResult {
  if (typeof value !== "object" || value === null) return false;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every((part) => typeof (part as Part | null)?.type === "string");
}

/** Checks if a tool's answer states that the tool failed, as MCP's results can. */
export function saysError(value: unknown): boolean {
  return isMcpResult(value) && value.isError === true;
}

/**
 * Returns the answer as text. Of MCP's content, each text has its own lines, images, audio and files become placeholders,
 * and other parts become JSON. Structured data that no text repeats is added after the content.
 */
export function textOf(value: unknown): string {
  return wellFormed(plainText(value));
}

/** Replaces half surrogate pairs, because vendors refuse requests that contain them. */
const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

function plainText(value: unknown): string {
  if (typeof value === "string") return withoutDataUrl(value);
  if (value === undefined || value === null) return "";
  if (!isMcpResult(value)) return jsonOf(value);
  return partsOf(value).map(partText).join("\n");
}

/** Returns the content of an answer. Structured data that no text of it repeats is added as its last text. */
export function partsOf({ content, structuredContent: data }: McpResult): readonly Part[] {
  const isEmpty = typeof data === "object" && content.length > 0 && Object.keys(data ?? {}).length === 0;
  if (data === undefined || data === null || isEmpty || isRepeated(data, content, content.flatMap(textIn))) return content;
  return [...content, { type: "text", text: jsonOf(data) }];
}

function textIn({ text, resource }: Part): string[] {
  return [text, (Object(resource) as Part).text].filter((one) => typeof one === "string");
}

function partText(part: Part): string {
  const { type, text, data, mimeType, resource } = part;
  if (type === "text" && typeof text === "string") return withoutDataUrl(text);
  if (typeof data === "string") return placeholder(mimeType ?? type, data);
  const { uri, blob, mimeType: kind = "a file" } = Object(resource) as { uri?: unknown; blob?: unknown; mimeType?: unknown };
  return typeof blob === "string" ? placeholder(`${uri}, ${kind}`, blob) : jsonOf(part);
}

function placeholder(what: unknown, base64: string): string {
  return sized(what, Math.floor((base64.replace(/=+$/, "").length * 3) / 4));
}

function sized(what: unknown, bytes: number): string {
  const [amount, unit] = bytes < 1e3 ? [bytes, "bytes"] : bytes < 1e6 ? [bytes / 1e3, "KB"] : [bytes / 1e6, "MB"];
  return `(${what}, ${Number(amount.toPrecision(3))} ${unit}, not shown)`;
}

/** Returns a value as JSON, or as JavaScript's `String` writes it if JSON cannot represent it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, withoutBytes) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Matches a data URL that is longer than that of a small icon. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,200};base64,(?=[^]{400})/;

function withoutDataUrl(text: string): string {
  const [head, type = "data"] = DATA_URL.exec(text) ?? [];
  return head === undefined ? text : placeholder(type, text.slice(head.length));
}

/** Replaces data URLs and byte arrays by their type and size, for `JSON.stringify`. */
export function withoutBytes(_: string, value: unknown): unknown {
  if (typeof value === "string") return withoutDataUrl(value);
  if (ArrayBuffer.isView(value)) return sized("data", value.byteLength);
  const { type, data } = Object(value) as { type?: unknown; data?: unknown };
  // Node's Buffer converts itself to this form.
  return type === "Buffer" && Array.isArray(data) ? sized("data", data.length) : value;
}

/**
 * Checks if the structured data of an answer is already in its content: alone, with any order of keys, or within other text.
 * SDKs of servers wrap a value that is no object as `{ result }`, and write a list's items as separate texts.
 */
function isRepeated(data: unknown, content: readonly unknown[], texts: readonly string[]): boolean {
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
  // A number or a word can occur in any text by chance.
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return false;
  return text.includes(JSON.stringify(value)) || text.includes(JSON.stringify(value, undefined, 2));
}

/** Returns JSON text with sorted keys; undefined if JSON cannot represent the value. */
function sorted(value: unknown): string | undefined {
  const inOrder = (_: string, one: unknown) =>
    typeof one === "object" && one !== null && !isList(one) ? Object.fromEntries(Object.entries(one).sort()) : one;
  try {
    return JSON.stringify(value, inOrder);
  } catch {
    return undefined;
  }
}

const KINDS = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** An image, in base64. */
export interface Image {
  mimeType: (typeof KINDS)[number];
  data: string;
}

/**
 * Returns the texts and images of an answer, in order. Returns undefined if the answer has no image, is an error, or was
 * cut.
 */
export function partsWithImages({ isError, result, content }: Answer): (string | Image)[] | undefined {
  if (isError || !isMcpResult(result) || content.length < textOf(result).length) return undefined;
  const parts = partsOf(result).map((part) => imageIn(part) ?? textOf({ content: [part] }));
  if (!parts.some((part) => typeof part !== "string")) return undefined;
  return parts.filter((part) => typeof part !== "string" || part.trim() !== "");
}

function imageIn(part: unknown): Image | undefined {
  const { type, data, mimeType } = Object(part) as Record<string, unknown>;
  if (type !== "image" || typeof data !== "string" || !(KINDS as readonly unknown[]).includes(mimeType)) return undefined;
  return { mimeType: mimeType as Image["mimeType"], data };
}
