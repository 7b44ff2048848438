/** The reply of the model: a content to keep as it came, the calls in it, and a content that answers them. */

import type { Content, GenerateContentResponse, Part } from "@google/genai";
import type { Answer, ModelCall } from "../index.js";
import { objectIn, objectsIn } from "./reply.js";

/** The most characters of the API's message about a call that it could not read. */
const MOST_SAID = 500;

/**
 * The calls of a reply. One that the API itself could not read is among them, to be refused: without it the model would
 * seem to be done.
 */
export function googleCalls(response: GenerateContentResponse): ModelCall[] {
  const calls = partsOf(response).flatMap(({ functionCall }) => {
    if (!functionCall) return [];
    const { id, name = "", args } = functionCall;
    return [{ id, name, args }];
  });
  const broken = brokenIn(objectIn("response", response), calls.length > 0);
  if (broken === undefined) return calls;
  // A call without a name cannot be answered, and then none can: the API takes all answers of a content or none.
  const canAnswer = calls.length > 0 && calls.every(({ name }) => name !== "");
  return canAnswer ? calls.map((call) => ({ ...call, broken })) : [{ name: "", broken }];
}

/**
 * What of a reply goes into the conversation, before the answers to its calls: the content as it came, with its thought
 * signatures. None where it says nothing, since the API does not take that back, or where its call is not in it.
 */
export function googleContent(response: GenerateContentResponse): Content[] {
  const content = response.candidates?.[0]?.content;
  if (!content || partsOf(response).every(isEmpty) || googleCalls(response).some(isOnlyTold)) return [];
  return [content.role === undefined ? { ...content, role: "model" } : content];
}

/** The text of a reply, without thoughts; empty where there is none. */
export function googleText(response: GenerateContentResponse): string {
  return partsOf(response).map(({ text, thought }) => (thought === true ? "" : (text ?? ""))).join("");
}

/**
 * The content that answers the calls of a reply: all in one, in their order, under their ids where they have some. None
 * where there were no calls.
 */
export function googleAnswers(answers: readonly Answer[]): Content[] {
  return answers.length === 0 ? [] : [{ role: "user", parts: answers.map(answerPart) }];
}

function answerPart({ call, content, isError }: Answer): Part {
  if (isOnlyTold(call)) return { text: content };
  const { id, name } = call;
  const response = isError ? { error: content } : { output: content };
  return { functionResponse: id === undefined ? { name, response } : { id, name, response } };
}

/** Whether no call in the conversation fits a response, so that the answer is sent as text. */
function isOnlyTold({ name, broken }: ModelCall): boolean {
  return broken !== undefined && name === "";
}

function partsOf(response: GenerateContentResponse): Part[] {
  return [...objectsIn("parts", response?.candidates?.[0]?.content?.parts)];
}

function isEmpty(part: Part): boolean {
  return part.text === "" && part.thoughtSignature === undefined;
}

/** The reply may contain the call of an undeclared function; the call says more than the finish reason. */
function brokenIn({ candidates }: GenerateContentResponse, hasCalls: boolean): ModelCall["broken"] {
  const reason: string | undefined = candidates?.[0]?.finishReason;
  const said = candidates?.[0]?.finishMessage;
  const detail = said === undefined ? "" : ` (${String(said).slice(0, MOST_SAID)})`;
  if (reason === "MALFORMED_FUNCTION_CALL") {
    const message = `Your function call could not be read, so nothing ran${detail}. Make it again, in plain JSON.`;
    return { code: "arguments_not_json", message };
  }
  if (reason !== "UNEXPECTED_TOOL_CALL" || hasCalls) return undefined;
  const message = `You called a function that is not declared, so nothing ran${detail}. Find it first, or do without.`;
  return { code: "tool_unknown", message };
}
