/** Anthropic's Messages API: calls and answers are blocks of content. */

import type { Answer, ModelCall } from "../types/index.js";
import { parsed } from "../base/values.js";
import type { Choice, Reply } from "./api.js";
import { objectOf } from "./arguments.js";
import { type Fields, fieldsOf, definedFields, objectsIn, textIn, textOf } from "./fields.js";
import { cutOff, entriesIn, objectIn } from "./reply.js";

/** The reasons for which a reply ends too early, each with advice for the model. */
const CUT_OFF = new Map<unknown, string>([
  ["max_tokens", " Make it shorter."],
  ["model_context_window_exceeded", " Make it shorter."],
  ["refusal", ""],
  ["stop_sequence", ""],
]);

/** Returns the name by which the model calls a tool of a request; undefined for an MCP toolset. */
export function nameOf(tool: object): string | undefined {
  return textIn((tool as Fields)["name"]);
}

/** Returns the tool that a choice names, and its demand for a call. */
export function choiceIn(choice: unknown): Choice {
  const { type, name } = fieldsOf(choice);
  const demands = type === "any" || type === "tool" ? "demanded" : "free";
  return { named: type === "tool" ? [textIn(name) ?? []].flat() : [], choice: type === "none" ? "none" : demands };
}

/** Returns a choice without its demand for a call. */
export function freed(choice: unknown): unknown {
  const { disable_parallel_tool_use: single } = fieldsOf(choice);
  if (choiceIn(choice).choice !== "demanded") return choice;
  return { type: "auto", ...(single === undefined ? {} : { disable_parallel_tool_use: single }) };
}

/** Returns the blocks of a system prompt, which may be one text, with the prompt section as the last block. */
export function withPrompt<B>(
  own: readonly B[] | string | undefined,
  section: string,
  written: (block: { type: "text"; text: string }) => B,
): B[] {
  const block = (text: string): B => written({ type: "text", text });
  const blocks = typeof own === "string" ? (own ? [block(own)] : []) : own;
  return [...(blocks ?? []), block(section)];
}

/** Reads a message of the model. */
export function read(message: object): Reply | undefined {
  const { content } = fieldsOf(message);
  if (!Array.isArray(content)) return undefined;
  return { calls: callsIn(message), messages: sendable(content), text: textOf(content) };
}

/** Returns the calls of a reply. A call in which the reply was cut off has `broken`, even if it looks complete. */
export function callsIn(message: object): ModelCall[] {
  const { content, stop_reason } = objectIn("message", message);
  const blocks = entriesIn("content", content);
  return blocks.flatMap((block, at): ModelCall[] => {
    if (block["type"] !== "tool_use") return [];
    const { id, name, input: args } = block as { id: string; name: string; input: unknown };
    const isCut = at === blocks.length - 1 && CUT_OFF.has(stop_reason);
    return [{ id, name, args, ...(isCut ? { broken: cutOff(stop_reason, CUT_OFF.get(stop_reason)) } : {}) }];
  });
}

/**
 * Returns a reply in the form that the API accepts back. A reply may have empty texts, or be empty; the API accepts neither.
 * An input that could not be read becomes empty; the answer to the call has the reason.
 */
function sendable(content: readonly unknown[]): object[] {
  const blocks = objectsIn(content)
    .filter(({ type, text }) => type !== "text" || String(text).trim() !== "")
    .map((block) => (block["type"] === "tool_use" ? { ...block, input: objectOf(block["input"]) } : block));
  return blocks.length === 0 ? [] : [{ role: "assistant", content: blocks }];
}

/**
 * Returns the message that answers all calls of a reply, in order. A result with references cannot have text, so the text
 * follows after all results.
 *
 * @param namesOf returns the deferred tools that a call loaded, to which its result refers
 * @param reply the content with the calls
 */
