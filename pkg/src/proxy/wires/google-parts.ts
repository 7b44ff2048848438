/** The parts of the Gemini API's replies, whole and streamed, as the client gets them. */

import { type Fields, fieldsOf, textIn } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

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
