/**
 * Reads and writes the items of the Responses API that are calls and answers: functions, custom tools, the client's search.
 */

import type OpenAI from "openai";
import type { Answer, ModelCall } from "../index.js";
import { cutOff } from "./cut.js";
import { partsWithImages } from "./images.js";
import { objectIn, objectsIn } from "./reply.js";

type Output = OpenAI.Responses.ResponseOutputItem;
export type Input = OpenAI.Responses.ResponseInputItem;
type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;
type CustomCall = OpenAI.Responses.ResponseCustomToolCall;
type SearchCall = OpenAI.Responses.ResponseToolSearchCall;
type Definition = OpenAI.Responses.FunctionTool;

/** A call of the model, with the item that made it. */
export interface ResponsesCall extends ModelCall {
  item: FunctionCall | CustomCall | SearchCall;
  /** The group of tools that it is called in, where the host's tools have groups. */
  namespace?: string | undefined;
}

/** The name of the vendor's own tool for searching. */
export const TOOL_SEARCH = "tool_search";

/**
 * The calls among the items of a reply. The free text that a custom tool is called with is its argument `input`.
 *
 * @param search the discovery tool that a client-executed `tool_search` stands for; without it, they are the host's.
 * Searches that the vendor's servers executed need no answer.
 * @param status that of the response; where it is incomplete, a call at its end has `broken`, and must not be run
 */
export function responsesCalls(output: readonly Output[], search?: string, status?: string): ResponsesCall[] {
  const items = objectsIn("output", output);
  const last = status === "incomplete" ? items.at(-1) : undefined;
  const calls = items.flatMap((item) => callIn(item, search));
  return calls.map((call) => (isWhole(call.item, last) ? call : { ...call, broken: cutOff("incomplete") }));
}

function isWhole(item: ResponsesCall["item"], last: Output | undefined): boolean {
  return item !== last && (item as { status?: string }).status !== "incomplete";
}

function callIn(item: Output, search: string | undefined): ResponsesCall[] {
  switch (item.type) {
    case "function_call":
      return [{ id: item.call_id, ...named(item, search), args: item.arguments, item }];
    case "custom_tool_call":
      return [{ id: item.call_id, ...named(item), args: { input: item.input }, item }];
    case "tool_search_call":
      if (item.execution !== "client" || search === undefined) return [];
      return [{ id: item.call_id ?? undefined, name: search, args: item.arguments, item }];
    default:
      return [];
  }
}

/** The namespace of a tool that stands alone is its own name, once it was loaded, or that of all functions. */
function named(item: FunctionCall | CustomCall, search?: string): Pick<ResponsesCall, "name" | "namespace"> {
  const { name, namespace } = item;
  const isFunction = !namespace || namespace === "functions";
  if (isFunction && name === TOOL_SEARCH && search !== undefined) return { name: search };
  return isFunction || namespace === name ? { name } : { name, namespace };
}

/**
 * The items that answer the calls; images of MCP's results are shown to the model. A client-executed search is answered
 * with the tools that it revealed, for now by name, and with what it says as a developer's message, since its output has
 * no room for words.
 */
export function responsesAnswers(answers: readonly Answer[]): Input[] {
  const said: Input[] = [];
  const outputs = answers.map((answer): Input => {
    const { call, outcome, content } = answer;
    const { item } = call as ResponsesCall;
    if (item.type === "tool_search_call") {
      said.push({ type: "message", role: "developer", content });
      return loaded(item.call_id ?? "", outcome.kind === "result" ? outcome.revealed.map(placeholder) : []);
    }
    const type = item.type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output";
    return { type, call_id: item.call_id, output: outputOf(answer), ...(item.caller ? { caller: item.caller } : {}) };
  });
  return [...outputs, ...said];
}

/** The text of an answer, or its texts and images. */
function outputOf(answer: Answer): string | OpenAI.Responses.ResponseInputMessageContentList {
  const parts = partsWithImages(answer);
  if (parts === undefined) return answer.content;
  return parts.map((part) =>
    typeof part === "string"
      ? { type: "input_text", text: part }
      : { type: "input_image", detail: "auto", image_url: `data:${part.mimeType};base64,${part.data}` },
  );
}

/** The output of a search that the client executed. */
export function loaded(call_id: string, tools: Definition[]): OpenAI.Responses.ResponseToolSearchOutputItemParam {
  return { type: "tool_search_output", call_id, execution: "client", status: "completed", tools };
}

/** Stands for a revealed tool until its definition is assembled for the next request. */
export function placeholder(name: string): Definition {
  return { type: "function", name, parameters: null, strict: false, defer_loading: true };
}

/**
 * The items of a reply as they are sent back: whole, but for who made them, which is only ever answered. Reasoning that was
 * cut off before what it led to is refused, and left out.
 */
export function responsesItems(response: Pick<OpenAI.Responses.Response, "output" | "status">): Input[] {
  const { output, status } = objectIn("response", response);
  const items = objectsIn("output", output).map((item) => {
    const { created_by: _, ...sent } = item as Output & { created_by?: string };
    return sent as Input;
  });
  while (status === "incomplete" && items.at(-1)?.type === "reasoning") items.pop();
  return items;
}
