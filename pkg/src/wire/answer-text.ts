/**
 * Converts a tool's answer to text for the model: text as it is, texts of MCP's content, anything else as JSON. Images, audio
 * and files are named with their type and size: as base64 text they would cost tokens and say nothing.
 */

import { isList, parsed } from "../base/values.js";

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

/** Whether it is what MCP's `tools/call` answers. Other answers may have a `content` too: a page of records, say. */
export function isMcpResult(value: unknown): value is McpResult {
  if (typeof value !== "object" || value === null) return false;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every((part) => typeof (part as Part | null)?.type === "string");
}

/** Whether a tool's answer says that the tool failed, as MCP's do. */
export function saysError(value: unknown): boolean {
  return isMcpResult(value) && value.isError === true;
}

/**
 * The answer as text. Of MCP's content, texts stand on lines of their own, images, audio and files as placeholders, and the
 * rest as JSON. Structured data that no text repeats stand behind the content.
 */
export function textOf(value: unknown): string {
  return wellFormed(plainText(value));
}

/** Halves of surrogate pairs make a request one that vendors refuse. */
const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

function plainText(value: unknown): string {
  if (typeof value === "string") return withoutDataUrl(value);
  if (value === undefined || value === null) return "";
  if (!isMcpResult(value)) return jsonOf(value);
  return partsOf(value).map(partText).join("\n");
}

/** The content of an answer, with the structured data that no text of it repeats as its last text. */
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

/** A value that is not JSON is written as JavaScript writes it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, withoutBytes) ?? String(value);
  } catch {
    return String(value);
  }
}

/** A data URL that is longer than a small icon's. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,200};base64,(?=[^]{400})/;

function withoutDataUrl(text: string): string {
  const [head, type = "data"] = DATA_URL.exec(text) ?? [];
  return head === undefined ? text : placeholder(type, text.slice(head.length));
}

/** For `JSON.stringify`: data URLs and byte arrays are named with their type and size, too. */
export function withoutBytes(_: string, value: unknown): unknown {
  if (typeof value === "string") return withoutDataUrl(value);
  if (ArrayBuffer.isView(value)) return sized("data", value.byteLength);
  const { type, data } = Object(value) as { type?: unknown; data?: unknown };
  // A Buffer of Node writes itself in this form.
  return type === "Buffer" && Array.isArray(data) ? sized("data", data.length) : value;
}

/**
 * Whether the data of an answer stand in its content: alone, in any order of keys, or within other words. SDKs of servers wrap
 * what is no object as `{ result }`, and write the items of a list as texts of their own; servers of files wrap the content.
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
