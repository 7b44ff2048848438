/** The Converse API of Amazon Bedrock: calls and answers are blocks of content, each an object with one key. */

import type { Answer, ModelCall } from "../types.js";
import { parsed } from "../values.js";
import type { Choice, Reply } from "./api.js";
import type { Calls } from "./calls.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, textOf } from "./fields.js";
import { cutOff, entriesIn, objectIn } from "./reply.js";

/** The reasons for which a reply ends too early, each with the advice for the model. */
const CUT_OFF = new Map<unknown, string>([
  ["max_tokens", " Make it shorter."],
  ["model_context_window_exceeded", " Make it shorter."],
  ["malformed_tool_use", " Make it again."],
  ["guardrail_intervened", ""],
  ["content_filtered", ""],
  ["stop_sequence", ""],
]);

/** By which name the model calls a tool of a request; a cache point has none. */
export function nameOf(tool: object): string | undefined {
  return textIn(fieldsOf((tool as Fields)["toolSpec"])["name"]);
}

/** The name that a choice names, and whether it demands a call. */
export function choiceIn(choice: unknown): Choice {
  const { any, tool } = fieldsOf(choice);
  const named = [textIn(fieldsOf(tool)["name"]) ?? []].flat();
  return { named, choice: isObject(any) || isObject(tool) ? "demanded" : "free" };
}

/** The blocks of a system prompt, with the prompt section as the last one. */
export function withPrompt<B>(own: readonly B[], section: string, written: (block: { text: string }) => B): B[] {
  return [...own, written({ text: section })];
}

/** Reads a response. */
export function read(response: object): Reply | undefined {
  const { content } = messageOf(response);
  if (!Array.isArray(content)) return undefined;
  const { stopReason } = response as Fields;
  return { calls: callsIn(content, stopReason), messages: sendable(content), text: textOf(content) };
}

/** The message of a response. */
export function messageOf(response: object): Fields {
  return fieldsOf(fieldsOf(fieldsOf(response)["output"])["message"]);
}

function callsIn(content: unknown, stopReason: unknown): ModelCall[] {
  const blocks = entriesIn("content", content);
  return blocks.flatMap(({ toolUse }, at): ModelCall[] => {
    if (toolUse === undefined) return [];
    const {
      toolUseId: id,
      name,
      input: args,
    } = objectIn("call", toolUse) as { toolUseId: string; name: string; input: unknown };
    const isCut = at === blocks.length - 1 && CUT_OFF.has(stopReason);
    return [{ id, name, args, ...(isCut ? { broken: cutOff(stopReason, CUT_OFF.get(stopReason)) } : {}) }];
  });
}

/** A reply as the API takes it back: without empty texts, and with an object as the input of each call. */
function sendable(content: readonly unknown[]): object[] {
  const blocks = objectsIn(content)
    .filter(({ text }) => textIn(text)?.trim() !== "")
    .map((block) => {
      const call = fieldsOf(block["toolUse"]);
      return typeof call["input"] === "string" ? { ...block, toolUse: { ...call, input: {} } } : block;
    });
  return blocks.length === 0 ? [] : [{ role: "assistant", content: blocks }];
}

/** The one message that answers the calls of a reply. Some models take no status: that of an error alone is told. */
export function answersOf(answers: readonly Answer[]): object[] {
  if (answers.length === 0) return [];
  const blocks = answers.map(({ call, content, isError }) => {
    const result = { toolUseId: call.id ?? "", content: [{ text: content }] };
    return { toolResult: isError ? { ...result, status: "error" } : result };
  });
  return [{ role: "user", content: blocks }];
}

/** Reads calls from the assistant's blocks, and answers from the user's. An answer may be JSON instead of text. */
export function history(message: Fields, calls: Calls): void {
  const isModel = message["role"] === "assistant";
  for (const { toolUse, toolResult } of calls.items(message["content"])) {
    if (isModel && isObject(toolUse)) calls.call(toolUse["name"], toolUse["input"], toolUse["toolUseId"]);
    if (isModel || !isObject(toolResult)) continue;
    const { toolUseId: id, content, status } = toolResult;
    calls.answer(
      objectsIn(content).map((block) => block["json"] ?? block),
      { id, failed: status === "error" },
    );
  }
}

/** A block of a reply, as far as it has come. */
interface Open {
  block: Record<string, unknown>;
  /** The text of its input. */
  json: string;
}

/** The blocks of a stream, put together of its events: each is an object with one key, the name of the event. */
export class Pieces {
  readonly #blocks = new Map<unknown, Open>();
  #role: unknown = "assistant";
  #end: Fields = {};
  #about: Fields = {};

  add(event: object): void {
    const { messageStart, contentBlockStart, contentBlockDelta, messageStop, metadata } = event as Fields;
    if (isObject(messageStart)) this.#role = messageStart["role"] ?? this.#role;
    if (isObject(contentBlockStart))
      this.#open(contentBlockStart["contentBlockIndex"]).block = { ...fieldsOf(contentBlockStart["start"]) };
    if (isObject(contentBlockDelta))
      grow(this.#open(contentBlockDelta["contentBlockIndex"]), fieldsOf(contentBlockDelta["delta"]));
    if (isObject(messageStop)) this.#end = messageStop;
    if (isObject(metadata)) this.#about = metadata;
  }

  /** A block as far as it has come, by its index. */
  blockAt(index: unknown): Fields | undefined {
    return this.#blocks.get(index)?.block;
  }

  get reply(): Fields | undefined {
    if (this.#end["stopReason"] === undefined) return undefined;
    const content = [...this.#blocks.values()].map(whole);
    return { output: { message: { role: this.#role, content } }, ...this.#end, ...this.#about };
  }

  /** A text has no event that begins its block. */
  #open(index: unknown): Open {
    const open = this.#blocks.get(index) ?? { block: {}, json: "" };
    this.#blocks.set(index, open);
    return open;
  }
}

/** Adds a piece to a block. */
function grow(open: Open, { text, toolUse, reasoningContent }: Fields): void {
  const { block } = open;
  if (typeof text === "string") block["text"] = `${textIn(block["text"]) ?? ""}${text}`;
  if (isObject(toolUse)) open.json += textIn(toolUse["input"]) ?? "";
  if (!isObject(reasoningContent)) return;
  const { redactedContent, signature, text: thought } = reasoningContent;
  const before = fieldsOf(block["reasoningContent"]);
  const reasoning = { ...fieldsOf(before["reasoningText"]) } as Record<string, unknown>;
  if (typeof thought === "string") reasoning["text"] = `${textIn(reasoning["text"]) ?? ""}${thought}`;
  if (signature !== undefined) reasoning["signature"] = signature;
  block["reasoningContent"] = redactedContent === undefined ? { reasoningText: reasoning } : { redactedContent };
}

/** A block with its input. What cannot be read stays text, which is refused with the reason. */
function whole({ block, json }: Open): Fields {
  if (!isObject(block["toolUse"])) return block;
  const input = json === "" ? {} : (parsed(json) ?? json);
  return { ...block, toolUse: { ...block["toolUse"], input } };
}
