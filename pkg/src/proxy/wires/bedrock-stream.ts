/** Joins the streams of Converse. Blocks pass as they come, but for those of calls that are not the client's. */

import type { Decided } from "../../loop/rounds.js";
import { Pieces, read } from "../../wire/bedrock.js";
import { type Fields, fieldsOf, textIn } from "../../wire/fields.js";
import { summed } from "../../wire/usage.js";
import { type SseEvent, sseText } from "../sse.js";
import type { Joiner } from "../wire.js";
import { stopOf } from "./anthropic-reply.js";
import { callBlocks, unwrappedBlock } from "./bedrock-reply.js";
import { markedBlock } from "./bedrock-thinking.js";
import { markedAs } from "./anthropic-thinking.js";
import { BlockJoining } from "./joining.js";
import { dataOf } from "./shared.js";

/** A block of the reply. */
interface Block {
  /** Its index in its round. */
  at: unknown;
  /** The client's index; undefined where the client does not see it. */
  index: number | undefined;
  /** Its events, where its text waits until it is known that the reply is the client's. */
  waiting: [name: string, data: Fields][] | undefined;
}

export class BedrockJoiner extends BlockJoining<unknown, Block, Pieces> implements Joiner {
  protected readonly newPieces = () => new Pieces();
  protected readonly read = read;
  /** The usage and the times of the rounds before. */
  #before: Fields = {};

  push(event: SseEvent): string {
    const name = event.event;
    const data = dataOf(event) ?? {};
    if (name.endsWith("Exception")) {
      this.failed = true;
      return event.raw;
    }
    this.pieces.add({ [name]: data });
    switch (name) {
      case "contentBlockStart":
      case "contentBlockDelta":
      case "contentBlockStop":
        return this.#block(event, data);
      case "messageStop":
      case "metadata":
        this.ending.push(event);
        return "";
      default:
        // The beginning of the message, and what is new.
        return this.round === 1 ? event.raw : "";
    }
  }

  next(): void {
    this.#before = this.#total;
  }

  close({ handed }: Decided): string {
    const calls = callBlocks(this.pieces.reply);
    const shown = [...this.blocks.values()].filter(({ at }) => this.pieces.blockAt(at)?.["toolUse"] !== undefined);
    let written = this.waiting();
    for (const one of handed) {
      const call = calls[one.at]!;
      this.ids.push(textIn(fieldsOf(call["toolUse"])["toolUseId"]) ?? "");
      if (shown[one.at]?.index === undefined) written += this.#own(unwrappedBlock(call, one));
    }
    return written + this.ending.map((event) => this.#end(event, handed)).join("");
  }

  rest(): string {
    return this.waiting() + this.ending.map(({ raw }) => raw).join("");
  }

  #block(event: SseEvent, data: Fields): string {
    const at = data["contentBlockIndex"];
    const block = this.blocks.get(at) ?? this.#opened(at);
    if (block.waiting === undefined) return this.#passed(block, event.event, data, event.raw);
    block.waiting.push([event.event, data]);
    const begins = this.beginsJson(textIn(this.pieces.blockAt(at)?.["text"]) ?? "");
    // What begins so is the reply itself: no other text comes.
    return begins ? this.released(block) : "";
  }

  #opened(at: unknown): Block {
    const block = this.pieces.blockAt(at) ?? {};
    const { name } = fieldsOf(block["toolUse"]);
    const isHidden =
      (block["toolUse"] !== undefined && !this.isReal(textIn(name) ?? "")) || markedBlock(block, this.round) === undefined;
    const waits = this.isStructured && block["text"] !== undefined;
    const one: Block = { at, index: isHidden || waits ? undefined : this.given++, waiting: waits ? [] : undefined };
    this.blocks.set(at, one);
    return one;
  }

  /** An event of a block under the client's index; as it came where nothing of it changes. */
  #passed({ index }: Block, name: string, data: Fields, raw?: string): string {
    if (index === undefined) return "";
    const delta = fieldsOf(data["delta"]);
    this.tell(delta["text"]);
    const { signature } = fieldsOf(delta["reasoningContent"]);
    const isMarked = this.round > 1 && textIn(signature) !== undefined;
    if (raw !== undefined && data["contentBlockIndex"] === index && !isMarked) return raw;
    const marked = isMarked ? { delta: { reasoningContent: { signature: markedAs(textIn(signature)!, this.round) } } } : {};
    return sseText(JSON.stringify({ ...data, contentBlockIndex: index, ...marked }), name);
  }

  protected released(block: Block): string {
    const events = block.waiting ?? [];
    block.index = this.given++;
    block.waiting = undefined;
    return events.map(([name, data]) => this.#passed(block, name, data)).join("");
  }

  /** A whole call of our own. */
  #own({ toolUse }: Fields): string {
    const contentBlockIndex = this.given++;
    const { input, ...start } = fieldsOf(toolUse);
    const events: [string, object][] = [
      ["contentBlockStart", { contentBlockIndex, start: { toolUse: start } }],
      ["contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } }],
      ["contentBlockStop", { contentBlockIndex }],
    ];
    return events.map(([name, data]) => sseText(JSON.stringify(data), name)).join("");
  }

  #end(event: SseEvent, handed: Decided["handed"]): string {
    const data = dataOf(event) ?? {};
    if (event.event === "messageStop") {
      const stopReason = stopOf(data["stopReason"], handed);
      return stopReason === data["stopReason"] ? event.raw : sseText(JSON.stringify({ ...data, stopReason }), event.event);
    }
    return this.round === 1 ? event.raw : sseText(JSON.stringify({ ...data, ...this.#total }), event.event);
  }

  get #total(): Fields {
    const { usage, metrics } = this.pieces.reply ?? {};
    return fieldsOf(summed(this.#before, { usage, metrics }));
  }
}
