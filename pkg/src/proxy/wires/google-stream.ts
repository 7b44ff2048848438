/** Joins the streams of the Gemini API: each event is a whole response. The end of a round waits. */

import { parsed } from "../../base/values.js";
import type { Reply } from "../../wire/api.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, summed } from "../../wire/fields.js";
import { candidateOf, isCall, partsOf, Pieces, read, visibleText } from "../../wire/google.js";
import { type SseEvent, sseText } from "../sse.js";
import type { Decided, Handed } from "../../loop/rounds.js";
import type { Joiner } from "../wire.js";
import { Joining } from "./shared.js";

interface Chunk {
  event: SseEvent;
  data: Fields;
}

export class GoogleJoiner extends Joining implements Joiner {
  #pieces = new Pieces();
  #waiting: Chunk[] = [];
  #isJson = false;
  #hasBegun = false;
  #responseId: unknown;
  #before: unknown;
  /** The signature of a call that the client does not get. */
  #signature: string | undefined;
  #isTold = false;
  #separates = false;

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.#pieces = new Pieces();
    this.#waiting = [];
    this.#isJson = false;
    this.#signature = undefined;
    this.#separates = this.#isTold;
  }

  push(event: SseEvent): string {
    const data = dataOf(event.data);
    if (data === undefined) return this.#hasBegun || event.data === undefined ? event.raw : "";
    if (data["error"] !== undefined) {
      this.failed = true;
      return event.raw;
    }
    this.#pieces.add(data);
    this.hasCall ||= partsOf(data).some(isCall);
    const chunk = { event, data };
    if (this.#pieces.isOver || this.#waits(data)) {
      this.#waiting.push(chunk);
      return "";
    }
    return this.#passed(chunk, []);
  }

  ended(): Reply | undefined {
    return this.failed || !this.#pieces.isOver ? undefined : read(this.#whole);
  }

  next(): void {
    this.#before = summed(this.#before, this.#whole["usageMetadata"]);
  }

  close({ handed }: Decided): string {
    const calls = partsOf(this.#whole).filter(isCall);
    const own = handed.filter(({ unwrapped }) => unwrapped !== undefined);
    for (const { at } of handed) this.ids.push(callKey(calls[at] ?? {}));
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

  get #whole(): Fields {
    return this.#pieces.reply ?? {};
  }

  /** Checks if a text must wait until it is known that the reply is for the client: no other text may come before JSON. */
  #waits(data: Fields): boolean {
    const text = [...this.#waiting.map((one) => one.data), data].flatMap(partsOf).map(visibleText).join("");
    if (!this.isStructured || this.#isJson || text === "") return false;
    this.#isJson = this.#waiting.length === 0 && this.beginsJson(text);
    return !this.#isJson;
  }

  /** Returns a response with the parts that the client gets; the unchanged event if nothing in it changes. */
  #passed({ event, data }: Chunk, own: readonly Fields[]): string {
    const parts = partsOf(data);
    const shown = [...parts.flatMap((part) => this.#shown(part)), ...own];
    const isSame = shown.length === parts.length && shown.every((part, at) => part === parts[at]);
    const candidate = candidateOf(data);
    const isEmpty = shown.length === 0 && candidate["finishReason"] === undefined;
    if (isEmpty && (parts.length > 0 || this.round > 1)) return "";
    this.#hasBegun = true;
    this.#responseId ??= data["responseId"];
    if (isSame && this.round === 1) return event.raw;
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
      if (!this.isReal(textIn(fieldsOf(part["functionCall"])["name"]) ?? "")) {
        this.#signature ??= textIn(part["thoughtSignature"]);
        return [];
      }
      const own = signed(part, this.#signature);
      this.#signature = undefined;
      return [own];
    }
    const words = visibleText(part);
    if (words === "") return [part];
    this.#isTold = true;
    this.tell(words);
    if (!this.#separates) return [part];
    this.#separates = false;
    return [{ ...part, text: `\n\n${words}` }];
  }
}

/** Returns the response of an event. Some backends write it as a list with one element. */
function dataOf(data: string | undefined): Fields | undefined {
  const read = data === undefined ? undefined : parsed(data);
  return Array.isArray(read) ? objectsIn(read)[0] : isObject(read) ? read : undefined;
}

/** Converts a call through a bridge to a call of the tool itself. */
export function unwrappedPart(part: Fields, { unwrapped }: Handed): Fields {
  return { ...part, functionCall: { ...fieldsOf(part["functionCall"]), name: unwrapped!.name, args: unwrapped!.args } };
}

/** Adds the thought's signature to a call. Only the first call has one: if that call is removed, the next needs it. */
export function signed(part: Fields, signature: string | undefined): Fields {
  return signature === undefined || part["thoughtSignature"] !== undefined ? part : { ...part, thoughtSignature: signature };
}

/** Returns a key of a call that identifies the conversation, because only some calls have an id. */
export function callKey(part: Fields): string {
  const { id, name, args } = fieldsOf(part["functionCall"]);
  return textIn(id) ?? `${textIn(name)} ${JSON.stringify(args ?? {})}`;
}
