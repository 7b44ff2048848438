/** Asks a model, settles its reply, and asks again until a reply is the last one; and decides the calls that no client sees. */

import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import { answeredBy, type Driver } from "./driver.js";
import type { Answer, ModelCall } from "./types.js";

/** Settles what the model was asked: how the rounds end, or undefined to ask again. What a stream yields is passed on. */
type Settle<A, E, P> = (asked: A, round: number) => AsyncGenerator<P, E | undefined> | Promise<E | undefined>;

/**
 * Leads rounds to their end, which it returns.
 *
 * @param ask asks the model; `round` counts from 1
 * @param signal ends the rounds before the model is asked again
 */
export async function* rounds<A, E, P = never>(
  ask: (round: number) => A | PromiseLike<A>,
  settle: Settle<A, E, P>,
  signal?: AbortSignal,
): AsyncGenerator<P, E> {
  for (let round = 1; ; round++) {
    signal?.throwIfAborted();
    const settling = settle(await ask(round), round);
    const end = Symbol.asyncIterator in settling ? yield* settling : await settling;
    if (end !== undefined) return end;
  }
}

/** The end of rounds that nobody reads meanwhile. */
export async function endOf<E>(led: AsyncGenerator<unknown, E>): Promise<E> {
  for (;;) {
    const { done, value } = await led.next();
    if (done) return value;
  }
}

/** Reads the streams of rounds, one after the other, until it is stopped. */
export class StreamReader<T> {
  isStopped = false;
  #reader: ReadableStreamDefaultReader<T> | undefined;

  /** @param wait waits for each read */
  async *parts(
    stream: ReadableStream<T>,
    wait: <R>(read: () => Promise<R>) => Promise<R> = (read) => read(),
  ): AsyncGenerator<T> {
    const reader = stream.getReader();
    this.#reader = reader;
    if (this.isStopped) await this.stop();
    for (;;) {
      const { done, value } = await wait(() => reader.read());
      if (done) return;
      yield value;
    }
  }

  /** Ends the stream that is read, also in the middle of a read, and any that is still to come. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.#reader?.cancel().catch(() => {});
  }
}

/** A call for the client. */
export interface Handed {
  /** The place of the call among those of the reply. */
  at: number;
  /** The tool itself, where the call came under another name or without the tool being there. */
  unwrapped?: { name: string; args: object } | undefined;
}

/** The outcomes of the calls of one round. */
export interface Decided {
  /** The calls that the client is handed, in their order. */
  handed: readonly Handed[];
  /** The answers to the others. */
  answers: readonly Answer[];
  /** Whether the reply is the client's; otherwise the model is asked again. */
  isFinal: boolean;
}

/**
 * Decides the calls of a reply, and answers those that are not the client's.
 *
 * @param isReal whether the client itself runs a call
 * @param isLast whether no further round may follow
 */
export async function decided(
  driver: Driver,
  calls: readonly ModelCall[],
  isReal: (call: ModelCall) => boolean,
  isLast: boolean,
  signal?: AbortSignal,
): Promise<Decided> {
  driver.begin();
  const handed: Handed[] = [];
  const answers: Answer[] = [];
  for (const [at, call] of calls.entries()) {
    const outcome = isReal(call) ? undefined : driver.decide(call, await driver.rank(call, signal));
    if (outcome === undefined) handed.push({ at });
    else if (outcome.kind === "dispatch" && outcome.skill !== undefined) {
      answers.push(await driver.settle(call, outcome, () => "", signal));
    } else if (outcome.kind !== "dispatch") answers.push(answeredBy(call, outcome));
    else handed.push({ at, unwrapped: { name: outcome.modelName, args: outcome.arguments } });
  }
  return { handed, answers, isFinal: handed.length > 0 || answers.length === 0 || isLast };
}

/** Rebuilds the reveals of a session from messages, behind those that it has, which stand in no message. */
export function rebuilt(session: Session, rebuild: () => unknown): void {
  const before = session.revealed;
  rebuild();
  if (before.length === 0) return;
  const fromHistory = session.revealed;
  session.conceal(fromHistory);
  revealSome(session, [...before, ...fromHistory]);
}

/** Reveals what there is of some names: a conversation may name other tools, and one tool may be too large for the bounds. */
export function revealSome(session: Session, names: Iterable<string>): void {
  for (const name of names) {
    try {
      session.reveal([name]);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
    }
  }
}
