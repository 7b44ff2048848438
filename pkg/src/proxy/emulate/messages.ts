/** Anthropic's tool search, by pattern or by words, before a backend of the Messages API that has none. */

import { type Fields, fieldsOf, objectsIn, textIn } from "../fields.js";
import { type SseEvent, sseText } from "../sse.js";
import type { Finder, Kind } from "./finder.js";
import { type Block, resultOf, serverId, translated, withoutCaller } from "./messages-history.js";
import { backendTool, listIn, parsedJson } from "./shared.js";
import type { Conversation, Found } from "./types.js";

/** Tokens that a request costs, which are summed over all requests to the backend. */
const COUNTED = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const TOOL = /^tool_search_tool_(regex|bm25)(_\d+)?$/;

interface SearchTool {
  name: string;
  kind: Kind;
}

/** A block of a stream that has not ended. */
interface Open {
  block: Record<string, unknown>;
  /** Its place in the client's content. */
  index: number;
  json: string;
}

/** One request of the Messages API. */
export class MessagesConversation implements Conversation {
  readonly stream: boolean;
  readonly #body: Fields;
  readonly #finder: Finder;
  readonly #search: SearchTool | undefined;
  readonly #deferred: ReadonlyMap<string, Fields>;
  readonly #loaded = new Set<string>();
  /** What a search finds. */
  readonly #searchable: readonly object[];
  readonly #messages: unknown;
  /** The client's content so far, where the reply is not streamed. */
  readonly #content: Block[] = [];
  /** The blocks of the last reply, as the backend wrote them. */
  #round: Block[] = [];
  #rounds = 0;
  #isLast = false;
  #head: Fields = {};
  #end: Fields = {};
  #usage: Record<string, unknown> = {};
  /** The usage of the round that is being read. */
  #counting: Record<string, unknown> = {};
  #open = new Map<unknown, Open>();
  #index = 0;
  #isWhole = false;

