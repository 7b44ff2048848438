/** Joins the streams of the Responses API. Items are passed on as they arrive; reasoning waits for the item after it. */

import type { Reply } from "../../wire/api.js";
import { type Fields, fieldsOf, textIn, summed } from "../../wire/fields.js";
import { ENDING, isCall, OPENING, read } from "../../wire/openai-responses.js";
import type { JsonText } from "../json-text.js";
import { type SseEvent, typedText } from "../sse.js";
import type { Decided } from "../../loop/rounds.js";
import type { WireRequest, Joiner } from "../wire.js";
import { Joining, dataOf, isWhole } from "./shared.js";
import { itemEvents, nameIn, repeated, unwrappedItem } from "./openai-responses-items.js";

interface Received {
  event: SseEvent;
  data: Fields;
}

interface Item {
  item: Fields;
  /** The client's index of the item; undefined while it waits, and if the client does not get it. */
  index: number | undefined;
  isHidden: boolean;
  waiting: Received[];
}

export class ResponsesJoiner extends Joining implements Joiner {
  readonly #body: JsonText;
  #opening: Received[] = [];
  #hasBegun = false;
  #client: Fields = {};
  #items = new Map<number, Item>();
  #ending: Received | undefined;
  #shown: Fields[] = [];
  #sequence = 0;
  #before: unknown;

  constructor(request: WireRequest) {
    super(request);
    this.#body = request.body;
  }

  get id(): string | undefined {
    return textIn(this.#client["id"]);
  }

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.#items = new Map();
    this.#ending = undefined;
    if (!this.#hasBegun) this.#opening = [];
  }

  push(event: SseEvent): string {
    const data = dataOf(event);
    const type = data?.["type"];
    if (data === undefined) return this.#hasBegun || event.data === undefined ? event.raw : "";
    if (OPENING.includes(type)) {
      if (!this.#hasBegun) this.#opening.push({ event, data });
      return "";
    }
    if (ENDING.includes(type)) {
      this.#ending = { event, data };
      return "";
    }
    if (type === "error") {
      this.failed = true;
      return this.#opened() + event.raw;
    }
    if (type === "response.output_item.added") this.#add(data);
    const item = this.#items.get(Number(data["output_index"]));
    if (item === undefined) return this.#hasBegun ? this.#numbered({ event, data }, {}) : "";
    if (type === "response.output_item.done") item.item = fieldsOf(data["item"]);
    if (item.isHidden) return "";
    if (item.index !== undefined) return this.#passed(item, { event, data });
    item.waiting.push({ event, data });
    return this.#waits(item) ? "" : this.#released();
  }

  ended(): Reply | undefined {
    if (this.failed || this.#ending === undefined) return undefined;
    return read(fieldsOf(this.#ending.data["response"]));
  }

  next(): void {
    const response = fieldsOf(this.#ending?.data["response"]);
    this.#before = summed(this.#before, response["usage"]);
    this.#keep();
  }

  close({ handed }: Decided): string {
    const calls = [...this.#items.values()].filter(({ item }) => isCall(item));
    let written = this.#opened() + this.#released();
    this.#keep();
    for (const one of handed) {
      const { item, isHidden } = calls[one.at]!;
      this.ids.push(textIn(item["call_id"]) ?? "");
      if (isHidden) written += this.#own(unwrappedItem(item, one));
    }
    return written + (this.#ending === undefined ? "" : this.#end(this.#ending, isWhole(handed, calls.length)));
  }

  rest(): string {
    const written = this.#opened() + this.#released();
    return written + (this.#ending === undefined ? "" : this.#numbered(this.#ending, {}));
  }

  #add(data: Fields): void {
    const item = fieldsOf(data["item"]);
    const name = isCall(item) ? nameIn(item) : undefined;
    this.hasCall ||= name !== undefined;
    const isHidden = name !== undefined && !this.isReal(name);
    this.#items.set(Number(data["output_index"]), { item, index: undefined, isHidden, waiting: [] });
  }

  /** Checks if an item of which the client has nothing yet must still wait. */
  #waits({ item, waiting }: Item): boolean {
    if (item["type"] === "reasoning") return true;
    if (item["type"] !== "message" || !this.isStructured) return false;
    // JSON is the reply itself: no other text comes.
    const text = waiting
      .map(({ data }) => (data["type"] === "response.output_text.delta" ? (textIn(data["delta"]) ?? "") : ""))
      .join("");
    return !this.beginsJson(text);
  }

  #released(): string {
    let written = this.#opened();
    for (const item of this.#items.values()) {
      if (item.isHidden || item.index !== undefined) continue;
      item.index = this.#shown.length + this.#open();
      const { waiting } = item;
      item.waiting = [];
      written += waiting.map((received) => this.#passed(item, received)).join("");
    }
    return written;
  }

  #open(): number {
    return [...this.#items.values()].filter(({ index }) => index !== undefined).length;
  }

  /** Adds the items that the client has to its response. */
  #keep(): void {
    for (const { item, index } of this.#items.values()) if (index !== undefined) this.#shown[index] = item;
  }

  #passed({ index }: Item, received: Received): string {
    const { data } = received;
    if (data["type"] === "response.output_text.delta") this.tell(data["delta"]);
    return this.#numbered(received, data["output_index"] === index ? {} : { output_index: index });
  }

  /** Returns an event with the client's numbers; the unchanged event if nothing in it changes. */
  #numbered({ event, data }: Received, changes: Fields): string {
    const number = this.#sequence++;
    const isNumbered = typeof data["sequence_number"] === "number";
    const isSame = !isNumbered || data["sequence_number"] === number;
    if (isSame && Object.keys(changes).length === 0) return event.raw;
    const changed = { ...data, ...changes, ...(isNumbered ? { sequence_number: number } : {}) };
    return typedText(changed);
  }

  #opened(): string {
    const opening = this.#opening;
    this.#opening = [];
    this.#hasBegun = true;
    if (opening.length > 0) this.#client = fieldsOf(opening[0]!.data["response"]);
    return opening.map((received) => this.#numbered(received, this.#toldOwn(fieldsOf(received.data["response"])))).join("");
  }

  /** Replaces the fields that repeat the request: the client gets its own values, not the proxy's. */
  #toldOwn(response: Fields): Fields {
    const own = repeated(response, this.#body);
    return Object.keys(own).length === 0 ? {} : { response: { ...response, ...own } };
  }

  #own(item: Fields): string {
    const output_index = this.#shown.length;
    this.#shown.push(item);
    const events = itemEvents(output_index, item);
    return events.map((one) => typedText({ ...one, sequence_number: this.#sequence++ })).join("");
  }

  #end(received: Received, isWhole: boolean): string {
    const response = fieldsOf(received.data["response"]);
    if (this.round === 1 && isWhole) return this.#numbered(received, this.#toldOwn(response));
    const { id, created_at } = this.#client;
    const usage = summed(this.#before, response["usage"]);
    const whole = {
      ...response,
      ...fieldsOf(this.#toldOwn(response)["response"]),
      ...(id === undefined ? {} : { id }),
      ...(created_at === undefined ? {} : { created_at }),
      output: this.#shown,
      ...(usage === undefined ? {} : { usage }),
    };
    return this.#numbered(received, { response: whole });
  }
}
