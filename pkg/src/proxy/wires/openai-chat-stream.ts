/** Joins the streams of Chat Completions. Texts and the client's calls are passed on immediately; a round's end waits. */

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
  /** True if a part of it was already passed on. */
  isPart?: boolean;
}

export class ChatJoiner extends Joining implements Joiner {
  #pieces = new Pieces();
  /** The first chunk that was passed on: all others get its id. */
  #first: Fields | undefined;
  /** Empty chunks at the beginning, which wait until it is known that the round has something for the client. */
  #opening: Waiting[] = [];
  /** The chunks from the finish reason on. */
  #ending: Waiting[] = [];
  /** The texts that must wait until it is known that no round follows. */
  #texts: Waiting[] = [];
  #isJson = false;
  #usage: unknown;
  /** The fields with text in an earlier round: a blank line separates that text from the text of this round. */
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
      // The call's pieces were already passed on.
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
    // Fields of single vendors, such as `reasoning_details`, `annotations`, `images` and `audio`, are also passed on.
    const says = shown.length > 0 || Object.keys(others).some((key) => key !== "role" && isSaid(others[key]));
    const isEnd =
      textIn(choice["finish_reason"]) !== undefined ||
      chunk["choices"] === undefined ||
      (chunk["choices"] as unknown[]).length === 0;
    // Some vendors send the usage after the end, in a chunk with an empty choice.
    if ((isEnd || this.#ending.length > 0) && !says) {
      this.#ending.push(waiting);
      return "";
    }
    if (!says) {
      // The chunk opens the message, or belongs to a call that the client does not see.
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

  /** Checks if the text must wait until it is known that the reply is for the client: no other text may come before JSON. */
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

  /** Returns a piece of a call with the client's index; no piece for a call that is not the client's. */
  #piece(piece: Fields, place: number): Fields[] {
    if (!this.isReal(this.#pieces.nameAt(place))) return [];
    let index = this.#indexes.get(place);
    if (index === undefined) this.#indexes.set(place, (index = this.#given++));
    return [piece["index"] === index ? piece : { ...piece, index }];
  }

  /** Returns the opening of the message, when the first text or call follows. */
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

/** Checks if a field of a chunk has a value. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

function choiceIn(chunk: Fields): Fields {
  return fieldsOf((chunk["choices"] as unknown[] | undefined)?.[0]);
}

function contentOf(chunk: Fields): string {
  return textIn(fieldsOf(choiceIn(chunk)["delta"])["content"]) ?? "";
}

/** The fields of a message whose texts are joined over all rounds. */
export const TEXTS = ["content", "refusal", "reasoning", "reasoning_content"];

/** The form of a call in a reply. */
export type ChatCall = Fields & { id?: string };

/** Returns a call of a reply for the client. */
export function handedCall(call: ChatCall, { unwrapped }: Handed): ChatCall {
  if (unwrapped === undefined) return call;
  const { custom: _, ...others } = call;
  return { ...others, type: "function", function: { name: unwrapped.name, arguments: JSON.stringify(unwrapped.args) } };
}

/** Returns the reason why a reply ended, after calls that are not the client's were removed. */
export function finishOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && (reason === "tool_calls" || reason === "function_call") ? "stop" : reason;
}