export function answersOf(
  answers: readonly Answer[],
  namesOf: (answer: Answer) => readonly string[] = () => [],
  reply: unknown = [],
) {
  const texts: Text[] = [];
  const isOpen = hasOpenCall(objectsIn(reply));
  const results = answers.map((answer) => {
    const references = namesOf(answer).map((tool_name) => ({ type: "tool_reference" as const, tool_name }));
    const refers = references.length > 0;
    if (refers && !isOpen) texts.push(...textBlocks(answer.content));
    const said = refers ? references : contentOf(answer);
    return {
      type: "tool_result" as const,
      tool_use_id: answer.call.id ?? "",
      ...(said === "" ? {} : { content: said }),
      ...(answer.isError && !refers ? { is_error: true } : {}),
    };
  });
  return [{ role: "user" as const, content: [...results, ...texts] }];
}

/** Checks if a tool of Anthropic's servers runs only with the next request. Text after the results would end its turn. */
function hasOpenCall(content: readonly Fields[]): boolean {
  const answered = new Set(content.map(({ tool_use_id }) => tool_use_id));
  return content.some(({ type, id }) => type === "server_tool_use" && !answered.has(id));
}

interface Text {
  type: "text";
  text: string;
}

interface Picture {
  type: "image";
  source: { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string };
}

/** Returns the content of an answer. The API accepts only text for errors. */
function contentOf({ content, parts }: Answer): string | (Text | Picture)[] {
  if (parts === undefined) return content;
  return parts.flatMap(({ text, image }): (Text | Picture)[] => {
    if (image === undefined) return textBlocks(text);
    const media_type = image.mimeType as Picture["source"]["media_type"];
    return [{ type: "image", source: { type: "base64", media_type, data: image.data } }];
  });
}

/** Returns the blocks of a text. The API refuses empty blocks. */
function textBlocks(text: string): Text[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** A block of a reply, as far as it has arrived. */
interface Open {
  block: Record<string, unknown>;
  /** The JSON text of its input. */
  json: string;
}

/** The blocks of a stream, joined delta by delta. */
export class Pieces {
  readonly #blocks = new Map<unknown, Open>();
  #head: Fields = {};
  #end: Fields = {};
  #usage: Fields = {};
  #isOver = false;

  add(event: object): void {
    const { type, index, message, content_block, delta, usage } = event as Fields;
    if (type === "message_start") {
      this.#head = fieldsOf(message);
      this.#usage = definedFields(fieldsOf(this.#head["usage"]));
    }
    if (type === "content_block_start") this.#blocks.set(index, { block: { ...fieldsOf(content_block) }, json: "" });
    if (type === "content_block_delta") grow(this.#blocks.get(index), fieldsOf(delta));
    if (type === "message_delta") {
      this.#end = { ...this.#end, ...definedFields(fieldsOf(delta)) };
      this.#usage = { ...this.#usage, ...definedFields(fieldsOf(usage)) };
    }
    if (type === "message_stop") this.#isOver = true;
  }

  /** Returns the block at an index, as far as it has arrived. */
  blockAt(index: unknown): Fields | undefined {
    return this.#blocks.get(index)?.block;
  }

  /** The usage of the reply so far. */
  get usage(): Fields {
    return this.#usage;
  }

  get reply(): Fields | undefined {
    if (!this.#isOver) return undefined;
    return { ...this.#head, content: [...this.#blocks.values()].map(whole), ...this.#end, usage: this.#usage };
  }
}

/** Adds a delta to a block. */
function grow(open: Open | undefined, { type, text, thinking, signature, partial_json, citation }: Fields): void {
  if (open === undefined) return;
  const { block } = open;
  const add = (key: string, piece: unknown) => {
    block[key] = `${textIn(block[key]) ?? ""}${textIn(piece) ?? ""}`;
  };
  if (type === "text_delta") add("text", text);
  else if (type === "thinking_delta") add("thinking", thinking);
  else if (type === "signature_delta") block["signature"] = signature;
  else if (type === "input_json_delta") open.json += textIn(partial_json) ?? "";
  else if (type === "citations_delta") block["citations"] = [...objectsIn(block["citations"]), citation];
}

/** Returns a block with its parsed input. An input that is no JSON stays text; its call is refused with the reason. */
function whole({ block, json }: Open): Fields {
  if (json === "") return block;
  const input = parsed(json);
  return { ...block, input: input === undefined ? json : input };
}
