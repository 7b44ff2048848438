/** Rewrites requests with OpenAI's tool search, hosted or run by the client, for a Responses API without tool search. */

import { definedFields, type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { isCall, keyOf, named } from "../../wire/openai-responses.js";
import { parsed } from "../../base/values.js";
import type { LoadedTools } from "../states.js";
import { type SseEvent, SseParser, typedText } from "../sse.js";
import { itemEvents } from "../wires/openai-responses-items.js";
import { backendTool, foundText, type Translated } from "./shared.js";

/**
 * Rewrites the request so that its only tools are functions.
 *
 * @param loadedAt returns the tools that a conversation of the vendor, or a conversation up to a stored reply, has loaded
 */
export async function translatedResponses(
  body: Fields,
  loadedAt: (id: string | undefined) => Promise<LoadedTools>,
): Promise<Translated> {
  const { input, tools: given, tool_choice, parallel_tool_calls, ...others } = body;
  const { conversation, previous_response_id, store } = others;
  const kept = textIn(conversation) ?? textIn(fieldsOf(conversation)["id"]);
  const { before, save } = await loadedAt(kept ?? textIn(previous_response_id));
  const tools = new Tools();
  const search = objectsIn(given).find(({ type }) => type === "tool_search");
  tools.add(objectsIn(given).filter((tool) => tool !== search));
  // A hosted search finds all tools. With a client's own search, only the tools that the conversation has loaded are sent.
  const isOwn = search?.["execution"] === "client";
  const isHosted = search !== undefined && !isOwn;
  const name = tools.behind("tool_search") === undefined ? "tool_search" : "tool_search_";
  const loaded = new Set(tools.add(before.map(parsed)));
  const texts = new Set(before);
  // A tool that the model has called is loaded. With a hosted search, toolsift finds these tools itself.
  const called = isHosted ? new Set<DeferredFunction>() : loaded;
  const load = (list: unknown) => {
    const entries = tools.add(list);
    for (const entry of entries) loaded.add(entry);
    for (const tool of objectsIn(list)) texts.add(JSON.stringify(tool));
    return entries.map(({ backend }) => backend);
  };
  /** Rewrites an item for a backend that knows only functions. */
  const translated = (item: Fields): Fields[] => {
    const { type, call_id, status } = item;
    if (type === "additional_tools") return load(item["tools"]) && [];
    if (type === "tool_search_call") {
      // The vendor's own search has no call. Its output contains the loaded tools.
      if (call_id == null) return [];
      const args = JSON.stringify(item["arguments"] ?? {});
      return [{ type: "function_call", call_id, name, arguments: args, ...(status != null && { status }) }];
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
  };
  const items = Array.isArray(input) ? input.flatMap((item) => translated(fieldsOf(item))) : input;
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
    // The API refuses settings for tool calls without tools.
    ...(sent.length > 0 &&
      definedFields({
        tool_choice: choice["type"] === "tool_search" ? ofSearch : ofTool,
        parallel_tool_calls,
      })),
  });
  const isSearch = (item: Fields) => isOwn && item["type"] === "function_call" && item["name"] === name;
  const show = (item: Fields) => (isSearch(item) ? searchCall(item) : shownCall(item, tools));
  let saving: Promise<void> | undefined;
  const saved = async () => saving;
  const reply = (response: Fields) => {
    const { id, output } = response;
    if (typeof id === "string" && texts.size > 0 && store !== false) saving ??= save(kept ?? id, [...texts]);
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
    saved,
    stream: (most) => streamOf(most, { reply, saved, show, isSearch, nameOf: (one) => tools.behind(one)?.name }),
  };
}

/** Returns the client's own search as a function, which every backend knows. */
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

/** Rewrites a call to the client's name for the tool. A deferred tool without a namespace is its own namespace. */
function shownCall(item: Fields, tools: Tools): Fields {
  const entry = isCall(item) ? tools.behind(item["name"]) : undefined;
  if (entry === undefined) return item;
  const namespace = entry.namespace ?? (entry.deferred ? entry.name : undefined);
  return { ...item, name: entry.name, ...(namespace !== undefined && { namespace }) };
}

interface Shown {
  reply(response: Fields): Fields;
  saved(): Promise<void>;
  show(item: Fields): Fields;
  isSearch(item: Fields): boolean;
  nameOf(backend: unknown): string | undefined;
}

