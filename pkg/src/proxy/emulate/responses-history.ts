/** Translates the items of OpenAI's tool search into those that a backend without it knows. */

import { type Fields, fieldsOf, textIn } from "../../wire/fields.js";
import type { DeferredFunction, Tools } from "./responses-tools.js";
import { foundText, listIn } from "./shared.js";

/** Ids of our own items. Behind them stand the ids of the backend's call, so that it reads again what it wrote. */
const CALL_ID = "tsc_";
const OUTPUT_ID = "tso_";

/** The ids of a hosted search as the client reads them. */
export function searchIds({ id, call_id }: Fields): { call: string; output: string } {
  return { call: `${CALL_ID}${call_id}`, output: `${OUTPUT_ID}${textIn(id) ?? call_id}` };
}

/**
 * The input as the backend takes it.
 *
 * @param search the name of the function that stands for the search
 * @param loaded takes the tools that the conversation has loaded, in their order
 */
export function translatedInput(input: unknown, tools: Tools, search: string, loaded: Set<DeferredFunction>): unknown {
  if (!Array.isArray(input)) return input;
  const load = (list: unknown) => {
    const entries = tools.add(list);
    for (const entry of entries) loaded.add(entry);
    return entries.map(({ backend }) => backend);
  };
  const written: unknown[] = [];
  /** Searches of the vendor that have no output yet: the items, which are completed when their output comes. */
  const open: Record<string, unknown>[] = [];
  /** How many of them have one by now. */
  let answered = 0;
  for (const item of input) {
    const { type, id, call_id, name, namespace, status, arguments: args } = fieldsOf(item);
    if (type === "tool_search_call") {
      const known = textIn(call_id) ?? String(id).replace(CALL_ID, "");
      const about = { type: "function_call", call_id: known, name: search, arguments: JSON.stringify(args ?? {}) };
      const call: Record<string, unknown> = { ...about, ...(status != null && { status }) };
      written.push(call);
      if (call_id == null) open.push(call);
    } else if (type === "tool_search_output") {
      const names = load(fieldsOf(item)["tools"]);
      const call = call_id == null ? open[answered++] : undefined;
      const own = String(id).replace(OUTPUT_ID, "");
      if (call !== undefined && own.startsWith("fc")) call["id"] = own;
      const known = textIn(call_id) ?? call?.["call_id"];
      // A compaction may have left the output alone.
      if (known !== undefined) written.push({ type: "function_call_output", call_id: known, output: foundText(names) });
    } else if (type === "additional_tools") {
      load(fieldsOf(item)["tools"]);
    } else if (type === "function_call" || type === "custom_tool_call") {
      const { namespace: _, ...others } = fieldsOf(item);
      const entry = tools.named(name, namespace);
      if (entry?.deferred === true) loaded.add(entry);
      written.push(entry === undefined ? others : { ...others, name: entry.backend });
    } else {
      written.push(item);
    }
  }
  for (const { call_id } of open.slice(answered)) {
    written.push({ type: "function_call_output", call_id, output: "The search was not finished." });
  }
  return written;
}

/** Whether an input refers to what the vendor keeps of a search. */
export function isOwnReference(item: unknown): boolean {
  const { type, id } = fieldsOf(item);
  return type === "item_reference" && (textIn(id)?.startsWith(CALL_ID) || textIn(id)?.startsWith(OUTPUT_ID)) === true;
}

/** The items of an input, as a list. */
export function itemsOf(input: unknown): unknown[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : listIn(input);
}
