/** Requests of OpenAI's tool search, hosted or run by the client, in the words of a Responses API that has none. */

import { definedFields, type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { isCall } from "../../wire/openai-responses.js";
import { parsed } from "../../base/values.js";
import { type SseEvent, SseParser, typedText } from "../sse.js";
import { itemEvents } from "../wires/openai-responses-items.js";
import { type DeferredFunction, Tools } from "./responses-tools.js";
import { backendTool, foundText, type Loaded, type Translated } from "./shared.js";

/**
 * The request with functions alone.
 *
 * @param before the tools that the conversation had loaded by value at the response that it goes on from
 * @param keep takes those that it has loaded at the reply
 */
export function translatedResponses(body: Fields, before: Loaded, keep: (id: string, loaded: Loaded) => void): Translated {
  const { input, tools: given, tool_choice, parallel_tool_calls, ...others } = body;
  const tools = new Tools();
  const search = objectsIn(given).find(({ type }) => type === "tool_search");
  tools.add(objectsIn(given).filter((tool) => tool !== search));
  // A hosted search finds all tools; that of the client has found those that the conversation has loaded.
  const isOwn = search?.["execution"] === "client";
  const isHosted = search !== undefined && !isOwn;
  const name = tools.behind("tool_search") === undefined ? "tool_search" : "tool_search_";
  const loaded = new Set(tools.add(before));
  // What the model has called once is loaded; with a hosted search, toolsift knows that by itself.
  const called = isHosted ? new Set<DeferredFunction>() : loaded;
  const write = (item: unknown) => translated(fieldsOf(item), tools, name, loaded, called);
  const items = Array.isArray(input) ? input.flatMap(write) : input;
  const { name: chosen, namespace, ...choice } = fieldsOf(tool_choice);
  const entry = chosen === undefined ? undefined : tools.named(chosen, namespace);
  if (entry?.deferred === true) called.add(entry);
  const eager = tools.all.filter((one) => !one.deferred && !loaded.has(one));
  const functions = (list: Iterable<DeferredFunction>) =>
    [...list].map((one) => ({ ...backendTool(one.tool), name: one.backend }));
  const own = isOwn ? [definitionOf(search!, name, tools.searchable)] : [];
  const found = isHosted ? functions(tools.all) : [...functions(eager), ...own, ...functions(loaded)];
  const sent = [...tools.others, ...found];
  const ofTool = entry === undefined ? tool_choice : { ...choice, name: entry.backend };
  const ofSearch = isOwn ? { type: "function", name } : "auto";
  const text = JSON.stringify({
    ...others,
    input: items,
    ...(sent.length > 0 && { tools: sent }),
    // Without tools the API refuses what is said of their calls.
    ...(sent.length > 0 &&
      definedFields({
        tool_choice: choice["type"] === "tool_search" ? ofSearch : ofTool,
        parallel_tool_calls,
      })),
  });
  const isSearch = (item: Fields) => isOwn && item["type"] === "function_call" && item["name"] === name;
  const show = (item: Fields) => (isSearch(item) ? searchCall(item) : shownCall(item, tools));
  const reply = (response: Fields) => {
    const id = textIn(response["id"]);
    if (id !== undefined) keep(id, tools.shown([...loaded]));
    const output = response["output"];
    return {
      ...response,
      ...("tools" in response && { tools: given ?? [] }),
      ...("tool_choice" in response && tool_choice !== undefined && { tool_choice }),
      ...(Array.isArray(output) && { output: objectsIn(output).map(show) }),
    };
  };
  return {
    text,
    always: isHosted ? [...eager, ...loaded].map(({ backend }) => backend) : undefined,
    reply,
    stream: (most) => streamOf(most, { reply, show, isSearch, nameOf: (one) => tools.behind(one)?.name }),
  };
}

/** The item as a backend takes it that knows functions alone. */
function translated(
  item: Fields,
  tools: Tools,
  search: string,
  loaded: Set<DeferredFunction>,
  called: Set<DeferredFunction>,
): Fields[] {
  const { type, call_id, status } = item;
  const load = (list: unknown) => {
    const entries = tools.add(list);
    for (const entry of entries) loaded.add(entry);
    return entries.map(({ backend }) => backend);
  };
  if (type === "additional_tools") return load(item["tools"]) && [];
  if (type === "tool_search_call") {
    // The vendor's own search has no call: its output says what it has loaded.
    if (call_id == null) return [];
    const args = JSON.stringify(item["arguments"] ?? {});
    return [{ type: "function_call", call_id, name: search, arguments: args, ...(status != null && { status }) }];
  }
  if (type === "tool_search_output") {
    const output = foundText(load(item["tools"]));
    return call_id == null ? [] : [{ type: "function_call_output", call_id, output }];
  }
  if (!isCall(item)) return [item];
  const { namespace, ...call } = item;
  const entry = tools.named(item["name"], namespace);
  if (entry === undefined) return [call];
  if (entry.deferred) called.add(entry);
  return [{ ...call, name: entry.backend }];
}

/** The client's own search as a function, which every backend knows. */
function definitionOf({ description, parameters }: Fields, name: string, list: readonly string[]): Fields {
  const those = list.length === 0 ? "" : `\nThere are:\n${list.join("\n")}`;
  const paths = { type: "array", items: { type: "string" }, description: "The names of what to load." };
  return {
    type: "function",
    name,
    strict: false,
    description: textIn(description) ?? `Loads further tools by their names.${those}`,
    parameters: parameters ?? { type: "object", properties: { paths }, required: ["paths"] },
  };
}

function searchCall({ id, call_id, status = "completed", arguments: args }: Fields): Fields {
  const input = fieldsOf(parsed(textIn(args) ?? ""));
  return { id, type: "tool_search_call", status, call_id, execution: "client", arguments: input };
}

/** A call under the client's name for the tool. A deferred tool that stands alone is a namespace of its own. */
function shownCall(item: Fields, tools: Tools): Fields {
  const entry = isCall(item) ? tools.behind(item["name"]) : undefined;
  if (entry === undefined) return item;
  const namespace = entry.namespace ?? (entry.deferred ? entry.name : undefined);
  return { ...item, name: entry.name, ...(namespace !== undefined && { namespace }) };
}

interface Shown {
  reply(response: Fields): Fields;
  show(item: Fields): Fields;
  isSearch(item: Fields): boolean;
  nameOf(backend: unknown): string | undefined;
}

/** The stream in the client's words. What a search is called with is known at its end. */
function streamOf(most: number, { reply, show, isSearch, nameOf }: Shown): TransformStream<Uint8Array, Uint8Array> {
  const parser = new SseParser(most);
  const encoder = new TextEncoder();
  const hidden = new Set<unknown>();
  let sequence_number = 0;
  const written = (events: readonly Fields[]) =>
    events.map((event) => typedText({ ...event, sequence_number: sequence_number++ })).join("");
  const textOf = ({ raw, data }: SseEvent): string => {
    const event = fieldsOf(data === undefined ? undefined : parsed(data));
    const { type, item, output_index, response, name } = event;
    if (type === undefined) return raw;
    if (response !== undefined) return written([{ ...event, response: reply(fieldsOf(response)) }]);
    if (item !== undefined && isSearch(fieldsOf(item))) {
      hidden.add(output_index);
      return type === "response.output_item.done" ? written(itemEvents(output_index as number, show(fieldsOf(item)))) : "";
    }
    if (hidden.has(output_index)) return "";
    if (item !== undefined) return written([{ ...event, item: show(fieldsOf(item)) }]);
    const own = nameOf(name);
    return written([own === undefined ? event : { ...event, name: own }]);
  };
  const send = (events: SseEvent[], controller: TransformStreamDefaultController<Uint8Array>) => {
    const text = events.map(textOf).join("");
    if (text !== "") controller.enqueue(encoder.encode(text));
  };
  return new TransformStream({
    transform: (bytes, controller) => send(parser.push(bytes), controller),
    flush: (controller) => send(parser.end(), controller),
  });
}