/** Rewrites the stream for the client. The arguments of a search are known only at its end. */
function streamOf(most: number, { reply, saved, show, isSearch, nameOf }: Shown): TransformStream<Uint8Array, Uint8Array> {
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
  const send = async (events: SseEvent[], controller: TransformStreamDefaultController<Uint8Array>) => {
    const text = events.map(textOf).join("");
    await saved();
    if (text !== "") controller.enqueue(encoder.encode(text));
  };
  return new TransformStream({
    transform: (bytes, controller) => send(parser.push(bytes), controller),
    flush: (controller) => send(parser.end(), controller),
  });
}

/** One function, or one custom tool. */
export interface DeferredFunction {
  /** Its name for the backend, which has no namespaces. */
  backend: string;
  name: string;
  /** The namespace that contains it. */
  namespace: string | undefined;
  /** The tool as the client wrote it. */
  tool: Fields;
  deferred: boolean;
}

const NAME_CHARS = 64;

/** The tools, by the client's and by the backend's names. */
export class Tools {
  readonly #entries = new Map<string, DeferredFunction>();
  readonly #byBackend = new Map<string, DeferredFunction>();
  /** The number to append to a name the next time that it is already used. */
  readonly #numbers = new Map<string, number>();
  readonly #namespaces = new Map<string, Fields>();
  /** The tools that are neither functions nor in a namespace. */
  readonly others: Fields[] = [];

  /** Adds tools of a client's list. Returns their entries, including those that were known before. */
  add(tools: unknown): DeferredFunction[] {
    return objectsIn(tools).flatMap((tool) => {
      if (tool["type"] === "namespace") {
        const namespace = String(tool["name"]);
        this.#namespaces.set(namespace, tool);
        return objectsIn(tool["tools"]).map((inner) => this.#entry(inner, namespace));
      }
      if (tool["type"] === "function" || tool["defer_loading"] === true) return [this.#entry(tool, undefined)];
      this.others.push(backendTool(tool));
      return [];
    });
  }

  get all(): DeferredFunction[] {
    return [...this.#entries.values()];
  }

  named(name: unknown, namespace: unknown): DeferredFunction | undefined {
    const exact = this.#entries.get(keyOf({ name: String(name), namespace: textIn(namespace) }));
    return exact ?? this.#entries.get(keyOf(named({ name: String(name), namespace })));
  }

  behind(name: unknown): DeferredFunction | undefined {
    return this.#byBackend.get(name as string);
  }

  /** Returns the lines for the model about its search: namespaces, and functions without a namespace. */
  get searchable(): string[] {
    const deferred = this.all.filter((entry) => entry.deferred);
    const namespaces = new Set(deferred.flatMap(({ namespace }) => namespace ?? []));
    const about = [...namespaces].map((name) => lineOf(name, this.#namespaces.get(name)?.["description"]));
    const alone = deferred.filter(({ namespace }) => namespace === undefined);
    return [...about, ...alone.map(({ name, tool }) => lineOf(name, tool["description"]))];
  }

  #entry(tool: Fields, namespace: string | undefined): DeferredFunction {
    const name = String(tool["name"]);
    const key = keyOf({ name, namespace });
    const known = this.#entries.get(key);
    // The tools in the client's current list take precedence over tools that the conversation has loaded.
    if (known !== undefined) return known;
    const deferred = tool["defer_loading"] === true;
    const entry = { backend: this.#free(name, namespace), name, namespace, tool, deferred };
    this.#entries.set(key, entry);
    this.#byBackend.set(entry.backend, entry);
    return entry;
  }

  #free(name: string, namespace: string | undefined): string {
    if (namespace === undefined || !this.#byBackend.has(name)) return name;
    const long = `${namespace}__${name}`.slice(-NAME_CHARS);
    let tried = long;
    while (this.#byBackend.has(tried)) {
      const number = this.#numbers.get(long) ?? 2;
      this.#numbers.set(long, number + 1);
      tried = `${long.slice(0, NAME_CHARS - `_${number}`.length)}_${number}`;
    }
    return tried;
  }
}

/** The maximum length of a description in characters. It says what to search for, not how to call it. */
const LINE_CHARS = 100;

function lineOf(name: string, description: unknown): string {
  const text = (textIn(description) ?? "").split("\n")[0]!.slice(0, LINE_CHARS);
  return text === "" ? `- ${name}` : `- ${name}: ${text}`;
}
