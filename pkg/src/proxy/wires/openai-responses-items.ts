/** The items of the Responses API: which of a round the client gets, and how they go on in the next round. */

import type OpenAI from "openai";
import { responsesCalls, responsesItems } from "../../wire/openai-responses.js";
import { type Fields, fieldsOf, textIn } from "../fields.js";
import type { JsonText } from "../json-text.js";
import type { Handed, Reply } from "../wire.js";

type Output = OpenAI.Responses.ResponseOutputItem;

/** A reply on the inner rounds. */
export interface InnerReply {
  /** Its id, under which the vendor keeps it. */
  id: string | undefined;
  /** Its items, for a vendor that keeps nothing. */
  items: readonly unknown[];
}

/** What a response repeats of its request. */
const REPEATED = ["instructions", "tools", "tool_choice", "previous_response_id"];

/** What a response repeats of its request, as the client sent it: what the vendor was sent is the proxy's. */
export function repeated(response: Fields, body: JsonText): Record<string, unknown> {
  const keys = REPEATED.filter((key) => response[key] !== undefined && response[key] !== null);
  const own = (key: string) => body.value(key) ?? (key === "tool_choice" ? response[key] : null);
  return Object.fromEntries(keys.map((key) => [key, own(key)]));
}

const FAILED: readonly unknown[] = ["failed", "cancelled", "queued"];

/** The reply of a response; undefined for one that failed. */
export function replyOf(response: Fields): Reply | undefined {
  const { output, status, id } = response;
  if (!Array.isArray(output) || FAILED.includes(status)) return undefined;
  const items = output as Output[];
  const calls = responsesCalls(items, undefined, textIn(status)).map((call) => {
    // A tool of a namespace is the client's, who alone declares some.
    return call.namespace === undefined ? call : { ...call, own: { server: null } };
  });
  const inner: InnerReply = { id: textIn(id), items: responsesItems({ output: items, status: status as "completed" }) };
  return { id: inner.id, calls, reply: inner };
}

/** Whether an item is one that the client would have to answer. */
export function isCall({ type }: Fields): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** The name that tells whether a call is the client's; undefined for one that always is. */
export function nameIn(item: Fields): string | undefined {
  const namespace = textIn(item["namespace"]);
  const isAlone = !namespace || namespace === "functions" || namespace === item["name"];
  return isAlone ? (textIn(item["name"]) ?? "") : undefined;
}

/** A call through a bridge as that of the tool itself. */
export function unwrappedItem(item: Fields, { unwrapped }: Handed): Fields {
  return { ...item, name: unwrapped!.name, arguments: JSON.stringify(unwrapped!.args) };
}

/** The text of a message item. */
export function textOfItem(item: Fields): string {
  const content = item["content"];
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => textIn(fieldsOf(part)["text"]) ?? "").join("") : "";
}

/**
 * The items of a round that the client gets. Reasoning goes with what it led to: the API refuses it alone.
 *
 * @param isSilent whether its texts are left out, because the reply has to be JSON and a further round has brought it
 */
export function shownItems(output: readonly Fields[], handed: readonly Handed[], isSilent: boolean): Fields[] {
  const byPlace = new Map(handed.map((one) => [one.at, one]));
  let nth = 0;
  const shown: Fields[] = [];
  let held: Fields[] = [];
  for (const item of output) {
    if (item["type"] === "reasoning") {
      held.push(item);
      continue;
    }
    const call = isCall(item) ? byPlace.get(nth++) : undefined;
    if (isCall(item) && call === undefined) continue;
    if (item["type"] === "message" && isSilent) continue;
    shown.push(...held, call?.unwrapped === undefined ? item : unwrappedItem(item, call));
    held = [];
  }
  return shown;
}
