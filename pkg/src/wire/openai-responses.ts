/** The Responses API: calls and answers are items beside the messages. */

import type { Answer, ModelCall, OpenAIResponsesTool } from "../types/index.js";
import type { Choice, Reply } from "./api.js";
import { sendableText } from "./arguments.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, textOf } from "./fields.js";
import { partsWithImages } from "./images.js";
import { isSystem, joined } from "./prompt.js";
import { cutOff, entriesIn, noReply, objectIn } from "./reply.js";

/** The type of the API's own tool for searching tools. */
export const TOOL_SEARCH = "tool_search";

/** A call of the model, with the item that made it. */
export interface ItemCall extends ModelCall {
  item: Fields;
  /** The group of tools that it is called in, where the host's tools have groups. */
  namespace?: string | undefined;
}

/** The statuses of a response that did not come about, and of one that is not there yet. */
const FAILED: readonly unknown[] = ["failed", "cancelled", "queued"];
/** The events that begin a stream, with a response that is empty so far. */
export const OPENING: readonly unknown[] = ["response.created", "response.in_progress", "response.queued"];
/** The events that carry the whole response at the end of a stream. */
export const ENDING: readonly unknown[] = ["response.completed", "response.incomplete", "response.failed"];

/** By which name the model calls a tool of a request. */
export function nameOf(tool: object): string | undefined {
  const { type, name } = tool as Fields;
  return type === "function" || type === "custom" ? textIn(name) : undefined;
}

/** The names of functions and custom tools that a choice names, and whether it demands a call. */
export function choiceIn(choice: unknown): Choice {
  const { type, mode, tools } = fieldsOf(choice);
  const named = type === "allowed_tools" ? objectsIn(tools) : [fieldsOf(choice)];
  const isDemand = choice === "required" || (isObject(choice) && mode !== "auto");
  const names = named.flatMap((tool) => nameOf(tool) ?? []);
  return { named: names, choice: choice === "none" ? "none" : isDemand ? "demanded" : "free" };
}

/** A choice without its demand for a call. */
export function freed(choice: unknown): unknown {
  if (fieldsOf(choice)["type"] === "allowed_tools") return { ...fieldsOf(choice), mode: "auto" };
  return choiceIn(choice).choice === "demanded" ? "auto" : choice;
}

/** The fields of a request that hold the host's own words to the model. */
interface Instructed<I> {
  instructions?: unknown;
  /** A prompt that the vendor stores; instructions would replace those in it. */
  prompt?: unknown;
  input: readonly I[];
  /** Whether the vendor keeps the conversation, and with it every message of the input. */
  isKept: boolean;
}

/**
 * The fields of a request with the prompt section behind the host's own words: in its instructions, or behind the messages
 * of the system at the beginning of its input.
 *
 * @param read reads an item, if the items are no objects
 * @param written writes one
 */
export function withPrompt<I>(
  { instructions, prompt, input, isKept }: Instructed<I>,
  section: string,
  read: (item: I) => unknown = (item) => item,
  written: (item: object) => I = (item) => item as I,
): { instructions?: string; input?: I[] } {
  if (section === "") return {};
  const first = isKept ? 0 : input.findIndex((item) => !isSystem(read(item)));
  const end = first === -1 ? input.length : first;
  if (typeof instructions === "string" || (end === 0 && !isObject(prompt))) {
    return { instructions: joined(textIn(instructions), section) };
  }
  const role = end === 0 ? "developer" : fieldsOf(read(input[end - 1]!))["role"];
  return { input: [...input.slice(0, end), written({ role, content: section }), ...input.slice(end)] };
}

/** Reads a response; undefined for one that failed. A tool of a namespace is the host's own, who alone declares some. */
export function read(response: object): Reply | undefined {
  const { output, status, id } = fieldsOf(response);
  if (!Array.isArray(output) || FAILED.includes(status)) return undefined;
  const messages = objectsIn(output).filter(({ type }) => type === "message");
  const calls = callsIn(output, textIn(status)).map((call) => {
    return call.namespace === undefined ? call : { ...call, own: { server: null } };
  });
  return {
    calls,
    messages: itemsOf(response),
    text: messages.map(({ content }) => textOf(content)).join(""),
    id: textIn(id),
  };
}

/** Whether an item is a call that the client has to answer. */
export function isCall({ type }: Fields): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** Whether an item answers such a call. */
export function isAnswer({ type }: Fields): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}

