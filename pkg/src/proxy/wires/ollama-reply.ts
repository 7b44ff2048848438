/** The replies of Ollama's chat, whole and streamed, as the client gets them. */

import type { Handed } from "../../loop/rounds.js";
import { type Fields, fieldsOf, textIn } from "../../wire/fields.js";
import { summed } from "../../wire/usage.js";

/** What a response tells of its cost. */
const COSTS = [
  "total_duration",
  "load_duration",
  "prompt_eval_count",
  "prompt_eval_duration",
  "eval_count",
  "eval_duration",
];

/** The costs of a response, and those of the rounds before. */
export function costsOf(before: Fields, response: Fields): Fields {
  return fieldsOf(
    summed(before, Object.fromEntries(COSTS.flatMap((key) => (response[key] === undefined ? [] : [[key, response[key]]])))),
  );
}

/** The name of a call. */
export function nameIn(call: Fields): string {
  return textIn(fieldsOf(call["function"])["name"]) ?? "";
}

/** A call of a reply as the client gets it. */
export function handedCall(call: Fields, { unwrapped }: Handed): Fields {
  if (unwrapped === undefined) return call;
  return { ...call, function: { ...fieldsOf(call["function"]), name: unwrapped.name, arguments: unwrapped.args } };
}

/** The names of calls as they tell a conversation from others: few of them have ids. */
export function callKey(call: Fields): string {
  return textIn(call["id"]) ?? `${nameIn(call)} ${JSON.stringify(fieldsOf(call["function"])["arguments"] ?? {})}`;
}
