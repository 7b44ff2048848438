/** Works between two requests: decides and runs calls, sends events, and counts replies with only refused calls. */

import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { aFunction, type Shape, trueOrFalse, wholeOf } from "../base/shape.js";
import { aside, kind, reasonOf } from "../base/values.js";
import type { AnswerText } from "../core/answer-text.js";
import type { Session } from "../core/session.js";
import type { JsonObject, Outcome, RankOptions } from "../types/index.js";
import { type AnswerOptions, answerBound } from "./bound.js";
import { unlessEnded } from "./ending.js";
import { type ToolEvent, withAttributes } from "./events.js";
import { type Choice, queryOf, RANKING, ranked, checkRankable, warn } from "./rank.js";
import { runnerOf } from "./skills.js";
import type { Answer, Dispatch, DriverOptions, Execute, ModelCall } from "./types.js";

/** The maximum number of tools that run at the same time. A reply may have any number of calls. */
const AT_ONCE = 16;
/** The default of `patience`. */
export const PATIENCE = 5;
/** The highest value of `patience`. */
const MOST_PATIENCE = 1_000;

type Common = "session" | "step" | "callId" | "tool" | "startTime" | "duration" | "attributes";
type Detail<E> = E extends ToolEvent ? Omit<E, Common> : never;

/** Handles the replies of one run in one session. */
export class Driver {
  session: Session;
  /** The number of replies in a row with only refused calls after which the run ends. */
  readonly patience: number;
  readonly #onEvent: DriverOptions["onEvent"];
  readonly #answerBound: number;
  readonly #readsOn: boolean;
  readonly #ranking: RankOptions;
  #step = 0;
  #refused = 0;

  constructor(session: Session, options: DriverOptions = {}) {
    const { patience = PATIENCE, onEvent, readOn = true } = options;
    requireMethods("session", session, ["assemble", "call"], "what sift.session(id) returns");
    this.patience = patience;
    this.session = session;
    this.#onEvent = onEvent;
    this.#answerBound = answerBound(options);
    this.#readsOn = readOn;
    this.#ranking = options;
    checkRankable(options, () => session.settings);
  }

  /** True after `patience` replies in a row with only refused calls. */
  get stuck(): boolean {
    return this.#refused >= this.patience;
  }

