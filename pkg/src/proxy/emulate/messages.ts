/** Anthropic's tool search, by pattern or by words, before a backend of the Messages API that has none. */

import { freed, Pieces, read } from "../../wire/anthropic.js";
import { reference, searchResult } from "../../wire/anthropic-references.js";
import { type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { summed } from "../../wire/usage.js";
import { type SseEvent, typedText } from "../sse.js";
import { blockEvents } from "../wires/anthropic-reply.js";
import type { Finder, Kind } from "./finder.js";
import { type Block, resultOf, serverId, translated, withoutCaller } from "./messages-history.js";
import { backendTool, parsedJson } from "./shared.js";
import type { Conversation, Found } from "./types.js";

const TOOL = /^tool_search_tool_(regex|bm25)(_\d+)?$/;

interface SearchTool {
  name: string;
  kind: Kind;
}

/** One request of the Messages API. */
export class MessagesConversation implements Conversation {
  readonly stream: boolean;
  readonly #body: Fields;
  readonly #finder: Finder;
  readonly #search: SearchTool | undefined;
  readonly #deferred: ReadonlyMap<string, Fields>;
  readonly #loaded = new Set<string>();
  /** The names that a search finds. */
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
  #usage: unknown;
  #pieces = new Pieces();
  /** The places of the backend's blocks in the client's content. */
  #places = new Map<unknown, number>();
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
    this.#pieces = new Pieces();
    this.#places = new Map();
    this.#isWhole = false;
    return JSON.stringify({
      ...others,
      messages: this.#messages,
      ...(tools !== undefined && written.length > 0 && { tools: written }),
      // Without tools the API refuses a choice of them.
      ...(tool_choice !== undefined && written.length > 0 && { tool_choice: isDone ? freed(tool_choice) : tool_choice }),
    });
  }

  async take(reply: unknown): Promise<void> {
    const { content, stop_reason, stop_sequence, usage: _, ...head } = fieldsOf(reply);
    if (this.#rounds === 0) this.#head = head;
    this.#end = { stop_reason, stop_sequence };
    this.#content.push(...objectsIn(content).map((block) => (this.#isSearch(block) ? shownSearch(block) : block)));
    this.#content.push(...this.#answered(fieldsOf(reply)));
  }

  async push({ raw, data }: SseEvent): Promise<string> {
    if (data === undefined) return raw;
    const event = parsedJson(data);
    const type = event?.["type"];
    if (event === undefined) return raw;
    this.#pieces.add(event);
    if (type === "message_start") return this.#rounds === 0 ? raw : "";
    if (type === "content_block_start") return this.#blockStarted(event);
    const index = this.#places.get(event["index"]);
    if (type === "content_block_delta" || type === "content_block_stop") {
      return index === undefined ? "" : typedText({ ...event, index });
    }
    if (type === "message_delta") {
      this.#end = fieldsOf(event["delta"]);
      return "";
    }
    if (type !== "message_stop") return raw;
    const answers = this.#answered(this.#pieces.reply ?? {});
    return answers.map((block) => this.#wholeBlock(block)).join("");
  }

  reply(): string {
    return JSON.stringify({ ...this.#head, content: this.#content, ...this.#ending(), usage: this.#usage });
  }

  close(): string {
    const delta = { type: "message_delta", delta: this.#ending(), usage: this.#usage };
    return typedText(delta) + typedText({ type: "message_stop" });
  }

  failed(body: string): string {
    const error = parsedJson(body);
    const fallback = { type: "error", error: { type: "api_error", message: "the upstream refused a request" } };
    return typedText(error?.["type"] === "error" ? error : fallback);
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

  /** Takes a reply of the backend, makes the searches in it, and returns their answers for the client. */
  #answered(reply: Fields): Block[] {
    this.#rounds += 1;
    this.#usage = summed(this.#usage, reply["usage"]);
    this.#round = objectsIn(reply["content"]);
    this.#isWhole = true;
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
      const replies = read(reply)!.messages.map((message) => {
        return { ...message, content: objectsIn(fieldsOf(message)["content"]).map(withoutCaller) };
      });
      this.#messages.push(...replies, { role: "user", content: answers });
    }
    return shown;
  }

  #find(input: Fields): Found {
    const { kind } = this.#search!;
    const query = textIn(kind === "pattern" ? (input["pattern"] ?? input["query"]) : (input["query"] ?? input["pattern"]));
    return this.#finder.find(this.#searchable, kind, { query, limit: input["limit"] });
  }

  #blockStarted(event: Fields): string {
    const block = fieldsOf(event["content_block"]);
    const index = this.#index++;
    this.#places.set(event["index"], index);
    return typedText({ ...event, index, content_block: this.#isSearch(block) ? shownSearch(block) : block });
  }

  #wholeBlock(content_block: Block): string {
    const index = this.#index;
    this.#index += 1;
    return blockEvents(index, content_block).map(typedText).join("");
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
  return searchResult(found.names.map(reference));
}
