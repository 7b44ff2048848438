/**
 * Joins the rounds of `doStream` into one stream. Texts and reasoning are passed on as they arrive. Their metadata and the
 * calls wait for the end of the round, when it is known if the reply goes to your program.
 */

import { ToolSiftError } from "../../base/errors.js";
import { rounds, StreamReader } from "../../loop/rounds.js";
import { summed } from "../../wire/fields.js";
import type { Exchange } from "./exchange.js";
import type { Call, Content, Model, StreamPart, StreamResult, Usage } from "./types.js";

type Finish = Extract<StreamPart, { type: "finish" }>;
type Block = { type: "text" | "reasoning"; text: string; id: string; providerMetadata?: Finish["providerMetadata"] };

/** Returns the stream of all rounds, once the first round has started, so that a failed start rejects the whole call. */
export async function streamed(model: Model, exchange: Exchange): Promise<StreamResult> {
  try {
    const first = await model.doStream(exchange.request());
    const source = new StreamReader<StreamPart>();
    return { ...first, stream: asStream(parts(model, exchange, source, first.stream), source) };
  } catch (error) {
    exchange.close();
    throw error;
  }
}

async function* parts(
  model: Model,
  exchange: Exchange,
  source: StreamReader<StreamPart>,
  first: StreamResult["stream"],
): AsyncGenerator<StreamPart> {
  let usage: unknown;
  const ask = async (nth: number) => (nth === 1 ? first : (await model.doStream(exchange.request())).stream);
  async function* settle(stream: StreamResult["stream"], nth: number): AsyncGenerator<StreamPart, true | undefined> {
    const round = new Round(exchange, nth);
    for await (const part of source.parts(stream)) yield* round.passed(part);
    if (source.isStopped) return true;
    const { finish } = round;
    usage = summed(usage, finish?.usage);
    if (round.isCut) {
      yield* round.closing([], false);
      yield {
        type: "error",
        error: new ToolSiftError("reply_invalid", "the model's stream ended in the middle of its reply"),
      };
      if (finish !== undefined) yield { ...finish, usage: usage as Usage, finishReason: ended(finish, "error") };
      return true;
    }
    const { handed, isFinal, isCut } = await exchange.settle(round.content);
    yield* round.closing(handed, isFinal);
    if (!isFinal) return undefined;
    const reason = isCut && finish ? { finishReason: ended(finish, "other") } : {};
    if (finish !== undefined) yield { ...finish, usage: usage as Usage, ...reason };
    return true;
  }
  try {
    yield* rounds(ask, settle);
  } finally {
    exchange.close();
  }
}

const ended = ({ finishReason }: Finish, unified: "error" | "other") => ({ ...finishReason, unified });

/** Finish reasons that already explain an incomplete call. */
const SAID: readonly unknown[] = ["length", "content-filter", "error"];

class Round {
  /** The parts of the reply that have arrived. */
  readonly content: Content[] = [];
  finish: Finish | undefined;
  readonly #exchange: Exchange;
  readonly #nth: number;
  readonly #blocks = new Map<string, Block>();
  readonly #ended: Block[] = [];
  /** The numbers of calls that the model has begun, and that have arrived whole. */
  #begun = 0;
  #came = 0;
  #failed = false;
  /** The ids of calls whose input your program must not see. */
  readonly #hidden = new Set<string>();

  constructor(exchange: Exchange, nth: number) {
    this.#exchange = exchange;
    this.#nth = nth;
  }

  /** True if the reply broke off in a call, or if your program would take an incomplete reply for a whole one. */
  get isCut(): boolean {
    if (this.#failed) return false;
    if (this.finish === undefined) return this.#begun > 0 || this.#came > 0 || this.#nth > 1;
    return this.#begun > this.#came && !SAID.includes(this.finish.finishReason.unified);
  }

  *passed(part: StreamPart): Generator<StreamPart> {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(part);
        yield { type: part.type, id: this.#idOf(part.id) };
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#grow(part);
        if (part.delta !== "") yield { type: part.type, id: this.#idOf(part.id), delta: part.delta };
        return;
      case "text-end":
      case "reasoning-end":
        this.#end(part);
        return;
      case "tool-input-start":
        this.#begun += 1;
        if (part.providerExecuted !== true && !this.#exchange.isReal(part.toolName)) this.#hidden.add(part.id);
        if (!this.#hidden.has(part.id)) yield part;
        return;
      case "tool-input-delta":
      case "tool-input-end":
        if (!this.#hidden.has(part.id)) yield part;
        return;
      case "tool-call":
        this.#came += 1;
        this.content.push(part);
        if (part.providerExecuted === true) yield part;
        return;
      case "tool-result":
        this.content.push(part);
        yield part;
        return;
      case "error":
        this.#failed = true;
        yield part;
        return;
      case "finish":
        this.finish = part;
        return;
      case "stream-start":
        if (this.#nth === 1) yield part;
        return;
      default:
        yield part;
    }
  }

  /** Yields the delayed parts: the ends of texts (with metadata if the reply is for your program), and its calls. */
  *closing(handed: readonly Call[], isFinal: boolean): Generator<StreamPart> {
    const lastText = handed.length === 0 ? this.#ended.filter(({ type }) => type === "text").at(-1) : undefined;
    for (const block of this.#ended) {
      const { type, id, providerMetadata } = block === lastText && isFinal ? this.#exchange.marked(block) : block;
      const about = isFinal && providerMetadata !== undefined ? { providerMetadata } : {};
      yield { type: type === "text" ? "text-end" : "reasoning-end", id: this.#idOf(id), ...about };
    }
    for (const [at, call] of handed.entries()) yield at === handed.length - 1 ? this.#exchange.marked(call) : call;
  }

  #begin({ type, id, providerMetadata }: Extract<StreamPart, { type: "text-start" | "reasoning-start" }>): void {
    const about = providerMetadata === undefined ? {} : { providerMetadata };
    const block: Block = { type: type === "text-start" ? "text" : "reasoning", text: "", id, ...about };
    this.#blocks.set(id, block);
    this.content.push(block as Content);
  }

  #grow({ id, delta, providerMetadata }: Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }>): void {
    const block = this.#blocks.get(id);
    if (block === undefined) return;
    block.text += delta;
    if (providerMetadata !== undefined) block.providerMetadata = providerMetadata;
  }

  #end({ id, providerMetadata }: Extract<StreamPart, { type: "text-end" | "reasoning-end" }>): void {
    const block = this.#blocks.get(id);
    if (block === undefined) return;
    if (providerMetadata !== undefined) block.providerMetadata = providerMetadata;
    this.#blocks.delete(id);
    this.#ended.push(block);
  }

  /** Makes ids unique, because rounds may use the same ids. */
  #idOf(id: string): string {
    return this.#nth === 1 ? id : `${this.#nth - 1}/${id}`;
  }
}

function asStream(parts: AsyncGenerator<StreamPart>, source: StreamReader<StreamPart>): StreamResult["stream"] {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (source.isStopped) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await source.stop();
      await parts.return(undefined);
    },
  });
}
