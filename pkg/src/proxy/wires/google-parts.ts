/** The replies of the Gemini API, whole and streamed: the calls in them, and which parts of them the client gets. */

import type { GenerateContentResponse } from "@google/genai";
import { googleCalls, googleContent } from "../../wire/google.js";
import { type Fields, fieldsOf, objectsIn, textIn } from "../fields.js";
import type { Handed, Reply } from "../wire.js";

/** The reply of a response; undefined for one without a candidate. */
export function replyOf(response: Fields): Reply | undefined {
  if (objectsIn(response["candidates"]).length === 0) return undefined;
  const read = response as unknown as GenerateContentResponse;
  return { calls: googleCalls(read), reply: googleContent(read) };
}

/** The parts of a response's first candidate. */
export function partsOf(response: Fields): Fields[] {
  return objectsIn(fieldsOf(fieldsOf((response["candidates"] as unknown[] | undefined)?.[0])["content"])["parts"]);
}

export function isCall(part: Fields): boolean {
  return part["functionCall"] !== undefined;
}

/** The text of a part for the user: thoughts are none. */
export function saidIn(part: Fields): string {
  return part["thought"] === true ? "" : (textIn(part["text"]) ?? "");
}

/** A call through a bridge as that of the tool itself. */
export function unwrappedPart(part: Fields, { unwrapped }: Handed): Fields {
  return { ...part, functionCall: { ...fieldsOf(part["functionCall"]), name: unwrapped!.name, args: unwrapped!.args } };
}

/** Of several calls the first alone has the signature of the thought: without that call, the next one needs it. */
export function signed(part: Fields, signature: string | undefined): Fields {
  return signature === undefined || part["thoughtSignature"] !== undefined ? part : { ...part, thoughtSignature: signature };
}

/** The names of calls as they tell a conversation from others: the API has ids for some of them only. */
export function callKey(part: Fields): string {
  const { id, name, args } = fieldsOf(part["functionCall"]);
  return textIn(id) ?? `${textIn(name)} ${JSON.stringify(args ?? {})}`;
}