  constructor(body: Fields, finder: Finder) {
    this.#body = body;
    this.#finder = finder;
    this.stream = body["stream"] === true;
    const tools = objectsIn(body["tools"]);
    this.#search = tools.map(searchTool).find((one) => one !== undefined);
    const deferred = tools.filter((tool) => tool["defer_loading"] === true && searchTool(tool) === undefined);
    this.#deferred = new Map(deferred.map((tool) => [String(tool["name"]), tool]));
    this.#searchable = [...this.#deferred.values()].map(definitionFor);
    this.#messages = translated(body["messages"], this.#loaded);
    const { type, name } = fieldsOf(body["tool_choice"]);
    if (type === "tool" && typeof name === "string") this.#loaded.add(name);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get goesOn(): boolean {
    const calls = this.#round.filter(({ type }) => type === "tool_use");
    const searches = calls.filter((call) => this.#isSearch(call));
    return this.#end["stop_reason"] === "tool_use" && searches.length > 0 && searches.length === calls.length;
  }

  body(isLast: boolean): string {
    this.#isLast = isLast;
    const { messages: _, tools, tool_choice, ...others } = this.#body;
    const isAgain = this.#rounds > 0;
    const choice = fieldsOf(tool_choice);
    // The search was demanded, and made.
    const isDone = isAgain && choice["type"] === "tool" && choice["name"] === this.#search?.name;
    const written = this.#tools();
    this.#round = [];
    this.#open = new Map();
    this.#isWhole = false;
    return JSON.stringify({
      ...others,
      messages: this.#messages,
      ...(tools !== undefined && written.length > 0 && { tools: written }),
      ...(tool_choice !== undefined && { tool_choice: isDone ? { type: "auto" } : tool_choice }),
    });
  }

  async take(reply: unknown): Promise<void> {
    const { content, stop_reason, stop_sequence, usage, ...head } = fieldsOf(reply);
    if (this.#rounds === 0) this.#head = head;
    this.#end = { stop_reason, stop_sequence };
    this.#counting = { ...fieldsOf(usage) };
    this.#round = objectsIn(content);
    this.#content.push(...this.#round.map((block) => (this.#isSearch(block) ? shownSearch(block) : block)));
    this.#content.push(...(await this.#answered()));
    this.#isWhole = true;
  }

  async push({ raw, data }: SseEvent): Promise<string> {
    if (data === undefined) return raw;
    const event = parsedJson(data);
    const type = event?.["type"];
    if (event === undefined) return raw;
    if (type === "message_start") return this.#started(event, raw);
    if (type === "content_block_start") return this.#blockStarted(event);
    if (type === "content_block_delta") return this.#blockGrew(event);
    if (type === "content_block_stop") return this.#blockStopped(event);
    if (type === "message_delta") {
      this.#end = fieldsOf(event["delta"]);
      Object.assign(this.#counting, given(fieldsOf(event["usage"])));
      return "";
    }
    if (type !== "message_stop") return raw;
    const answers = await this.#answered();
    this.#isWhole = true;
    return answers.map((block) => this.#wholeBlock(block)).join("");
  }

  reply(): string {
    return JSON.stringify({ ...this.#head, content: this.#content, ...this.#ending(), usage: this.#usage });
  }

  close(): string {
    const delta = { type: "message_delta", delta: this.#ending(), usage: this.#usage };
    return written(delta) + written({ type: "message_stop" });
  }

  failed(body: string): string {
    const error = parsedJson(body);
    const fallback = { type: "error", error: { type: "api_error", message: "the upstream refused a request" } };
    return written(error?.["type"] === "error" ? error : fallback);
  }

  /** The model searched as often as it may: it can go on, as after any pause. */
  #ending(): Fields {
    return this.#isLast && this.goesOn ? { ...this.#end, stop_reason: "pause_turn" } : this.#end;
  }

  #isSearch(block: Block): boolean {
    return this.#search !== undefined && block["type"] === "tool_use" && block["name"] === this.#search.name;
  }

  /** What is always there first, then the search, then what was loaded, in its order. */
  #tools(): unknown[] {
    const tools = objectsIn(this.#body["tools"]);
    const always = tools.filter((tool) => searchTool(tool) === undefined && !this.#deferred.has(String(tool["name"])));
    const loaded = [...this.#loaded].map((name) => this.#deferred.get(name)).filter((tool) => tool !== undefined);
    return [...always.map(backendTool), ...(this.#search ? [definitionOf(this.#search)] : []), ...loaded.map(backendTool)];
  }

  /** Makes the searches of the reply, and returns their answers for the client. */
  async #answered(): Promise<Block[]> {
    this.#rounds += 1;
    for (const [key, value] of Object.entries(this.#counting)) {
      const before = this.#usage[key];
      const isSum = COUNTED.includes(key) && typeof value === "number" && typeof before === "number";
      this.#usage[key] = isSum ? before + value : (value ?? before);
    }
    const searches = this.#round.filter((block) => this.#isSearch(block));
    const shown: Block[] = [];
    const answers: Block[] = [];
    for (const { id, input } of searches) {
      const found = this.#find(fieldsOf(input));
      if ("names" in found) for (const name of found.names) this.#loaded.add(name);
      shown.push({ type: "tool_search_tool_result", tool_use_id: serverId(String(id)), content: contentOf(found) });
      answers.push("names" in found ? resultOf(String(id), found.names) : resultOf(String(id), undefined, found.error));
    }
    if (answers.length > 0 && Array.isArray(this.#messages)) {
      const said = { role: "assistant", content: this.#round.map(withoutCaller) };
      this.#messages.push(said, { role: "user", content: answers });
    }
    return shown;
  }

  #find(input: Fields): Found {
    const { kind } = this.#search!;
    const query = textIn(kind === "pattern" ? (input["pattern"] ?? input["query"]) : (input["query"] ?? input["pattern"]));
    return this.#finder.find(this.#searchable, kind, { query, limit: input["limit"] });
  }

  #started(event: Fields, raw: string): string {
    this.#counting = { ...fieldsOf(fieldsOf(event["message"])["usage"]) };
    return this.#rounds === 0 ? raw : "";
  }

  #blockStarted(event: Fields): string {
    const block = { ...fieldsOf(event["content_block"]) };
    const open = { block, index: this.#index, json: "" };
    this.#index += 1;
    this.#open.set(event["index"], open);
    return written({ ...event, index: open.index, content_block: this.#isSearch(block) ? shownSearch(block) : block });
  }

  #blockGrew(event: Fields): string {
    const open = this.#open.get(event["index"]);
    if (open === undefined) return "";
    const delta = fieldsOf(event["delta"]);
    const { block } = open;
    if (delta["type"] === "input_json_delta") open.json += textIn(delta["partial_json"]) ?? "";
    else if (delta["type"] === "citations_delta") block["citations"] = [...listIn(block["citations"]), delta["citation"]];
    for (const key of ["text", "thinking", "signature"]) {
      if (typeof delta[key] === "string") block[key] = `${textIn(block[key]) ?? ""}${delta[key]}`;
    }
    return written({ ...event, index: open.index });
  }

  #blockStopped(event: Fields): string {
    const open = this.#open.get(event["index"]);
    if (open === undefined) return "";
    if (open.json !== "") open.block["input"] = parsedJson(open.json) ?? {};
    this.#round.push(open.block);
    return written({ ...event, index: open.index });
  }

  #wholeBlock(content_block: Block): string {
    const index = this.#index;
    this.#index += 1;
    return written({ type: "content_block_start", index, content_block }) + written({ type: "content_block_stop", index });
  }
}

function searchTool({ type, name }: Fields): SearchTool | undefined {
  const [, kind] = TOOL.exec(typeof type === "string" ? type : "") ?? [];
  if (kind === undefined) return undefined;
  return { name: textIn(name) ?? `tool_search_tool_${kind}`, kind: kind === "regex" ? "pattern" : "words" };
}

/** The search as a function, which every backend knows. */
function definitionOf({ name, kind }: SearchTool): Fields {
  const isPattern = kind === "pattern";
  const query = isPattern
    ? { pattern: { type: "string", description: "A regular expression, at most 200 characters; (?i) ignores case." } }
    : { query: { type: "string", description: "What the tool should do, in plain words; at most 500 characters." } };
  const how = isPattern ? "whose name, description or arguments match a regular expression" : "by what they do";
  return {
    name,
    description: `Finds further tools ${how}. The tools that it finds can be called from the next step on.`,
    input_schema: {
      type: "object",
      properties: { ...query, limit: { type: "integer", description: "How many tools at most, from 1 to 5." } },
      required: Object.keys(query),
    },
  };
}

/** A tool as the catalog reads it. */
function definitionFor({ name, description, input_schema }: Fields): object {
  return { name, ...(description !== undefined && { description }), input_schema };
}

function shownSearch({ id, name, input }: Block): Block {
  return { type: "server_tool_use", id: serverId(String(id)), name, input, caller: { type: "direct" } };
}

function contentOf(found: Found): Block {
  if ("error" in found) {
    return { type: "tool_search_tool_result_error", error_code: "invalid_tool_input", error_message: found.error };
  }
  const tool_references = found.names.map((tool_name) => ({ type: "tool_reference", tool_name }));
  return { type: "tool_search_tool_search_result", tool_references };
}

function written(event: Fields): string {
  return sseText(JSON.stringify(event), String(event["type"]));
}

const given = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
