/** Joins the streams of the Gemini API: whole responses, one after the other. What ends a round waits. */

import type { GenerateContentResponse } from "@google/genai";
import { googleJoined } from "../../wire/google-stream.js";
import { summed } from "../../wire/usage.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn } from "../fields.js";
import { type SseEvent, sseText } from "../sse.js";
import { begun, toldBy } from "../told.js";
import type { Asked, Joiner, Reply, Settled } from "../wire.js";
import { callKey, isCall, partsOf, replyOf, saidIn, signed, unwrappedPart } from "./google-parts.js";

interface Chunk {
  event: SseEvent;
  data: Fields;
}

export class GoogleJoiner implements Joiner {
  readonly #isStructured: boolean;
  #isReal: (name: string) => boolean = () => false;
  #round = 0;
  #chunks: Fields[] = [];
  /** What waits for the end of the round. */
  #waiting: Chunk[] = [];
  #isOver = false;
  #isJson = false;
  #failed = false;
  #hasBegun = false;
  #responseId: unknown;
  #before: unknown;
  /** The signature of a call that the client does not get. */
  #signature: string | undefined;
  #isTold = false;
  #separates = false;
  #text = "";
  #keys: string[] = [];

  constructor({ isStructured }: Asked) {
    this.#isStructured = isStructured;
  }

  get told(): string {
    return toldBy(this.#text, this.#keys);
  }

  begin(isReal: (name: string) => boolean): void {
    this.#isReal = isReal;
    this.#round += 1;
    this.#chunks = [];
    this.#waiting = [];
    this.#isOver = false;
    this.#isJson = false;
    this.#signature = undefined;
    this.#separates = this.#isTold;
  }

  push(event: SseEvent): string {
    const data = parsed(event.data);
    if (data === undefined) return this.#hasBegun || event.data === undefined ? event.raw : "";
    if (data["error"] !== undefined) {
      this.#failed = true;
      return event.raw;
    }
    this.#chunks.push(data);
    const chunk = { event, data };
    const reason = fieldsOf((data["candidates"] as unknown[] | undefined)?.[0])["finishReason"];
    this.#isOver ||= reason !== undefined || data["promptFeedback"] !== undefined;
    if (this.#isOver || this.#waits(data)) {
      this.#waiting.push(chunk);
      return "";
    }
    return this.#passed(chunk, []);
  }

  ended(): Reply | undefined {
    if (this.#failed || !this.#isOver) return undefined;
    return replyOf(this.#whole());
  }

  next(): void {
    this.#before = summed(this.#before, this.#whole()["usageMetadata"]);
  }

  close({ handed }: Settled): string {
    const calls = partsOf(this.#whole()).filter(isCall);
    const own = handed.filter(({ unwrapped }) => unwrapped !== undefined);
    for (const { at } of handed) this.#keys.push(callKey(calls[at] ?? {}));
    const unwrapped = own.map((one) => {
      const part = signed(unwrappedPart(calls[one.at]!, one), this.#signature);
      this.#signature = undefined;
      return part;
    });
    const last = this.#waiting.length - 1;
    return this.#waiting.map((chunk, at) => this.#passed(chunk, at === last ? unwrapped : [])).join("");
  }

  rest(): string {
    return this.#waiting.map(({ event }) => event.raw).join("");
  }

  #whole(): Fields {
    return googleJoined(this.#chunks as unknown as GenerateContentResponse[]) as unknown as Fields;
  }

  /** Whether a text has to wait until it is known that the reply is the client's: before JSON no other text may stand. */
  #waits(data: Fields): boolean {
    const text = [...this.#waiting.map((one) => one.data), data].flatMap(partsOf).map(saidIn).join("");
    if (!this.#isStructured || this.#isJson || text === "") return false;
    this.#isJson = this.#waiting.length === 0 && /^\s*[[{]/.test(text);
    return !this.#isJson;
  }

  /** A response with the parts that the client gets; as it came where nothing of it changes. */
  #passed({ event, data }: Chunk, own: readonly Fields[]): string {
    const parts = partsOf(data);
    const shown = [...parts.flatMap((part) => this.#shown(part)), ...own];
    const isSame = shown.length === parts.length && shown.every((part, at) => part === parts[at]);
    const candidate = fieldsOf((data["candidates"] as unknown[] | undefined)?.[0]);
    const isEmpty = shown.length === 0 && candidate["finishReason"] === undefined;
    if (isEmpty && (parts.length > 0 || this.#round > 1)) return "";
    this.#hasBegun = true;
    this.#responseId ??= data["responseId"];
    if (isSame && this.#round === 1) return event.raw;
    const { candidates, responseId, usageMetadata, ...others } = data;
    const rest = Array.isArray(candidates) ? (candidates as unknown[]).slice(1) : [];
    const content = { role: "model", ...fieldsOf(candidate["content"]), parts: shown };
    const changed = {
      ...(candidates === undefined ? {} : { candidates: [{ ...candidate, content }, ...rest] }),
      ...(isObject(usageMetadata) ? { usageMetadata: summed(this.#before, usageMetadata) } : {}),
      ...others,
      ...(responseId === undefined ? {} : { responseId: this.#responseId }),
    };
    return sseText(JSON.stringify(changed));
  }

  #shown(part: Fields): Fields[] {
    if (isCall(part)) {
      if (!this.#isReal(textIn(fieldsOf(part["functionCall"])["name"]) ?? "")) {
        this.#signature ??= textIn(part["thoughtSignature"]);
        return [];
      }
      const own = signed(part, this.#signature);
      this.#signature = undefined;
      return [own];
    }
    const said = saidIn(part);
    if (said === "") return [part];
    this.#isTold = true;
    if (this.#text.length < 400) this.#text += begun(said);
    if (!this.#separates) return [part];
    this.#separates = false;
    return [{ ...part, text: `\n\n${said}` }];
  }
}

function parsed(data: string | undefined): Fields | undefined {
  try {
    const read: unknown = data === undefined ? undefined : JSON.parse(data);
    return Array.isArray(read) ? objectsIn(read)[0] : isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
