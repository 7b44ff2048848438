/** Works between two requests: decides the model's calls, runs them, reports them as events, and counts refused replies. */

import { kind, reasonOf } from "../boundary.js";
import { able, callable, whole } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import type { Session } from "../session.js";
import type { Outcome } from "../types.js";
import { answerBound, type AnswerOptions, bounded } from "./bound.js";
import { unlessEnded } from "./ending.js";
import { type ToolEvent, withAttributes } from "./events.js";
import { ownOutcome } from "./own-call.js";
import { saysError, textOf } from "./text.js";
import type { Answer, Dispatch, Execute, ModelCall, VendorSearch } from "./types.js";

/** What a driver is told by its host. */
export interface DriverOptions extends AnswerOptions {
  patience?: number | undefined;
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** Tools that run at once: more would wait for each other, and a reply may hold any number of calls. */
const AT_ONCE = 16;
const PATIENCE = 5;
/** More is no patience. */
const MOST_PATIENCE = 1_000;

type Common = "session" | "step" | "callId" | "tool" | "startTime" | "duration" | "attributes";
/** What is special to an event of each type. */
type Detail<E> = E extends ToolEvent ? Omit<E, Common> : never;

/** Leads one session through the replies of one run. */
export class Driver {
  /** The session that is led; an adapter may give another one between two replies. */
  session: Session;
  /** After how many replies in a row of nothing but refused calls it is enough. */
  readonly patience: number;
  readonly #onEvent: DriverOptions["onEvent"];
  readonly #answerBound: number;
  #step = 0;
  #refused = 0;

  constructor(session: Session, options: DriverOptions = {}) {
    const { patience, onEvent } = options;
    able("session", session, ["assemble", "call"], "what sift.session(id) returns");
    this.patience = patienceOf(patience);
    callable("onEvent", onEvent, true);
    this.session = session;
    this.#onEvent = onEvent;
    this.#answerBound = answerBound(options);
  }

  /** Whether as many replies in a row as `patience` says were nothing but refused calls. */
  get stuck(): boolean {
    return this.#refused >= this.patience;
  }

