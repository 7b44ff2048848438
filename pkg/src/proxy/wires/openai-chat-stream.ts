/** Joins the streams of Chat Completions. Texts and the client's own calls pass at once; the end of a round waits. */

import type { Reply } from "../../wire/api.js";
import { Pieces, read } from "../../wire/openai-chat.js";
import { summed, type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { type SseEvent, sseText } from "../sse.js";
import type { Decided, Handed } from "../../loop/rounds.js";
import type { Joiner } from "../wire.js";
import { Joining, dataOf, isWhole } from "./shared.js";

interface Waiting {
  event: SseEvent;
  chunk: Fields;
  /** Whether a part of it was passed on before. */
  isPart?: boolean;
}

export class ChatJoiner extends Joining implements Joiner {
  #pieces = new Pieces();
  /** The first chunk that was passed on: all others have its id. */
  #first: Fields | undefined;
  /** Chunks that say nothing yet: whether the round is the client's is not known. */
  #opening: Waiting[] = [];
  /** What comes from the finish on. */
  #ending: Waiting[] = [];
  /** Texts that may not be passed on before it is known that no round follows. */
  #texts: Waiting[] = [];
  #isJson = false;
  #usage: unknown;
  /** The fields that have been told in an earlier round, which a line separates from those of this one. */
  #toldBefore = new Set<string>();
  #toldNow = new Set<string>();
  /** The client's index of each call that has begun, by its place in the round. */
  #indexes = new Map<number, number>();
  #given = 0;

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.#pieces = new Pieces();
  }

  push(event: SseEvent): string {
    // A comment keeps the connection alive.
    if (event.data === undefined) return event.raw;
    const chunk = dataOf(event);
    if (chunk === undefined) {
      if (event.data.trim() !== "[DONE]") return this.#flushed() + event.raw;
      this.#ending.push({ event, chunk: {} });
      return "";
    }
    if (chunk["error"] !== undefined) {
      this.failed = true;
      return this.#flushed() + event.raw;
    }
    return this.#chunk({ event, chunk });
  }

  ended(): Reply | undefined {
    const { reply } = this.#pieces;
    if (this.failed || reply === undefined) return undefined;
    this.#usage = summed(this.#usage, reply["usage"]);
    return read(reply);
  }

  next(): void {
    for (const key of this.#toldNow) this.#toldBefore.add(key);
    this.#toldNow = new Set();
    this.#indexes = new Map();
    this.#opening = [];
    this.#ending = [];
    this.#texts = [];
    this.#isJson = false;
  }

  close({ handed }: Decided): string {
    const calls = objectsIn(fieldsOf(choiceIn(this.#pieces.reply ?? {})["message"])["tool_calls"]) as ChatCall[];
    let written = this.#flushed() + this.#waitingTexts();
    for (const one of handed) {
      const call = handedCall(calls[one.at]!, one);
      this.ids.push(textIn(call["id"]) ?? "");
      // Its pieces have been passed on.
      if (this.#indexes.has(one.at)) continue;
      written += this.#own({ tool_calls: [{ index: this.#given++, ...call }] });
    }
    const isSame = this.round === 1 && isWhole(handed, calls.length);
    for (const waiting of this.#ending)
      written += isSame && !waiting.isPart ? waiting.event.raw : this.#ended(waiting, handed);
    return written;
  }

  rest(): string {
    return (
      this.#flushed() +
      this.#waitingTexts() +
      this.#ending.flatMap(({ event, isPart }) => (isPart ? [] : event.raw)).join("")
    );
  }

  #chunk(waiting: Waiting): string {
    const { chunk } = waiting;
    const places = this.#pieces.add(chunk);
    this.hasCall ||= places.length > 0;
    const choice = choiceIn(chunk);
    const delta = fieldsOf(choice["delta"]);
    const pieces = objectsIn(delta["tool_calls"]);
    const shown = pieces.flatMap((piece, at) => this.#piece(piece, places[at]!));
    const { tool_calls: _, ...others } = delta;
    const texts = TEXTS.filter((key) => isSaid(others[key]));
    // What only some vendors say, such as `reasoning_details`, `annotations`, `images` and `audio`, is the client's too.
    const says = shown.length > 0 || Object.keys(others).some((key) => key !== "role" && isSaid(others[key]));
    const isEnd =
      textIn(choice["finish_reason"]) !== undefined ||
      chunk["choices"] === undefined ||
      (chunk["choices"] as unknown[]).length === 0;
    // Some vendors tell the usage behind the end, beside a choice that says nothing.
    if ((isEnd || this.#ending.length > 0) && !says) {
      this.#ending.push(waiting);
      return "";
    }
    if (!says) {
      // It opens the message, or is of a call that the client does not see.
      if (pieces.length === 0 && this.#first === undefined) this.#opening.push(waiting);
      return pieces.length === 0 && this.#first !== undefined && this.round === 1 ? waiting.event.raw : "";
    }
    if (isEnd) this.#ending.push({ ...waiting, isPart: true });
    if (this.#waits(texts, others)) {
      this.#texts.push(waiting);
      return "";
    }
    return this.#flushed() + this.#passed(waiting, { pieces, shown, texts, others, choice, isEnd });
  }

  /** Whether the text has to wait until it is known that the reply is the client's: before JSON no other text may stand. */
  #waits(texts: readonly string[], others: Fields): boolean {
    if (!this.isStructured || !texts.includes("content") || this.#isJson) return false;
    const text = this.#texts.map(({ chunk }) => contentOf(chunk)).join("") + (textIn(others["content"]) ?? "");
    this.#isJson = this.#texts.length === 0 && this.beginsJson(text);
    return !this.#isJson;
  }

  #waitingTexts(): string {
    const texts = this.#texts;
    this.#texts = [];
    return texts
      .map((waiting) => {
        this.tell(contentOf(waiting.chunk));
        return this.round === 1 ? waiting.event.raw : this.#renamed(waiting.chunk);
      })
      .join("");
  }

  #passed(
    { event, chunk }: Waiting,
    part: { pieces: Fields[]; shown: Fields[]; texts: string[]; others: Fields; choice: Fields; isEnd: boolean },
  ): string {
    const { pieces, shown, texts, others, choice, isEnd } = part;
    this.#first ??= chunk;
    for (const key of texts) this.#toldNow.add(key);
    this.tell(others["content"]);
    const isSame = shown.length === pieces.length && shown.every((piece, at) => piece === pieces[at]);
    if (this.round === 1 && isSame && !isEnd) return event.raw;
    const delta: Record<string, unknown> = { ...others };
    if (this.round > 1) delete delta["role"];
    for (const key of texts) {
      if (!this.#toldBefore.delete(key)) continue;
      delta[key] = typeof others[key] === "string" ? `\n\n${others[key]}` : others[key];
    }
    if (shown.length > 0) delta["tool_calls"] = shown;
    return this.#renamed({ ...chunk, choices: [{ ...choice, delta, ...(isEnd ? { finish_reason: null } : {}) }] });
  }

  /** A piece of a call with the client's index; none for a call that is not the client's. */
  #piece(piece: Fields, place: number): Fields[] {
    if (!this.isReal(this.#pieces.nameAt(place))) return [];
    let index = this.#indexes.get(place);
    if (index === undefined) this.#indexes.set(place, (index = this.#given++));
    return [piece["index"] === index ? piece : { ...piece, index }];
  }

  /** The opening of the message, once something follows it. */
  #flushed(): string {
    const opening = this.#opening;
    this.#opening = [];
    this.#first ??= opening[0]?.chunk;
    return opening.map(({ event, chunk }) => (this.round === 1 ? event.raw : this.#renamed(chunk))).join("");
  }

  #own(delta: Fields): string {
    const { id, created, model, object } = this.#first ?? fieldsOf(this.#ending[0]?.chunk);
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: null }];
    const chunk = { id, object, created, model, choices };
    this.#first ??= chunk;
    return sseText(JSON.stringify(chunk));
  }

  #ended({ event, chunk }: Waiting, handed: Decided["handed"]): string {
    if (dataOf(event) === undefined) return event.raw;
    const choices = (chunk["choices"] as unknown[] | undefined)?.map((one) => {
      const choice = fieldsOf(one);
      return { ...choice, delta: {}, finish_reason: finishOf(textIn(choice["finish_reason"]) ?? null, handed) };
    });
    const usage = chunk["usage"] === undefined || chunk["usage"] === null ? {} : { usage: this.#usage };
    return this.#renamed({ ...chunk, ...(choices === undefined ? {} : { choices }), ...usage });
  }

  #renamed(chunk: Fields): string {
    const { id, created } = this.#first ?? chunk;
    return sseText(
      JSON.stringify({ ...chunk, ...(id === undefined ? {} : { id }), ...(created === undefined ? {} : { created }) }),
    );
  }
}

/** Whether a field of a chunk holds anything. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

function choiceIn(chunk: Fields): Fields {
  return fieldsOf((chunk["choices"] as unknown[] | undefined)?.[0]);
}

function contentOf(chunk: Fields): string {
  return textIn(fieldsOf(choiceIn(chunk)["delta"])["content"]) ?? "";
}

/** The fields of a message whose texts are joined over the rounds. */
export const TEXTS = ["content", "refusal", "reasoning", "reasoning_content"];

/** How a call is written in a reply. */
export type ChatCall = Fields & { id?: string };

/** A call of a reply as the client gets it. */
export function handedCall(call: ChatCall, { unwrapped }: Handed): ChatCall {
  if (unwrapped === undefined) return call;
  const { custom: _, ...others } = call;
  return { ...others, type: "function", function: { name: unwrapped.name, arguments: JSON.stringify(unwrapped.args) } };
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function finishOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && (reason === "tool_calls" || reason === "function_call") ? "stop" : reason;
}
