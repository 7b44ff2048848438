/** Asks a model repeatedly until a reply is final, and decides the calls of each reply that the client does not run. */

import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import { answeredBy, type Driver } from "./driver.js";
import type { Answer, ModelCall } from "./types.js";

/** Handles one reply. Returns the end of the rounds, or undefined to ask again. Values that it yields are passed on. */
type Settle<A, E, P> = (asked: A, round: number) => AsyncGenerator<P, E | undefined> | Promise<E | undefined>;

/**
 * Runs rounds until one returns their end, and returns it.
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

/** Returns the end of rounds, and ignores the values that they yield. */
export async function endOf<E>(led: AsyncGenerator<unknown, E>): Promise<E> {
  for (;;) {
    const { done, value } = await led.next();
    if (done) return value;
  }
}

/** Reads the streams of rounds one after the other, until it is stopped. */
export class StreamReader<T> {
  isStopped = false;
  #reader: ReadableStreamDefaultReader<T> | undefined;

  async *parts(stream: ReadableStream<T>): AsyncGenerator<T> {
    const reader = stream.getReader();
    this.#reader = reader;
    if (this.isStopped) await this.stop();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  /** Cancels the current stream, even during a read, and all later streams. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.#reader?.cancel().catch(() => {});
  }
}

/** A call that is passed to the client. */
export interface Handed {
  /** The index of the call in the reply. */
  at: number;
  /** The tool and its arguments, if the call used another tool's name or a tool that was not sent. */
  unwrapped?: { name: string; args: object } | undefined;
}

/** The outcomes of the calls of one round. */
export interface Decided {
  /** The calls that are passed to the client, in order. */
  handed: readonly Handed[];
  /** The answers to the other calls. */
  answers: readonly Answer[];
  /** True if the reply goes to the client. Otherwise the model is asked again. */
  isFinal: boolean;
}

/**
 * Decides the calls of a reply, and answers those that the client does not run.
 *
 * @param isReal returns true if the client itself runs a call
 * @param isLast true if no further round may follow
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

/** Restores loaded tools from messages. Tools that were loaded before come first, because no message shows them. */
export function rebuilt(session: Session, rebuild: () => unknown): void {
  const before = session.revealed;
  rebuild();
  if (before.length === 0) return;
  const fromHistory = session.revealed;
  session.conceal(fromHistory);
  revealSome(session, [...before, ...fromHistory]);
}

/** Loads as many of the named tools as possible. A conversation may name unknown tools, or a tool above the limits. */
export function revealSome(session: Session, names: Iterable<string>): void {
  for (const name of names) {
    try {
      session.reveal([name]);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
    }
  }
}
