/** Reads replies and writes answers in the types of OpenAI's SDK, for loops of a host's own. */

import type OpenAI from "openai";
import type { Answer, ModelCall } from "../../index.js";
import * as chat from "../../wire/openai-chat.js";
import * as items from "../../wire/openai-responses.js";

type Item = OpenAI.Responses.ResponseOutputItem;
type Input = OpenAI.Responses.ResponseInputItem;
type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;
type CustomCall = OpenAI.Responses.ResponseCustomToolCall;
type SearchCall = OpenAI.Responses.ResponseToolSearchCall;

/** A call of the model, with the item that made it. */
export interface ResponsesCall extends ModelCall {
  item: FunctionCall | CustomCall | SearchCall;
  /** The group of tools that it is called in, where the host's tools have groups. */
  namespace?: string | undefined;
}

/**
 * The calls of a reply. The free text that a custom tool is called with is its argument `input`.
 *
 * @param finishReason why the reply ended; where it was cut off, its last call has `broken`, and must not be run
 */
export function chatCalls(
  message: Pick<OpenAI.ChatCompletionMessage, "tool_calls">,
  finishReason?: string | null,
): ModelCall[] {
  return chat.callsIn(message, finishReason);
}

/** The messages that answer the calls. They are text: images and audio are named with their type and size. */
export function chatAnswers(answers: readonly Answer[]): OpenAI.ChatCompletionToolMessageParam[] {
  return chat.answersOf(answers);
}

/**
 * The calls among the items of a reply. The free text that a custom tool is called with is its argument `input`.
 *
 * @param search the discovery tool that a client-executed `tool_search` stands for; without it, they are the host's.
 * Searches that the vendor's servers executed need no answer.
 * @param status that of the response; where it is incomplete, a call at its end has `broken`, and must not be run
 */
export function responsesCalls(output: readonly Item[], search?: string, status?: string): ResponsesCall[] {
  return items.callsIn(output, search, status) as unknown[] as ResponsesCall[];
}

/**
 * The items that answer the calls; images of MCP's results are shown to the model. A client-executed search is answered
 * with the tools that it revealed, for now by name, and with what it says as a developer's message, since its output has
 * no room for words.
 */
export function responsesAnswers(answers: readonly Answer[]): Input[] {
  return items.answersOf(answers) as Input[];
}

/**
 * The items of a reply as they are sent back: whole, but for who made them, which is only ever answered. Reasoning that was
 * cut off before what it led to is refused, and left out.
 */
export function responsesItems(response: Pick<OpenAI.Responses.Response, "output" | "status">): Input[] {
  return items.itemsOf(response) as unknown[] as Input[];
}
