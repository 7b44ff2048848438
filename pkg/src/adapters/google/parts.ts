/** Reads replies and writes answers in the types of Google's SDK, for loops of a host's own. */

import type { Content, GenerateContentResponse } from "@google/genai";
import type { Answer, ModelCall } from "../../index.js";
import { answersOf, callsIn, contentOf, joined, textOf } from "../../wire/google.js";

/**
 * The calls of a reply. One that the API itself could not read is among them, to be refused: without it the model would
 * seem to be done.
 */
export function googleCalls(response: GenerateContentResponse): ModelCall[] {
  return callsIn(response);
}

/**
 * What of a reply goes into the conversation, before the answers to its calls: the content as it came, with its thought
 * signatures. None where it says nothing, since the API does not take that back, or where its call is not in it.
 */
export function googleContent(response: GenerateContentResponse): Content[] {
  return contentOf(response);
}

/** The text of a reply, without thoughts; empty where there is none. */
export function googleText(response: GenerateContentResponse): string {
  return textOf(response);
}

/**
 * The content that answers the calls of a reply: all in one, in their order, under their ids where they have some. None
 * where there were no calls.
 */
export function googleAnswers(answers: readonly Answer[]): Content[] {
  return answersOf(answers);
}

/**
 * The chunks of `generateContentStream` as the one response that `generateContent` would have given. Texts that follow
 * each other become one part; a part that carries more, such as a thought signature, stays as it came.
 */
export function googleJoined(chunks: readonly GenerateContentResponse[]): GenerateContentResponse {
  return joined(chunks) as unknown as GenerateContentResponse;
}
