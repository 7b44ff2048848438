/**
 * A call in progress. Its server may ask the client something in between: the call then waits, the question goes to the
 * client as an `input_required` result, and the client's next attempt brings the answer. The SDK does the same for clients
 * of the older protocol by requests of its own.
 */

import type { InputRequest, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { Recent } from "../base/recent.js";
import { whenAborted } from "../base/wait.js";
import type { Outbox } from "./outbox.js";
import { refused } from "./questions.js";
import type { ServerRequest } from "./upstream.js";

/** The most questions that one call may ask, and that may wait for answers at a time. */
const MOST_QUESTIONS = 100;
export const MOST_AT_ONCE = 8;

interface Question {
  request: ServerRequest;
  answer: (value: unknown) => void;
  fail: (reason: unknown) => void;
}

/** One call of a client, over all its rounds. */
export class Call<T> {
  context: ServerContext;
  /** For notices of the call's progress. */
  readonly outbox: Outbox;
  readonly #abort = new AbortController();
  readonly #result: Promise<T>;
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #wake: () => void = () => {};
  #end: () => void = () => {};

  /**
   * @param owner who calls: a question of a server that could be meant for somebody else is not asked
   * @param start begins the work; it is aborted when the client cancels
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
    // Whoever waits for a round is told; between rounds nobody waits.
    this.#result.catch(() => {});
  }

  /** Asks a client by itself. Without it, questions become an answer of the round. */
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
   * Waits for the result, or for questions.
   *
   * @param token by which the client's next attempt finds this call again
   * @throws what the call throws
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

/** How long a call waits for answers: people answer some of them. */
const WAIT_MS = 900_000;
/** Calls that wait at the same time. */
const MOST_WAITING = 1_000;

interface Waiting {
  call: Call<unknown>;
  timer: ReturnType<typeof setTimeout>;
}

/** The calls that wait for answers, by the token that the client brings back. */
export class WaitingCalls {
  /** The oldest one is ended where there are too many. */
  readonly #calls = new Recent<string, Waiting>(MOST_WAITING, (one) => end(one, "too many calls wait for answers"));

  /** The call that an attempt goes on with; undefined for a new one, or for one that waits at the server itself. */
  take(token: unknown): Call<unknown> | undefined {
    if (typeof token !== "string") return undefined;
    const waiting = this.#calls.get(token);
    this.#calls.delete(token);
    clearTimeout(waiting?.timer);
    return waiting?.call;
  }

  /** Keeps a call until its client comes back. */
  keep(token: string, call: Call<unknown>): void {
    const late = () => this.take(token)?.cancel(new Error("the client did not answer in time"));
    const timer = setTimeout(late, WAIT_MS);
    (timer as { unref?: () => void }).unref?.();
    this.#calls.set(token, { call, timer });
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
