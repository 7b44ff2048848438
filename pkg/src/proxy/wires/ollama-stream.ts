/** Joins the streams of Ollama's chat: lines with a part of the message each. The last line of a round waits. */

import type { Decided } from "../../loop/rounds.js";
import type { Reply } from "../../wire/api.js";
import { type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { Pieces, read } from "../../wire/ollama.js";
import type { SseEvent } from "../sse.js";
import type { Joiner } from "../wire.js";
import { Joining } from "./joining.js";
import { callKey, costsOf, handedCall, nameIn } from "./ollama-reply.js";
import { dataOf } from "./shared.js";

export class OllamaJoiner extends Joining implements Joiner {
  #pieces = new Pieces();
  /** The last line of the round, without what was passed on. */
  #end: Fields | undefined;
  /** The text that may not be passed on before it is known that no round follows. */
  #held = "";
  #isJson = false;
  #isTold = false;
  #separates = false;
  #costs: Fields = {};

  override begin(isReal: (name: string) => boolean): void {
    super.begin(isReal);
    this.#pieces = new Pieces();
    this.#end = undefined;
    this.#held = "";
    this.#isJson = false;
    this.#separates = this.#isTold;
  }

  push(event: SseEvent): string {
    const data = dataOf(event);
    if (data === undefined) return event.raw;
    if (data["error"] !== undefined) {
      this.failed = true;
      return event.raw;
    }
    this.#pieces.add(data);
    const { content, tool_calls, ...others } = fieldsOf(data["message"]);
    const calls = objectsIn(tool_calls);
    const shown = calls.filter((call) => this.isReal(nameIn(call)));
    const text = this.#free(textIn(content) ?? "");
    const isSaid = text !== "" || shown.length > 0 || Object.keys(others).some((key) => key !== "role");
    const isEnd = data["done"] === true;
    if (isEnd) this.#end = { ...data, message: { role: "assistant", content: "" } };
    if (!isSaid) return isEnd || this.round > 1 || calls.length > 0 || text !== content ? "" : event.raw;
    const isSame = !isEnd && shown.length === calls.length && text === content;
    if (isSame) return event.raw;
    const { model, created_at } = data;
    return line({ model, created_at, message: { ...others, content: text, ...listed(shown) }, done: false });
  }

  ended(): Reply | undefined {
    const { reply } = this.#pieces;
    return this.failed || reply === undefined ? undefined : read(reply);
  }

  next(): void {
    this.#costs = costsOf(this.#costs, this.#end ?? {});
  }

  close({ handed }: Decided): string {
    const calls = objectsIn(fieldsOf(this.#pieces.reply?.["message"])["tool_calls"]);
    const end = this.#end ?? {};
    for (const { at } of handed) this.ids.push(callKey(calls[at]!));
    // The others have been passed on.
    const own = handed.filter(({ unwrapped }) => unwrapped !== undefined).map((one) => handedCall(calls[one.at]!, one));
    const message = { role: "assistant", content: this.#released(), ...listed(own) };
    return line({ ...end, ...costsOf(this.#costs, end), message });
  }

  rest(): string {
    const held = this.#released();
    return held === "" ? "" : line({ message: { role: "assistant", content: held }, done: false });
  }

  /** What of a text the client gets now: before JSON no other text may stand. */
  #free(text: string): string {
    this.#held += text;
    if (this.isStructured && !this.#isJson && !this.beginsJson(this.#held)) return "";
    this.#isJson = this.isStructured;
    return this.#released();
  }

  #released(): string {
    const text = this.#held;
    this.#held = "";
    if (text === "") return "";
    this.#isTold = true;
    this.tell(text);
    const separator = this.#separates ? "\n\n" : "";
    this.#separates = false;
    return separator + text;
  }
}

const listed = (calls: readonly Fields[]): object => (calls.length === 0 ? {} : { tool_calls: calls });

const line = (response: object): string => `${JSON.stringify(response)}\n`;
