/**
 * A call in progress. During the call, its server may ask the client a question. Then the call waits, the client gets the
 * question in an `input_required` result, and sends the answer with its next attempt. For clients of the older protocol
 * (with `initialize`), the SDK sends the question as a separate request.
 */

import type { InputRequest, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { Recent } from "../base/recent.js";
import { later, whenAborted } from "../base/wait.js";
import type { Outbox } from "./outbox.js";
import { refused } from "./questions.js";
import type { ServerRequest } from "./upstream.js";

/** The maximum number of questions of one call, and of its questions that wait at the same time. */
const MOST_QUESTIONS = 100;
export const MOST_AT_ONCE = 8;

interface Question {
  request: ServerRequest;
  answer: (value: unknown) => void;
  fail: (reason: unknown) => void;
}

/** One call of a client, with all its rounds. */
export class Call<T> {
  context: ServerContext;
  /** The queue for progress notices of the call. */
  readonly outbox: Outbox;
  readonly #abort = new AbortController();
  readonly #result: Promise<T>;
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #wake: () => void = () => {};
  #end: () => void = () => {};

  /**
   * @param owner the calling client: a server's question that may be meant for another client is not asked
   * @param start begins the work; its signal is aborted when the client cancels the call
   */
  constructor(
    readonly owner: object,
    context: ServerContext,
    outbox: Outbox,
    start: (call: Call<T>, signal: AbortSignal) => Promise<T>,
  ) {
    this.context = context;
    this.outbox = outbox;
    this.#result = start(this, this.#abort.signal);
    // An error is reported to the round that waits. Between rounds nobody waits, and the error must not be unhandled.
    this.#result.catch(() => {});
  }

  /** Asks a client directly. If it is undefined, questions are returned as the result of the round. */
  direct: ((request: ServerRequest, signal: AbortSignal) => Promise<unknown>) | undefined;
  #open = 0;

  get isWaiting(): boolean {
    return this.#questions.size > 0;
  }

  async ask(request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#asked === MOST_QUESTIONS) throw refused(`one call asked more than ${MOST_QUESTIONS} questions`);
    if (this.#open === MOST_AT_ONCE) throw refused(`one call asked more than ${MOST_AT_ONCE} questions at once`);
    const key = `q${this.#asked++}`;
    this.#open++;
    try {
      return await (this.direct?.(request, signal) ?? this.#answered(key, request, signal));
    } finally {
      this.#open--;
    }
  }

  #answered(key: string, request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    return new Promise((answer, fail) => {
      this.#questions.set(key, { request, answer, fail });
      whenAborted(signal, () => this.#take(key)?.fail(signal.reason));
      this.#wake();
    });
  }

  /**
   * Waits for the result, or for questions of the server.
   *
   * @param token the client sends it back in its next attempt, so that the attempt finds this call
   * @throws errors of the call
   */
  async round(context: ServerContext, token: string): Promise<T | InputRequiredResult> {
    this.context = context;
    const { signal, inputResponses = {} } = context.mcpReq;
    this.#end = whenAborted(signal, () => this.cancel(signal.reason));
    for (const [key, response] of Object.entries(inputResponses)) this.#take(key)?.answer(response);
    try {
      const isAsked = new Promise<"asked">((resolve) => {
        this.#wake = () => resolve("asked");
        if (this.isWaiting) resolve("asked");
      });
      const settled = await Promise.race([this.#result.then((value) => ({ value })), isAsked]);
      if (settled !== "asked") return settled.value;
      const requests = [...this.#questions].map(([key, { request }]) => [key, request as InputRequest] as const);
      return { resultType: "input_required", inputRequests: Object.fromEntries(requests), requestState: token };
    } finally {
      this.#wake = () => {};
      this.#end();
    }
  }

  cancel(reason: unknown): void {
    this.#abort.abort(reason);
    for (const key of [...this.#questions.keys()]) this.#take(key)?.fail(reason);
  }

  #take(key: string): Question | undefined {
    const question = this.#questions.get(key);
    this.#questions.delete(key);
    return question;
  }
}

/** The time limit for answers, in ms: people give some of the answers. */
const WAIT_MS = 900_000;
/** The maximum number of calls that wait at the same time. */
const MOST_WAITING = 1_000;

interface Waiting {
  call: Call<unknown>;
  timer: ReturnType<typeof setTimeout>;
}

/** The calls that wait for answers, by the token that the client sends back. */
export class WaitingCalls {
  /** The waiting calls. If there are too many, the oldest call is ended. */
  readonly #calls = new Recent<string, Waiting>(MOST_WAITING, (one) => end(one, "too many calls wait for answers"));

  /** Removes and returns the call that an attempt continues; undefined for a new call, or one that waits at its server. */
  take(token: unknown): Call<unknown> | undefined {
    if (typeof token !== "string") return undefined;
    const waiting = this.#calls.get(token);
    this.#calls.delete(token);
    clearTimeout(waiting?.timer);
    return waiting?.call;
  }

  /** Stores a call until its client comes back, or until the time limit. */
  keep(token: string, call: Call<unknown>): void {
    const late = () => this.take(token)?.cancel(new Error("the client did not answer in time"));
    this.#calls.set(token, { call, timer: later(WAIT_MS, late) });
  }

  close(): void {
    for (const one of this.#calls.values()) end(one, "the gateway was closed");
    this.#calls.clear();
  }
}

function end({ call, timer }: Waiting, why: string): void {
  clearTimeout(timer);
  call.cancel(new Error(why));
}
