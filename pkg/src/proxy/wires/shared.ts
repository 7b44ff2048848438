/** The functions that all APIs share: rounds as texts, events as fields, errors as events, and usage sums. */

import type { Api } from "../../wire/api.js";
import { type Fields, fieldsOf, textIn, summed } from "../../wire/fields.js";
import { parsed } from "../../base/values.js";
import type { JsonText } from "../json-text.js";
import type { SseEvent } from "../sse.js";
import type { Handed } from "../../loop/rounds.js";
import type { Turn, WireRequest } from "../wire.js";
import { begun, COMPARED_CHARS, replyMark } from "../marks.js";

/** Returns the items that the earlier rounds have added to the conversation, as texts. */
export function roundsIn({ answersOf }: Pick<Api, "answersOf">, turns: readonly Turn[]): string[] {
  return turns.flatMap(({ reply, answers }) => [...reply.messages, ...answersOf(answers)].map((one) => JSON.stringify(one)));
}

/** Checks if the client gets all calls of a reply unchanged. */
export function isWhole(handed: readonly Handed[], calls: number): boolean {
  return handed.length === calls && handed.every(({ unwrapped }) => unwrapped === undefined);
}

/** Returns the sum of all rounds' usage, as a change of the last reply. */
export function usageOf<K extends string>(key: K, replies: readonly JsonText[]): Partial<Record<K, string>> {
  const usage = replies.reduce<unknown>((sum, one) => summed(sum, one.value(key)), undefined);
  return usage === undefined ? {} : ({ [key]: JSON.stringify(usage) } as Record<K, string>);
}

/** Returns the data of an event; undefined if it is not JSON. */
export function dataOf({ data }: SseEvent): Fields | undefined {
  const read = data === undefined ? undefined : parsed(data);
  return read === undefined ? undefined : fieldsOf(read);
}

/** Returns a body as the data of one event. A body that is not JSON becomes an error with its beginning as the message. */
export function oneLine(body: string, error: (message: string) => object): string {
  const read = parsed(body) ?? error(body.slice(0, 1_000));
  return JSON.stringify(Array.isArray(read) ? read[0] : read);
}

/** Returns an error in the form of OpenAI's APIs. */
export function openaiError(message: string, code: string | null, status = 500): object {
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code } };
}

export abstract class Joining {
  protected readonly isStructured: boolean;
  protected isReal: (name: string) => boolean = () => false;
  protected round = 0;
  protected failed = false;
  /** True if the model has begun a call in this round. */
  protected hasCall = false;
  protected readonly ids: string[] = [];
  #text = "";

  constructor({ isStructured }: WireRequest) {
    this.isStructured = isStructured;
  }

  get mark(): string {
    return replyMark(this.#text, this.ids);
  }

  get isCut(): boolean {
    return !this.failed && (this.hasCall || this.round > 1);
  }

  begin(isReal: (name: string) => boolean): void {
    this.isReal = isReal;
    this.round += 1;
    this.hasCall = false;
  }

  /** Adds a text that the client gets to the mark. */
  protected tell(text: unknown): void {
    if (this.#text.length < COMPARED_CHARS) this.#text += begun(textIn(text) ?? "");
  }

  /** Checks if a text begins as JSON. If JSON was demanded, it is the reply itself, and no other text comes. */
  protected beginsJson(text: string): boolean {
    return /^\s*[[{]/.test(text);
  }
}
