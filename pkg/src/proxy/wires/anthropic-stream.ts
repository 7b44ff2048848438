/** Joins the streams of the Messages API. Blocks are passed on as they arrive, except calls of discovery tools. */

import { parsed } from "../../base/values.js";
import type { Reply } from "../../wire/api.js";
import { Pieces, read } from "../../wire/anthropic.js";
import { type Fields, fieldsOf, textIn, summed } from "../../wire/fields.js";
import { type SseEvent, typedText } from "../sse.js";
import type { Decided } from "../../loop/rounds.js";
import type { Joiner } from "../wire.js";
import { Joining, dataOf, isWhole } from "./shared.js";
import { blockEvents, stopOf, unwrappedBlock, markedAs, markedBlock } from "./anthropic-thinking.js";

/** The fields of the usage that the end of a message may contain. */
const USAGE = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "server_tool_use"];

interface Block {
  block: Fields;
  /** The client's index of the block; undefined if the client does not get it. */
  index: number | undefined;
  /** The events that wait until it is known that the reply is for the client; undefined if the block does not wait. */
  waiting: string[] | undefined;
}

/** Joins replies that are lists of blocks. Some blocks wait until it is known that the reply is for the client. */
export class AnthropicJoiner extends Joining implements Joiner {
  #blocks = new Map<number, Block>();
  #pieces = new Pieces();
  #ending: SseEvent[] = [];
  #given = 0;
  /** The beginning of the message, until it is passed on with the next event. */
  #opening: string | undefined = "";
  #hasBegun = false;
  #before: unknown;

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.#blocks = new Map();
    this.#pieces = new Pieces();
    this.#ending = [];
  }

  push(event: SseEvent): string {
    const data = dataOf(event) ?? {};
    this.#pieces.add(data);
    switch (data["type"]) {
      case "message_start":
        if (!this.#hasBegun) this.#opening = event.raw;
        return "";
      case "content_block_start":
        return this.#start(event, data);
      case "content_block_delta":
        return this.#delta(event, data);
      case "content_block_stop":
        return this.#passed(this.#blocks.get(Number(data["index"])), event, data);
      case "message_delta":
      case "message_stop":
        this.#ending.push(event);
        return "";
      case "error":
        this.failed = true;
        return this.#opened() + event.raw;
      case "ping":
      case undefined:
        // An event that keeps the connection alive. The beginning of the message comes before it.
        return this.#opened() + event.raw;
      default:
        // An unknown event.
        return this.#hasBegun ? event.raw : "";
    }
  }

  ended(): Reply | undefined {
    const { reply } = this.#pieces;
    return this.failed || reply === undefined ? undefined : read(reply);
  }

  next(): void {
    this.#before = summed(this.#before, this.#pieces.usage);
  }

  close({ handed }: Decided): string {
    const calls = [...this.#blocks.values()].filter(({ block }) => block["type"] === "tool_use");
    let written = this.#opened() + this.#waiting();
    for (const one of handed) {
      const { block, index } = calls[one.at]!;
      this.ids.push(textIn(block["id"]) ?? "");
      if (index === undefined)
        written += blockEvents(this.#given++, unwrappedBlock(block, one))
          .map(typedText)
          .join("");
    }
    const isSame = this.round === 1 && isWhole(handed, calls.length);
    return written + this.#ending.map((event) => (isSame ? event.raw : this.#end(event, handed))).join("");
  }

  rest(): string {
    return this.#opened() + this.#waiting() + this.#ending.map(({ raw }) => raw).join("");
  }

  #start(event: SseEvent, data: Fields): string {
    const block = this.#pieces.blockAt(data["index"])!;
    this.hasCall ||= block["type"] === "tool_use";
    const isHidden = block["type"] === "tool_use" && !this.isReal(textIn(block["name"]) ?? "");
    const waits = this.isStructured && block["type"] === "text";
    const one: Block = { block, index: undefined, waiting: waits ? [] : undefined };
    this.#blocks.set(Number(data["index"]), one);
    if (isHidden) return "";
    const marked = markedBlock(block, this.round);
    if (waits) {
      one.waiting!.push(event.raw);
      return "";
    }
    one.index = this.#given++;
    return this.#opened() + this.#passed(one, event, marked === block ? data : { ...data, content_block: marked });
  }

  #delta(event: SseEvent, data: Fields): string {
    const one = this.#blocks.get(Number(data["index"]));
    if (one === undefined) return "";
    const delta = fieldsOf(data["delta"]);
    if (delta["type"] === "text_delta" && one.index !== undefined) this.tell(delta["text"]);
    const signature = delta["type"] === "signature_delta" ? textIn(delta["signature"]) : undefined;
    if (signature !== undefined && this.round > 1) {
      return this.#passed(one, undefined, { ...data, delta: { ...delta, signature: markedAs(signature, this.round) } });
    }
    const begins = one.waiting !== undefined && one.index === undefined && this.beginsJson(textIn(one.block["text"]) ?? "");
    if (!begins) return this.#passed(one, event, data);
    // A text that begins as JSON is the reply itself: no other text comes.
    one.waiting!.push(event.raw);
    return this.#opened() + this.#released(one);
  }

  #waiting(): string {
    return [...this.#blocks.values()].map((one) => (one.waiting === undefined ? "" : this.#released(one))).join("");
  }

  #released(one: Block): string {
    const texts = one.waiting ?? [];
    one.index = this.#given++;
    one.waiting = undefined;
    return texts
      .map((raw) => {
        const data = fieldsOf(parsed(dataIn(raw) ?? ""));
        if (data["type"] === "content_block_delta") this.tell(fieldsOf(data["delta"])["text"]);
        return this.#passed(one, undefined, data);
      })
      .join("");
  }

  /** Returns an event of a block with the client's index; the unchanged event if nothing in it changes. */
  #passed(one: Block | undefined, event: SseEvent | undefined, data: Fields): string {
    if (one?.waiting !== undefined && event !== undefined) one.waiting.push(event.raw);
    if (one?.index === undefined) return "";
    const isSame = event !== undefined && data["index"] === one.index && this.round === 1;
    return isSame ? event.raw : typedText({ ...data, index: one.index });
  }

  #opened(): string {
    const opening = this.#opening ?? "";
    this.#opening = undefined;
    this.#hasBegun = true;
    return opening;
  }

  #end({ raw, data }: SseEvent, handed: Decided["handed"]): string {
    const one = fieldsOf(parsed(data ?? ""));
    if (one["type"] !== "message_delta") return raw;
    const delta = fieldsOf(one["delta"]);
    const total = fieldsOf(summed(this.#before, this.#pieces.usage));
    const usage = { ...fieldsOf(one["usage"]) } as Record<string, unknown>;
    for (const key of USAGE) if (total[key] !== undefined) usage[key] = total[key];
    const changed = { ...one, delta: { ...delta, stop_reason: stopOf(delta["stop_reason"], handed) }, usage };
    return typedText(changed);
  }
}

function dataIn(raw: string): string | undefined {
  return /^data: ?(.*)$/m.exec(raw)?.[1];
}