/**
 * The calls among the items of a reply.
 *
 * @param status that of the response; where it is incomplete, a call at its end has `broken`
 * @param search the discovery tool that a `tool_search` of the client stands for; without it, such a search is the host's own
 */
export function callsIn(output: unknown, status?: string, search?: string): ItemCall[] {
  const items = entriesIn("output", output);
  const last = status === "incomplete" ? items.at(-1) : undefined;
  return items.flatMap((item) => {
    const call = callOf(item, search);
    if (call === undefined) return [];
    const isWhole = item !== last && item["status"] !== "incomplete";
    return [{ id: textIn(item["call_id"]), ...call, ...(isWhole ? {} : { broken: cutOff("incomplete") }), item }];
  });
}

function callOf(item: Fields, search?: string): Pick<ItemCall, "name" | "namespace" | "args"> | undefined {
  const { type, execution, input, arguments: args } = item;
  if (type === "function_call") return { ...named(item), args };
  if (type === "tool_search_call" && execution === "client" && search !== undefined) return { name: search, args };
  return type === "custom_tool_call" ? { ...named(item), args: { input } } : undefined;
}

/** The namespace of a tool that stands alone is its own name, once it was loaded, or that of all functions. */
export function named(item: Fields): Pick<ItemCall, "name" | "namespace"> {
  const { name, namespace } = item as { name: string; namespace?: string };
  return !namespace || namespace === "functions" || namespace === name ? { name } : { name, namespace };
}

/** A key under which a tool is kept that is called so. */
export function keyOf({ name, namespace }: { name: string; namespace?: string | undefined }): string {
  return JSON.stringify([namespace ?? null, name]);
}

/** The items of a reply as they are sent back. The API refuses who made them, and reasoning without what it led to. */
export function itemsOf(response: object): Fields[] {
  const { output, status } = objectIn("response", response);
  const items = entriesIn("output", output).map(({ created_by: _, ...sent }) => sentBack(sent));
  while (status === "incomplete" && items.at(-1)?.["type"] === "reasoning") items.pop();
  return items;
}

/** An item for the conversation: the arguments of a function are JSON. */
export function sentBack(item: Fields): Fields {
  return item["type"] === "function_call" ? { ...item, arguments: sendableText(item["arguments"]) } : item;
}

/**
 * The items that answer the calls. The output of a `tool_search` has no room for words: a message of the developer has them.
 *
 * @param definitionsOf the definitions of the tools that a `tool_search` loaded
 */
export function answersOf(answers: readonly Answer[], definitionsOf: (answer: Answer) => OpenAIResponsesTool[] = () => []) {
  const isSearch = ({ call }: Answer) => (call as ItemCall).item["type"] === "tool_search_call";
  const outputs = answers.map((answer) => {
    const { type: made, caller, call_id } = (answer.call as ItemCall).item;
    if (isSearch(answer)) return loaded(call_id as string, definitionsOf(answer));
    const type = made === "custom_tool_call" ? ("custom_tool_call_output" as const) : ("function_call_output" as const);
    return { type, call_id: call_id as string, output: outputOf(answer), ...(caller ? { caller } : {}) };
  });
  const said = answers.filter(isSearch);
  return [...outputs, ...said.map(({ content }) => ({ type: "message" as const, role: "developer" as const, content }))];
}

/** The output of a `tool_search` that the client answers. */
export function loaded(call_id: string, tools: readonly OpenAIResponsesTool[]) {
  const deferred = tools.map((tool) => ({ ...tool, defer_loading: true }));
  return { type: "tool_search_output", call_id, execution: "client", status: "completed", tools: deferred } as const;
}

/** The text of an answer, or its texts and images. */
function outputOf(answer: Answer) {
  const parts = partsWithImages(answer);
  if (parts === undefined) return answer.content;
  return parts.map((part) =>
    typeof part === "string"
      ? { type: "input_text" as const, text: part }
      : { type: "input_image" as const, detail: "auto" as const, image_url: `data:${part.mimeType};base64,${part.data}` },
  );
}

/** The end of a stream carries the whole response. */
export class Pieces {
  reply: Fields | undefined;

  add(event: object): void {
    const { type, response, code, message } = event as Fields;
    if (type === "error") throw noReply(`the vendor sent an error: ${code}: ${message}`);
    if (ENDING.includes(type)) this.reply = fieldsOf(response);
  }
}
