/** One run of an agent: the calls of a reply are decided together, before any of them runs. */

import { type DriverOptions, Driver } from "../../loop/driver.js";
import type { ModelCall, Outcome, Session } from "../../index.js";
import type { Choice } from "../../loop/rank.js";
import type { Opened } from "./sessions.js";

/** A call of the reply that is being worked on. */
export interface Decided {
  call: ModelCall;
  outcome: Outcome;
  /** Whether Mastra has asked what it comes to. It does not for calls that it cannot place. */
  taken: boolean;
}

/** The data of a run that is known at its beginning. */
export interface RunAbout extends DriverOptions, Opened {
  /** The tools of calls that were held back and go on now, each with what runs: they were decided before they were held. */
  held?: ReadonlyMap<string, { name: string; server: string | null }>;
}

/** Handles the replies of one run in one session. */
export class Run {
  readonly alone: boolean;
  readonly driver: Driver;
  readonly watched: boolean;
  sent: ReadonlySet<string> = new Set();
  discovery: ReadonlySet<string> = new Set();
  /** Mastra's names of the tools that the catalog lacks. */
  own: ReadonlySet<string> = new Set();
  readonly #renew: () => Session;
  readonly #held: RunAbout["held"];
  #calls: Decided[] = [];

  constructor({ session, alone, renew, held, ...options }: RunAbout) {
    this.#renew = renew;
    this.alone = alone;
    this.#held = held;
    this.driver = new Driver(session, options);
    this.watched = options.onEvent !== undefined;
  }

  get session(): Session {
    return this.driver.session;
  }

  renew(): void {
    this.driver.session = this.#renew();
  }

  async reply(calls: readonly ModelCall[], signal?: AbortSignal): Promise<void> {
    const choices = await this.rank(calls, signal);
    this.renew();
    this.driver.begin();
    this.#calls = calls.map((call, at) => this.#decided(call, choices[at]));
    this.driver.end(this.#calls.map(({ outcome }) => outcome));
  }

  /** Calls of a reply that another run was given. They count for nothing here. */
  adopt(calls: readonly ModelCall[], choices: readonly (Choice | undefined)[]): void {
    this.#calls = calls.map((call, at) => this.#decided(call, choices[at]));
  }

  /** What the host's own ranker chooses for calls. Other runs may close the session while this is waited for. */
  rank(calls: readonly ModelCall[], signal?: AbortSignal): Promise<(Choice | undefined)[]> {
    this.renew();
    return Promise.all(calls.map((call) => this.driver.rank(call, signal)));
  }

  /** The outcome of a call that Mastra is about to run. A call that is in no reply of this run is decided now. */
  async take(call: ModelCall, signal?: AbortSignal): Promise<Outcome> {
    const decided = this.#calls.find((one) => one.call.id === call.id && !one.taken);
    if (decided !== undefined) {
      decided.taken = true;
      return decided.outcome;
    }
    const held = this.#held?.get(call.name);
    if (held !== undefined) return dispatch(call.name, held);
    const [choice] = await this.rank([call], signal);
    this.renew();
    return this.driver.decide(call, choice);
  }

  get left(): Decided[] {
    return this.#calls.filter(({ taken }) => !taken);
  }

  #decided(call: ModelCall, choice: Choice | undefined): Decided {
    const { name } = call;
    if (this.own.has(name)) return { call, outcome: dispatch(name, { name, server: null }), taken: true };
    return { call, outcome: this.driver.decide(call, choice), taken: false };
  }
}

function dispatch(modelName: string, { name, server }: { name: string; server: string | null }): Outcome {
  return { kind: "dispatch", name, server, modelName, arguments: {} };
}
