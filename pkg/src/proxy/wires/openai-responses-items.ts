/** Selects the items of a Responses API round that the client gets. */

import type { Handed } from "../../loop/rounds.js";
import type { Fields } from "../../wire/fields.js";
import { isCall, named } from "../../wire/openai-responses.js";
import type { JsonText } from "../json-text.js";

/** The fields of a response that repeat the request. */
const REPEATED = ["instructions", "tools", "tool_choice", "previous_response_id"];

/** Returns the fields of a response that repeat the request, with the client's values instead of the proxy's. */
export function repeated(response: Fields, body: JsonText): Record<string, unknown> {
  const keys = REPEATED.filter((key) => response[key] !== undefined && response[key] !== null);
  const asSent = (key: string) => body.value(key) ?? (key === "tool_choice" ? response[key] : null);
  return Object.fromEntries(keys.map((key) => [key, asSent(key)]));
}

/** Returns the name that decides if a call is the client's; undefined for a call that always is. */
export function nameIn(item: Fields): string | undefined {
  const { name, namespace } = named(item);
  return namespace === undefined ? (name ?? "") : undefined;
}

/** Converts a call through a bridge to a call of the tool itself. */
export function unwrappedItem(item: Fields, { unwrapped }: Handed): Fields {
  return { ...item, name: unwrapped!.name, arguments: JSON.stringify(unwrapped!.args) };
}

/** Returns the events of a complete item. The arguments of a call come as a delta. */
export function itemEvents(output_index: number, item: Fields): Fields[] {
  const { type, id: item_id, name, arguments: args } = item;
  const about = { output_index, item_id };
  const isFunction = type === "function_call";
  const begun = { ...item, ...(isFunction && { arguments: "" }), status: "in_progress" };
  const pieces = [
    { type: "response.function_call_arguments.delta", ...about, delta: args },
    { type: "response.function_call_arguments.done", ...about, name, arguments: args },
  ];
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...(isFunction ? pieces : []),
    { type: "response.output_item.done", output_index, item },
  ];
}

/**
 * Returns the items of a round that the client gets. Reasoning is passed on only with the item after it: the API refuses it
 * alone.
 *
 * @param isSilent true if texts are left out, because the reply must be JSON and another round has followed
 */
export function shownItems(output: readonly Fields[], handed: readonly Handed[], isSilent: boolean): Fields[] {
  const byPlace = new Map(handed.map((one) => [one.at, one]));
  let nth = 0;
  const shown: Fields[] = [];
  let thoughts: Fields[] = [];
  for (const item of output) {
    if (item["type"] === "reasoning") {
      thoughts.push(item);
      continue;
    }
    const call = isCall(item) ? byPlace.get(nth++) : undefined;
    if (isCall(item) && call === undefined) continue;
    if (item["type"] === "message" && isSilent) continue;
    shown.push(...thoughts, call?.unwrapped === undefined ? item : unwrappedItem(item, call));
    thoughts = [];
  }
  return shown;
}
