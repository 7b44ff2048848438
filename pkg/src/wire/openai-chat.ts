/**
 * Puts the pieces of a streamed reply together without reading what is in them. The client's own helper ends the run over
 * arguments or texts that are not JSON, which a reply that is not streamed does not.
 */

import type OpenAI from "openai";
import type { Answer, ModelCall } from "../index.js";
import { cutOff } from "./cut.js";
import { eachPiece, objectIn, objectsIn } from "./reply.js";

type Chunk = OpenAI.ChatCompletionChunk;
type Completion = OpenAI.ChatCompletion;
type Piece = Partial<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall> & { custom?: { name?: string; input?: string } };
type Fields = Record<string, unknown>;

/** A call whose text grows. */
interface Open {
  id: string;
  name: string;
  text: string;
  isCustom: boolean;
  others: Fields;
}

/** The reply of a stream; undefined where the stream ended before the reply did. */
export async function chatJoined(
  chunks: AsyncIterable<Chunk>,
  onChunk: ((chunk: Chunk) => void) | undefined,
): Promise<Completion | undefined> {
  const joined = new ChatJoin();
  await eachPiece(chunks, (chunk) => {
    onChunk?.(chunk);
    joined.add(chunk);
  });
  return joined.completion;
}

/** The first choice of a stream's chunks, put together one by one. */
export class ChatJoin {
  readonly #about: Fields = {};
  readonly #message: Fields = { role: "assistant", content: null, refusal: null };
  readonly #calls = new Calls();
  #finishReason: string | undefined;

  /** Takes a chunk. Returns the places of the calls that its pieces belong to, one for each piece. */
  add(chunk: Chunk): number[] {
    const { choices, ...fields } = chunk;
    Object.assign(this.#about, said(fields));
    const choice = objectsIn("choices", choices)[0];
    if (choice === undefined) return [];
    const { tool_calls, ...delta } = choice.delta ?? {};
    for (const [key, value] of Object.entries(said(delta))) this.#message[key] = grown(key, this.#message[key], value);
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
    return objectsIn("tool_calls", tool_calls).map((piece) => this.#calls.add(piece));
  }

  /** The name of a call, as far as it has come. */
  nameAt(place: number): string {
    return this.#calls.nameAt(place);
  }

  /** The reply; undefined where it has not ended. */
  get completion(): Completion | undefined {
    if (this.#finishReason === undefined) return undefined;
    const tool_calls = this.#calls.whole();
    const message = { ...this.#message, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    const choice = { index: 0, message, finish_reason: this.#finishReason };
    return { ...this.#about, object: "chat.completion", choices: [{ logprobs: null, ...choice }] } as unknown as Completion;
  }
}

/** The fields of a chunk that are not empty: later chunks leave many of them empty. */
function said(fields: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** Texts come in pieces, with some vendors the reasoning too. Other fields come whole. */
function grown(key: string, before: unknown, value: unknown): unknown {
  if (key !== "content" && key !== "refusal" && !key.startsWith("reasoning")) return value;
  if (typeof value === "string") return typeof before === "string" ? before + value : value;
  return Array.isArray(value) && Array.isArray(before) ? [...before, ...(value as unknown[])] : value;
}

/** The calls of a reply. Vendors number them each in their own way: by index, by id, or by their order alone. */
class Calls {
  readonly #calls: Open[] = [];
  readonly #byIndex = new Map<number, Open>();

  /** Takes a piece of a call. Returns the place of the call. */
  add(piece: Piece): number {
    const { index, id, type, function: made, custom, ...others } = piece;
    const name = (made ?? custom)?.name;
    let call = this.#open(piece, name);
    if (call === undefined) {
      call = { id: "", name: "", text: "", isCustom: type === "custom" || Boolean(custom), others: {} };
      this.#calls.push(call);
    }
    if (typeof index === "number") this.#byIndex.set(index, call);
    call.id ||= id ?? "";
    call.name ||= name ?? "";
    call.text += textOf(made ? made.arguments : custom?.input);
    Object.assign(call.others, said(others));
    return this.#calls.indexOf(call);
  }

  nameAt(place: number): string {
    return this.#calls[place]?.name ?? "";
  }

  /** A piece with a name begins a new call, unless its id is that of a call which has begun. */
  #open({ index, id }: Piece, name: string | undefined): Open | undefined {
    const numbered = typeof index === "number";
    const call = numbered ? this.#byIndex.get(index) : id ? this.#calls.find((one) => one.id === id) : this.#calls.at(-1);
    const isAnother = name && (id ? call?.id !== id : !numbered);
    return isAnother ? undefined : call;
  }

  whole(): OpenAI.ChatCompletionMessageToolCall[] {
    return this.#calls.map(({ id, name, text, isCustom, others }) => {
      const about = { ...others, id: id || `call_${globalThis.crypto.randomUUID()}` };
      return isCustom
        ? { ...about, type: "custom", custom: { name, input: text } }
        : { ...about, type: "function", function: { name, arguments: text } };
    });
  }
}

/** Some vendors send arguments as objects instead of JSON text. */
function textOf(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args ?? undefined) ?? "");
}

/**
 * The calls of a reply. The free text that a custom tool is called with is its argument `input`.
 *
 * @param finishReason why the reply ended; where it was cut off, its last call has `broken`, and must not be run
 */
export function chatCalls(
  message: Pick<OpenAI.ChatCompletionMessage, "tool_calls">,
  finishReason?: string | null,
): ModelCall[] {
  const made = objectsIn("tool_calls", objectIn("message", message).tool_calls);
  return made.map((call, at): ModelCall => {
    const { name, args } =
      call.type === "custom"
        ? { name: objectIn("custom tool", call.custom).name, args: { input: call.custom.input } }
        : { name: objectIn("function", call.function).name, args: call.function.arguments };
    const isCut = at === made.length - 1 && (finishReason === "length" || finishReason === "content_filter");
    const advice = finishReason === "length" ? " Make it shorter." : "";
    return { id: call.id, name, args, ...(isCut ? { broken: cutOff(finishReason, advice) } : {}) };
  });
}

/** The messages that answer the calls. They are text: images and audio are named with their type and size. */
export function chatAnswers(answers: readonly Answer[]): OpenAI.ChatCompletionToolMessageParam[] {
  return answers.map(({ call, content }) => ({ role: "tool", tool_call_id: call.id ?? "", content }));
}