  /** Decides the calls of a reply in order, runs them at the same time, and returns the answers in the order of calls. */
  async answer(calls: readonly ModelCall[], execute: Execute, signal?: AbortSignal): Promise<Answer[]> {
    this.begin();
    const choices = await Promise.all(calls.map((call) => this.rank(call, signal)));
    const outcomes = calls.map((call, at) => this.decide(call, choices[at]));
    this.end(outcomes);
    const answers: Answer[] = [];
    const waiting = outcomes.entries();
    const work = async () => {
      for (const [at, outcome] of waiting) answers[at] = await this.settle(calls[at]!, outcome, execute, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return answers;
  }

  /** Begins a reply, for programs that decide calls one by one. `step` is the reply's number, if it is known. */
  begin(step: number = this.#step + 1): void {
    this.#step = step;
  }

  end(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return;
    this.#refused = outcomes.every((outcome) => refusalOf(outcome) !== undefined) ? this.#refused + 1 : 0;
  }

  /** Asks your program's ranker about a call; pass the result to `decide`. Undefined if it does not rank this call. */
  rank(call: ModelCall, signal?: AbortSignal): Promise<Choice> | undefined {
    const { session } = this;
    return ranked((read) => read(session), call, this.#ranking, signal);
  }

  /**
   * Decides a call. A value that no model can send is refused like other errors of the model.
   *
   * @param choice the result of `rank` for this call
   */
  decide(call: ModelCall, choice?: Choice): Outcome {
    if (this.#onEvent === undefined) {
      if (choice?.error !== undefined) warn(choice.error);
      return this.#outcome(call, choice);
    }
    const known = new Set(this.session.revealed);
    const clock = start();
    const outcome = this.#outcome(call, choice);
    // Measured before the events are made, because events and their listeners take time too.
    const took = clock();
    const revealed = this.session.revealed.filter((name) => !known.has(name));
    const refusal = refusalOf(outcome);
    if (refusal !== undefined) this.#tell(call, took, { type: "refuse", ...refusal });
    else if (outcome.kind === "result") {
      const { content, found } = outcome;
      this.#tell(call, took, this.#search(call, { content, revealed, found }, choice));
    }
    this.#tellOf(revealed, call, took);
    return outcome;
  }

  ahead(message: string): void {
    const clock = start();
    const revealed = this.session.prefetch(message);
    this.#tellOf(revealed, { name: "prefetch" }, clock());
  }

  /**
   * Runs a tool of the catalog and reports it. An error of the tool becomes its answer. If the run ends first, the answer
   * immediately states this, so that every call in the conversation has an answer.
   */
  async run(call: ModelCall, dispatch: Dispatch, execute: Execute): Promise<Answer> {
    const clock = start();
    const { id: _, signal, ...outcome } = dispatch;
    let answer: Answer;
    try {
      const result = await unlessEnded(signal, (own) =>
        runnerOf(this.session, dispatch, execute)({ ...dispatch, signal: own }),
      );
      const read = this.session.answerText(result);
      const content = this.bounded(read.text, dispatch);
      answer = { call, outcome, content, isError: read.isError, result, ...(content === read.text && withImages(read)) };
    } catch (error) {
      const content = this.bounded(`${dispatch.modelName} failed: ${reasonOf(error)}`);
      answer = { call, outcome, content, isError: true };
    }
    this.dispatched(call, outcome, clock, answer);
    return answer;
  }

  /**
   * Returns an answer's text for the model. A long text is cut, and stored for reading on. A file of a skill was already cut
   * by the core.
   */
  bounded(text: string, { skill }: Pick<Dispatch, "skill"> = {}): string {
    return skill === undefined ? this.session.cutAnswer(text, this.#answerBound, this.#readsOn) : text;
  }

  /** Reports a refusal by the adapter. The session would have allowed the call. */
  refused(call: ModelCall, { code, message }: Refused): void {
    this.#tell(call, start()(), { type: "refuse", code, message });
  }

  /** Reports that a tool of the catalog ran, for programs that run tools themselves. */
  dispatched(call: ModelCall, { name, server }: Pick<Dispatch, "name" | "server">, clock: Clock, answer: ToolAnswer): void {
    if (this.#onEvent === undefined) return;
    const took = clock();
    this.#tell(call, took, { type: "dispatch", name, server, isError: answer.isError, tokens: tokens(answer.content) });
  }

  /** Returns the answer to a decided call: that of the discovery tool, or the result of the tool that it runs. */
  async settle(call: ModelCall, outcome: Outcome, execute: Execute, signal?: AbortSignal): Promise<Answer> {
    if (outcome.kind === "dispatch") return this.run(call, { ...outcome, id: call.id, signal }, execute);
    return answeredBy(call, outcome);
  }

  #outcome({ name, args, own, broken }: ModelCall, choice?: Choice): Outcome {
    if (broken !== undefined && broken !== null) return { kind: "refused", error: broken };
    if (own !== undefined) return ownOutcome(name, args, own.server);
    try {
      return this.session.call(name, choice?.args ?? args, choice?.scores && { scores: choice.scores });
    } catch (error) {
      if (!ToolSiftError.is(error) || (error.code !== "not_json" && error.code !== "option_invalid")) throw error;
      return { kind: "refused", error: { code: error.code, message: error.message } };
    }
  }

  #search(call: ModelCall, { content, ...shown }: Shown, choice?: Choice): Detail<ToolEvent> {
    const [cores, rankerVersion] = this.session.ranker;
    const ranker = choice?.args ? "own" : choice?.scores ? `${cores}+own` : cores;
    const failed = choice?.error === undefined ? {} : { rankError: choice.error };
    return {
      type: "search",
      query: queryOf(call.args),
      ranker,
      rankerVersion,
      ...shown,
      tokens: tokens(content),
      ...failed,
    };
  }

  #tellOf(revealed: string[], call: Caller, took: Took): void {
    if (revealed.length === 0 || this.#onEvent === undefined) return;
    const known = this.session.named(revealed);
    const cost = revealed.reduce((sum, name) => sum + (known.get(name)?.tokens ?? 0), 0);
    this.#tell(call, took, { type: "reveal", revealed, tokens: cost });
  }

  /** Sends an event. An error of the listener must not end the conversation. */
  #tell({ id, name }: Caller, took: Took, detail: Detail<ToolEvent>): void {
    if (this.#onEvent === undefined) return;
    const tool = typeof name === "string" ? name : kind(name);
    const about = { session: this.session.id, step: this.#step, tool, callId: id };
    aside(() => this.#onEvent!(withAttributes({ ...about, ...took, ...detail })));
  }
}

type Caller = Pick<ModelCall, "id" | "name">;
type Shown = { content: string; revealed: string[]; found: string[] };
type Refused = Extract<Outcome, { kind: "refused" }>["error"];
type Took = { startTime: number; duration: number };
/** Returns the start, in ms since 1970, and the duration so far in ms. */
export type Clock = () => Took;
type ToolAnswer = Pick<Answer, "content" | "isError">;

/** Starts a clock. The returned function gives the start and the duration so far. */
export function start(): Clock {
  const startTime = Date.now();
  const from = performance.now();
  return () => ({ startTime, duration: performance.now() - from });
}

/** The shape of the options that limit tools' answers. */
export const ANSWERS: Shape<AnswerOptions> = {
  maxAnswerChars: (_, maxAnswerChars) => void answerBound({ maxAnswerChars } as AnswerOptions),
  readOn: trueOrFalse,
};

/** The shape of a driver's options. */
export const DRIVING: Shape<DriverOptions> = {
  ...ANSWERS,
  ...RANKING,
  patience: wholeOf(1, MOST_PATIENCE),
  onEvent: aFunction,
};

/** Returns the text of a discovery tool's answer or of a refusal, for the model. */
export function textForModel(outcome: Exclude<Outcome, { kind: "dispatch" }>): string {
  return outcome.kind === "result" ? outcome.content : outcome.error.message;
}

/** Returns the answer to a call of a discovery tool, or to a refused call. */
export function answeredBy(call: ModelCall, outcome: Exclude<Outcome, { kind: "dispatch" }>): Answer {
  return { call, outcome, content: textForModel(outcome), isError: refusalOf(outcome) !== undefined };
}

/** Returns the error of a refused call; undefined for other calls. */
export function refusalOf(outcome: Outcome): Refused | undefined {
  if (outcome.kind === "refused") return outcome.error;
  if (outcome.kind !== "result" || !outcome.isError) return undefined;
  return { code: outcome.errorCode ?? "arguments_invalid", message: outcome.content };
}

const KINDS: readonly unknown[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** Returns the parts of a successful answer, if it has images that all vendors accept. */
function withImages({ parts, isError }: AnswerText): Pick<Answer, "parts"> | undefined {
  const shown = parts.map(({ text, image }) => (KINDS.includes(image?.mimeType) ? { text, image } : { text }));
  if (isError || !shown.some(({ image }) => image !== undefined)) return undefined;
  return { parts: shown.filter(({ text }) => text.trim() !== "") };
}

/** Counts tokens like the core: code points / 4. */
function tokens(content: string): number {
  let characters = 0;
  for (const _ of content) characters += 1;
  return Math.ceil(characters / 4);
}

/** Returns the outcome of a call that is decided without the session. */
export function ownOutcome(name: string, args: unknown, server: string | null): Outcome {
  let read = args;
  if (typeof args === "string") {
    try {
      read = args.trim() === "" ? {} : JSON.parse(args);
    } catch (error) {
      return refused(`arguments are not JSON: ${reasonOf(error)}`);
    }
  }
  read ??= {};
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    return refused(`arguments must be a JSON object, got ${kind(read)}`);
  }
  return { kind: "dispatch", name, server, modelName: name, arguments: read as JsonObject };
}

function refused(message: string): Outcome {
  return { kind: "refused", error: { code: "arguments_invalid", message } };
}
