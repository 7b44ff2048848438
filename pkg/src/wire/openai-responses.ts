/** OpenAI's Responses API: calls and answers are items next to the messages. */

import type { Answer, ModelCall, OpenAIResponsesTool } from "../types/index.js";
import type { Choice, Reply } from "./api.js";
import { sendableText } from "./arguments.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, textOf } from "./fields.js";
import { isSystem, joined } from "./prompt.js";
import { cutOff, entriesIn, noReply, objectIn } from "./reply.js";

/** The type of the API's own tool search. */
export const TOOL_SEARCH = "tool_search";

/** A call of the model, with its item in the reply. */
export interface ItemCall extends ModelCall {
  item: Fields;
  /** The group of the called tool, if your program's own tools have groups. */
  namespace?: string | undefined;
}

/** The statuses of a response that failed or has not begun. */
const FAILED: readonly unknown[] = ["failed", "cancelled", "queued"];
/** The events at the beginning of a stream. Their response is still empty. */
export const OPENING: readonly unknown[] = ["response.created", "response.in_progress", "response.queued"];
/** The events at the end of a stream. They have the whole response. */
export const ENDING: readonly unknown[] = ["response.completed", "response.incomplete", "response.failed"];

/** Returns the name by which the model calls a tool of a request. */
export function nameOf(tool: object): string | undefined {
  const { type, name } = tool as Fields;
  return type === "function" || type === "custom" ? textIn(name) : undefined;
}

/** Returns the functions and custom tools that a choice names, and its demand for a call. */
export function choiceIn(choice: unknown): Choice {
  const { type, mode, tools } = fieldsOf(choice);
  const named = type === "allowed_tools" ? objectsIn(tools) : [fieldsOf(choice)];
  const isDemand = choice === "required" || (isObject(choice) && mode !== "auto");
  const names = named.flatMap((tool) => nameOf(tool) ?? []);
  return { named: names, choice: choice === "none" ? "none" : isDemand ? "demanded" : "free" };
}

/** Returns a choice without its demand for a call. */
export function freed(choice: unknown): unknown {
  if (fieldsOf(choice)["type"] === "allowed_tools") return { ...fieldsOf(choice), mode: "auto" };
  return choiceIn(choice).choice === "demanded" ? "auto" : choice;
}

/** The fields of a request with your program's own instructions to the model. */
interface Instructed<I> {
  instructions?: unknown;
  /** A prompt that the vendor stores. Instructions in the request would replace its own. */
  prompt?: unknown;
  input: readonly I[];
  /** True if the vendor stores the conversation, and so every message of the input. */
  isKept: boolean;
}

/**
 * Returns the fields of a request with the prompt section after your program's own instructions, or after the system
 * messages at the beginning of its input.
 *
 * @param read reads an item, if the items are not plain objects
 * @param written writes an item
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

/** Reads a response; undefined for a failed one. A tool with a namespace is the program's: toolsift declares none. */
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

/** Checks if an item is a call that the client has to answer. */
export function isCall({ type }: Fields): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** Checks if an item answers such a call. */
export function isAnswer({ type }: Fields): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}

/**
 * Returns the calls among the items of a reply.
 *
 * @param status the response's status; if it is incomplete, a call at the end has `broken`
 * @param search the discovery tool that answers a `tool_search` of the client; without it, your program answers the search
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

/** Returns a tool's name and namespace. The namespaces `functions` and the tool's own name mean that it has none. */
export function named(item: Fields): Pick<ItemCall, "name" | "namespace"> {
  const { name, namespace } = item as { name: string; namespace?: string };
  return !namespace || namespace === "functions" || namespace === name ? { name } : { name, namespace };
}

/** Returns the key under which a tool with this name and namespace is stored. */
export function keyOf({ name, namespace }: { name: string; namespace?: string | undefined }): string {
  return JSON.stringify([namespace ?? null, name]);
}

/** Returns a reply's items as the API accepts them back: without `created_by`, and without a reasoning that was cut off. */
export function itemsOf(response: object): Fields[] {
  const { output, status } = objectIn("response", response);
  const items = entriesIn("output", output).map(({ created_by: _, ...sent }) => sentBack(sent));
  while (status === "incomplete" && items.at(-1)?.["type"] === "reasoning") items.pop();
  return items;
}

/** Returns an item for the conversation. The arguments of a function become JSON. */
export function sentBack(item: Fields): Fields {
  return item["type"] === "function_call" ? { ...item, arguments: sendableText(item["arguments"]) } : item;
}

/**
 * Returns the items that answer the calls. The output of a `tool_search` cannot contain text, so a developer message has it.
 *
 * @param definitionsOf returns the definitions of the tools that a `tool_search` loaded
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

/** Returns the output of a `tool_search` that the client answers. */
export function loaded(call_id: string, tools: readonly OpenAIResponsesTool[]) {
  const deferred = tools.map((tool) => ({ ...tool, defer_loading: true }));
  return { type: "tool_search_output", call_id, execution: "client", status: "completed", tools: deferred } as const;
}

/** Returns the text of an answer, or its texts and images. */
function outputOf({ content, parts }: Answer) {
  if (parts === undefined) return content;
  return parts.map(({ text, image }) =>
    image === undefined
      ? { type: "input_text" as const, text }
      : { type: "input_image" as const, detail: "auto" as const, image_url: `data:${image.mimeType};base64,${image.data}` },
  );
}

/** Reads a stream, whose last event has the whole response. */
export class Pieces {
  reply: Fields | undefined;

  add(event: object): void {
    const { type, response, code, message } = event as Fields;
    if (type === "error") throw noReply(`the vendor sent an error: ${code}: ${message}`);
    if (ENDING.includes(type)) this.reply = fieldsOf(response);
  }
}
