/** OpenAI's tool search, hosted or run by the client, before a backend of the Responses API that has none. */

import { definedFields, type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { isCall, OPENING, sentBack } from "../../wire/openai-responses.js";
import { summed } from "../../wire/usage.js";
import { type SseEvent, typedText } from "../sse.js";
import { itemEvents } from "../wires/openai-responses-items.js";
import type { Finder } from "./finder.js";
import type { Memory } from "./remembered.js";
import { isOwnReference, itemsOf, searchIds, translatedInput } from "./responses-history.js";
import { type DeferredFunction, Tools } from "./responses-tools.js";
import { backendTool, foundText, listIn, parsedJson } from "./shared.js";
import type { Conversation } from "./types.js";

/** What a hosted search takes, as the vendor's own does; words find tools as well as names do. */
const PATHS = {
  type: "array",
  items: { type: "string" },
  description: "What to load: names of those below, or what the tools should do, in plain words.",
};

/** One request of the Responses API. */
export class ResponsesConversation implements Conversation {
  readonly stream: boolean;
  readonly #body: Fields;
  readonly #finder: Finder;
  readonly #remembered: Memory;
  readonly #tools = new Tools();
  readonly #loaded = new Set<DeferredFunction>();
  /** The names that a search finds. */
  readonly #searchable: readonly object[];
  /** The search as the client wrote it. */
  readonly #search: Fields | undefined;
  readonly #name: string;
  readonly #input: unknown[];
  /** The backend's id of the response before this one. */
  readonly #previous: string | undefined;
  /** The items that the client is handed. */
  readonly #output: Fields[] = [];
  /** The items of the last reply, as the backend wrote them. */
  #round: Fields[] = [];
  /** The answers to the searches of the last reply. */
  #answers: Fields[] = [];
  #rounds = 0;
  #response: Fields = {};
  /** The id that the client reads: of the first reply. */
  #id: string | undefined;
  #usage: unknown;
  /** The places of the backend's items in the client's output. */
  #places = new Map<unknown, number>();
  #index = 0;
  #sequence = 0;
  #end = "response.completed";
  #isWhole = false;

  constructor(body: Fields, finder: Finder, remembered: Memory) {
    this.#body = body;
    this.#finder = finder;
    this.#remembered = remembered;
    this.stream = body["stream"] === true;
    const tools = objectsIn(body["tools"]);
    this.#search = tools.find(({ type }) => type === "tool_search");
    this.#tools.add(tools.filter((tool) => tool !== this.#search));
    this.#name = this.#tools.has("tool_search") ? "tool_search_" : "tool_search";
    const before = remembered.of(textIn(body["previous_response_id"]));
    this.#previous = before?.id;
    for (const entry of this.#tools.add(before?.tools)) this.#loaded.add(entry);
    const items = itemsOf(body["input"]).filter((item) => !isOwnReference(item));
    this.#input = translatedInput(items, this.#tools, this.#name, this.#loaded) as unknown[];
    this.#searchable = this.#tools.all.filter((entry) => entry.deferred).map(definitionFor);
    const { name, namespace } = fieldsOf(body["tool_choice"]);
    const chosen = name === undefined ? undefined : this.#tools.named(name, namespace);
    if (chosen !== undefined) this.#loaded.add(chosen);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get goesOn(): boolean {
    const calls = this.#round.filter(isCall);
    return this.#answers.length > 0 && this.#answers.length === calls.length && this.#end === "response.completed";
  }

  body(isLast: boolean): string {
    const { input: _, tools, tool_choice, parallel_tool_calls, ...others } = this.#body;
    const written = this.#written(isLast);
    const choice = this.#choice(tool_choice);
    this.#round = [];
    this.#answers = [];
    this.#places = new Map();
    this.#isWhole = false;
    return JSON.stringify({
      ...others,
      ...(this.#previous !== undefined && { previous_response_id: this.#previous }),
      input: this.#input,
      ...(tools !== undefined && written.length > 0 && { tools: written }),
      // Without tools the API refuses what is said of their calls.
      ...(written.length > 0 && definedFields({ tool_choice: choice, parallel_tool_calls })),
    });
  }

  async take(reply: unknown): Promise<void> {
    const response = fieldsOf(reply);
    for (const item of objectsIn(response["output"])) await this.#item(item);
    this.#finished(response);
  }

  async push({ raw, data }: SseEvent): Promise<string> {
    const event = data === undefined ? undefined : parsedJson(data);
    if (event === undefined) return raw;
    const type = textIn(event["type"]) ?? "";
    if (type === "response.completed" || type === "response.incomplete") {
      this.#end = type;
      this.#finished(fieldsOf(event["response"]));
      return "";
    }
    if (event["output_index"] !== undefined) return this.#ofItem(type, event);
    if (!OPENING.includes(type)) return this.#event(event);
    if (this.#rounds > 0) return "";
    return this.#event({ ...event, response: { ...fieldsOf(event["response"]), tools: this.#body["tools"] } });
  }

  reply(): string {
    return JSON.stringify(this.#whole());
  }

  close(): string {
    return this.#event({ type: this.#end, response: this.#whole() });
  }

  failed(body: string): string {
    const { code, message } = fieldsOf(parsedJson(body)?.["error"]);
    const text = textIn(message) ?? "the upstream refused a request";
    return this.#event({ type: "error", code: code ?? "server_error", message: text, param: null });
  }

  #whole(): Fields {
    const { usage: _, ...response } = this.#response;
    const tools = "tools" in response ? { tools: this.#body["tools"] ?? [] } : {};
    const id = this.#id === undefined ? {} : { id: this.#id };
    return { ...response, ...id, ...tools, output: this.#output, ...(this.#usage != null && { usage: this.#usage }) };
  }

  /** What is always there first, then the search, then what was loaded, in its order. */
  #written(isLast: boolean): Fields[] {
    const always = this.#tools.all.filter((entry) => !entry.deferred && !this.#loaded.has(entry));
    const search = this.#search === undefined || isLast ? [] : [this.#definition(this.#search)];
    return [...this.#tools.others, ...always.map(functionOf), ...search, ...[...this.#loaded].map(functionOf)];
  }

  /** The choice of tools for the next request: a call of the search was demanded once. */
  #choice(choice: unknown): unknown {
    const { type, name, namespace, ...others } = fieldsOf(choice);
    if (type === "tool_search") return this.#rounds === 0 ? { type: "function", name: this.#name } : "auto";
    const entry = name === undefined ? undefined : this.#tools.named(name, namespace);
    return entry === undefined ? choice : { ...others, type, name: entry.backend };
  }

  /** The search as a function, which every backend knows. */
  #definition({ description, parameters, execution }: Fields): Fields {
    const about = { type: "function", name: this.#name, strict: false };
    const list = this.#tools.searchable;
    const those = list.length === 0 ? "" : `\nThere are:\n${list.join("\n")}`;
    if (execution === "client") {
      const paths = { type: "array", items: { type: "string" }, description: "The names of what to load." };
      const standard = { type: "object", properties: { paths }, required: ["paths"] };
      const text = textIn(description) ?? `Loads further tools by their names.${those}`;
      return { ...about, description: text, parameters: parameters ?? standard };
    }
    return {
      ...about,
      description: `Finds further tools, and loads them: they can be called from the next step on.${those}`,
      parameters: { type: "object", properties: { paths: PATHS }, required: ["paths"] },
    };
  }

  #isSearch({ type, name }: Fields): boolean {
    return this.#search !== undefined && type === "function_call" && name === this.#name;
  }

  /** Takes one whole item, and returns what the client is handed for it. */
  async #item(item: Fields): Promise<Fields[]> {
    this.#round.push(item);
    const shown = this.#isSearch(item) ? await this.#searched(item) : [this.#shown(item)];
    this.#output.push(...shown);
    return shown;
  }

  async #searched(item: Fields): Promise<Fields[]> {
    const { call_id } = item;
    const input = parsedJson(textIn(item["arguments"]) ?? "") ?? {};
    const about = { type: "tool_search_call", status: item["status"] ?? "completed" };
    const ids = searchIds(item);
    if (this.#search!["execution"] === "client") {
      return [{ id: ids.call, ...about, call_id, execution: "client", arguments: input }];
    }
    const query = listIn(input["paths"])
      .flatMap((path) => textIn(path) ?? [])
      .join(", ");
    const found = this.#finder.find(this.#searchable, "words", { query, limit: undefined });
    const names = "names" in found ? found.names : [];
    const entries = names.map((name) => this.#tools.behind(name)).filter((entry) => entry !== undefined);
    for (const entry of entries) this.#loaded.add(entry);
    const output = "error" in found ? found.error : foundText(entries.map(({ backend }) => backend));
    this.#answers.push({ type: "function_call_output", call_id, output });
    const hosted = { call_id: null, execution: "server", status: "completed" };
    return [
      { id: ids.call, ...about, ...hosted, arguments: input },
      { id: ids.output, type: "tool_search_output", ...hosted, tools: this.#tools.shown(entries) },
    ];
  }

  /** A call under the client's name for the tool. */
  #shown(item: Fields): Fields {
    if (!isCall(item)) return item;
    const entry = this.#tools.behind(item["name"]);
    if (entry === undefined) return item;
    const namespace = entry.namespace ?? (entry.deferred ? entry.name : undefined);
    return { ...item, name: entry.name, ...(namespace !== undefined && { namespace }) };
  }

  #finished(response: Fields): void {
    this.#response = response;
    this.#usage = summed(this.#usage, response["usage"]);
    this.#input.push(...this.#round.map(sentBack), ...this.#answers);
    this.#rounds += 1;
    this.#isWhole = true;
    const id = textIn(response["id"]);
    this.#id ??= id;
    if (id === undefined || this.#id === undefined || (this.#loaded.size === 0 && this.#rounds === 1)) return;
    this.#remembered.keep(this.#id, { id, tools: this.#tools.shown([...this.#loaded]) });
  }

  async #ofItem(type: string, event: Fields): Promise<string> {
    const { output_index, item } = event;
    const given = fieldsOf(item);
    if (type === "response.output_item.added") {
      // What a search finds is known at its end.
      if (this.#isSearch(given)) return "";
      this.#places.set(output_index, this.#index);
      this.#index += 1;
    }
    if (type === "response.output_item.done") {
      const shown = await this.#item(given);
      if (!this.#isSearch(given)) return this.#placed(event, { item: shown[0] });
      return shown.map((one) => this.#wholeItem(one)).join("");
    }
    if (!this.#places.has(output_index)) return "";
    if (item !== undefined) return this.#placed(event, { item: this.#shown(given) });
    const entry = event["name"] === undefined ? undefined : this.#tools.behind(event["name"]);
    return this.#placed(event, entry === undefined ? {} : { name: entry.name });
  }

  #placed(event: Fields, changes: Fields): string {
    return this.#event({ ...event, output_index: this.#places.get(event["output_index"]), ...changes });
  }

  #wholeItem(item: Fields): string {
    const output_index = this.#index;
    this.#index += 1;
    return itemEvents(output_index, item)
      .map((event) => this.#event(event))
      .join("");
  }

  #event(event: Fields): string {
    const sequence_number = this.#sequence;
    this.#sequence += 1;
    return typedText({ ...event, sequence_number });
  }
}

function functionOf({ tool, backend }: DeferredFunction): Fields {
  return { ...backendTool(tool), name: backend };
}

/** A tool as the catalog reads it, with its namespace as a word to be found by. */
function definitionFor({ tool, backend, namespace }: DeferredFunction): object {
  const { description, parameters } = tool;
  return {
    name: backend,
    ...(typeof description === "string" && { description }),
    ...(namespace !== undefined && { server: namespace }),
    inputSchema: parameters ?? { type: "object", properties: {} },
  };
}