  /** The calls of one reply: decided in their order, run at once, answered in their order. */
  async answer(
    calls: readonly ModelCall[],
    execute: Execute,
    signal?: AbortSignal,
    searches: readonly VendorSearch[] = [],
  ): Promise<Answer[]> {
    this.begin();
    for (const search of searches) this.found(search);
    const outcomes = calls.map((call) => this.decide(call));
    this.end(outcomes);
    const answers: Answer[] = [];
    const waiting = outcomes.entries();
    const work = async () => {
      for (const [at, outcome] of waiting) answers[at] = await this.#answer(calls[at]!, outcome, execute, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return answers;
  }

  /** A reply of the model begins, for hosts that decide its calls one by one; `step` where they know which one it is. */
  begin(step: number = this.#step + 1): void {
    this.#step = step;
  }

  /** Ends what `begin` began, with all that its calls came to. */
  end(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return;
    this.#refused = outcomes.every((outcome) => refusalOf(outcome) !== undefined) ? this.#refused + 1 : 0;
  }

  /** What a call comes to. What no model can send is refused as its other mistakes are. */
  decide(call: ModelCall): Outcome {
    if (this.#onEvent === undefined) return this.#outcome(call);
    const known = new Set(this.session.revealed);
    const clock = start();
    const outcome = this.#outcome(call);
    // What is told takes time of its own, and so do those who listen.
    const took = clock();
    const revealed = this.session.revealed.filter((name) => !known.has(name));
    const refusal = refusalOf(outcome);
    if (refusal !== undefined) this.#tell(call, took, { type: "refuse", ...refusal });
    else if (outcome.kind === "result") this.#tell(call, took, this.#search(call, outcome.content, revealed));
    this.#tellOf(revealed, call, took);
    return outcome;
  }

  /** Reveals what the vendor's own search found, as far as the session may see it and has room for it. */
  found({ id, tool, version, query, names }: VendorSearch): void {
    const clock = start();
    const call = { id, name: tool };
    const deferred = new Set(this.session.tools().flatMap(({ name, state }) => (state === "deferred" ? [name] : [])));
    const revealed = [...new Set(names)].filter((name) => deferred.has(name) && this.#reveals(name));
    const took = clock();
    const about = { query, ranker: tool, rankerVersion: version, revealed, tokens: tokens(names.join("\n")) };
    this.#tell(call, took, { type: "search", ...about });
    this.#tellOf(revealed, call, took);
  }

  #reveals(name: string): boolean {
    try {
      return this.session.reveal([name]).length > 0;
    } catch (error) {
      if (ToolSiftError.is(error) && error.code === "revealed_full") return false;
      throw error;
    }
  }

  /**
   * Runs a real tool and tells of it. What it throws is its answer; where the run is ended, the answer says so at once, so
   * that no conversation is left with a call that nobody answered.
   */
  async run(call: ModelCall, dispatch: Dispatch, execute: Execute): Promise<Answer> {
    const clock = start();
    const { id: _, signal, ...outcome } = dispatch;
    let answer: Answer;
    try {
      const result = await unlessEnded(signal, (own) => execute({ ...dispatch, signal: own }));
      const content = bounded(textOf(result), this.#answerBound);
      answer = { call, outcome, content, isError: saysError(result), result };
    } catch (error) {
      const content = bounded(`${dispatch.modelName} failed: ${reasonOf(error)}`, this.#answerBound);
      answer = { call, outcome, content, isError: true };
    }
    this.dispatched(call, outcome, clock, answer);
    return answer;
  }

  /** Tells that a call that the session would let run was refused all the same, for a reason of the adapter's own. */
  refused(call: ModelCall, { code, message }: Refused): void {
    this.#tell(call, start()(), { type: "refuse", code, message });
  }

  /** Tells that a real tool ran, for hosts that run it themselves. */
  dispatched(call: ModelCall, { name, server }: Pick<Dispatch, "name" | "server">, clock: Clock, said: Said): void {
    if (this.#onEvent === undefined) return;
    const took = clock();
    this.#tell(call, took, { type: "dispatch", name, server, isError: said.isError, tokens: tokens(said.content) });
  }

  async #answer(call: ModelCall, outcome: Outcome, execute: Execute, signal?: AbortSignal): Promise<Answer> {
    if (outcome.kind === "dispatch") return this.run(call, { ...outcome, id: call.id, signal }, execute);
    return { call, outcome, content: saidBy(outcome), isError: refusalOf(outcome) !== undefined };
  }

  #outcome({ name, args, own, broken }: ModelCall): Outcome {
    if (broken !== undefined) return { kind: "refused", error: broken };
    if (own !== undefined) return ownOutcome(name, args, own.server);
    try {
      return this.session.call(name, args);
    } catch (error) {
      if (!ToolSiftError.is(error) || (error.code !== "not_json" && error.code !== "option_invalid")) throw error;
      return { kind: "refused", error: { code: error.code, message: error.message } };
    }
  }

  #search(call: ModelCall, content: string, revealed: string[]): Detail<ToolEvent> {
    const [ranker, rankerVersion] = this.session.ranker;
    return { type: "search", query: queryOf(call.args), ranker, rankerVersion, revealed, tokens: tokens(content) };
  }

  #tellOf(revealed: string[], call: ModelCall, took: Took): void {
    if (this.#onEvent === undefined || revealed.length === 0) return;
    const wanted = new Set(revealed);
    const cost = this.session.tools().reduce((sum, tool) => (wanted.has(tool.name) ? sum + tool.tokens : sum), 0);
    this.#tell(call, took, { type: "reveal", revealed, tokens: cost });
  }

  /** A listener that fails must not end the conversation that it listens to. */
  #tell({ id, name }: ModelCall, took: Took, detail: Detail<ToolEvent>): void {
    if (this.#onEvent === undefined) return;
    const tool = typeof name === "string" ? name : kind(name);
    const about = { session: this.session.id, step: this.#step, tool, callId: id };
    try {
      const told: unknown = this.#onEvent(withAttributes({ ...about, ...took, ...detail }));
      Promise.resolve(told).catch(() => {});
    } catch {}
  }
}

type Refused = Extract<Outcome, { kind: "refused" }>["error"];
type Took = { startTime: number; duration: number };
type Clock = () => Took;
type Said = Pick<Answer, "content" | "isError">;

/** A clock that runs from now on. */
export function start(): Clock {
  const startTime = Date.now();
  const from = performance.now();
  return () => ({ startTime, duration: performance.now() - from });
}

/** How many replies of nothing but refused calls are borne. */
export function patienceOf(patience: number = PATIENCE): number {
  return whole("patience", patience, 1, MOST_PATIENCE);
}

/** What a discovery tool or a refusal says to the model. */
export function saidBy(outcome: Exclude<Outcome, { kind: "dispatch" }>): string {
  return outcome.kind === "result" ? outcome.content : outcome.error.message;
}

/** What was wrong with a call, if anything was. */
export function refusalOf(outcome: Outcome): Refused | undefined {
  if (outcome.kind === "refused") return outcome.error;
  if (outcome.kind !== "result" || !outcome.isError) return undefined;
  return { code: outcome.errorCode ?? "arguments_invalid", message: outcome.content };
}

/** Counted as the core does: a character is a code point. */
function tokens(content: string): number {
  let characters = 0;
  for (const _ of content) characters += 1;
  return Math.ceil(characters / 4);
}

/** What a discovery tool was asked, as far as the arguments say so. */
function queryOf(args: unknown): string | null {
  const { query, queries } = objectOf(args);
  const asked = (Array.isArray(queries) ? queries : [query]).filter((one) => typeof one === "string");
  return asked.length === 0 ? null : asked.join("\n");
}

function objectOf(args: unknown): Record<string, unknown> {
  if (typeof args !== "string") return Object(args) as Record<string, unknown>;
  try {
    return Object(JSON.parse(args)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
