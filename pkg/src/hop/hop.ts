/**
 * One call of a model by a program, for the proxy and the middleware. The model may search within it, so it can take several
 * requests.
 */

import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import { searchAhead, type Conversation } from "../loop/ahead.js";
import { Driver } from "../loop/driver.js";
import { type Decided, decided } from "../loop/rounds.js";
import type { RankOptions } from "../types/index.js";
import type { AheadOptions, ModelCall, RunOptions } from "../loop/types.js";
import { Recent } from "../base/recent.js";

/** How a call is led. */
export interface HopSettings extends AheadOptions, RankOptions, Pick<RunOptions, "onEvent"> {
  /** Requests in which the model may search. One more follows, in which it has to answer. */
  maxRounds: number;
}

/** Leads a session, which lives as long as the call: it searches ahead, and settles each reply. */
export class Hop {
  readonly session: Session;
  requests = 0;
  readonly #driver: Driver;
  readonly #maxRounds: number;

  /**
   * @param door what the id of the session begins with
   * @param recall reveals what the conversation has found before
   */
  constructor(
    sift: ToolSift,
    door: string,
    { maxRounds, ...settings }: HopSettings,
    conversation: Conversation,
    recall: (session: Session) => void,
  ) {
    this.#maxRounds = maxRounds;
    this.session = sift.session(`${door}/${crypto.randomUUID()}`, { scope: "all" });
    try {
      this.#driver = new Driver(this.session, settings);
      recall(this.session);
      searchAhead(this.session, settings, conversation);
    } catch (error) {
      this.session.close();
      throw error;
    }
  }

  /**
   * Begins a request. The last one has no discovery tools, so that the model has to answer.
   *
   * @returns whether it is the last
   */
  begin(): boolean {
    this.requests += 1;
    return this.requests > this.#maxRounds;
  }

  /** Decides the calls of the reply, and answers those that are not the client's. `isReal` tells whose a call is. */
  settle(calls: readonly ModelCall[], isReal: (call: ModelCall) => boolean, signal?: AbortSignal): Promise<Decided> {
    return decided(this.#driver, calls, isReal, this.requests > this.#maxRounds, signal);
  }
}

interface Made {
  readonly text: string;
  readonly sift: ToolSift;
}

/** Keeps catalogs. */
export class RecentCatalogs<C extends Made> {
  readonly #kept: Recent<C, C>;
  readonly #uses = new Map<C, number>();

  /**
   * @param most how many are kept
   * @param mostChars how many characters the lists of all of them may have together
   */
  constructor(most: number, mostChars: number = Infinity) {
    this.#kept = new Recent(most, (one) => this.#end(one), { most: mostChars, of: ({ text }) => text.length });
  }

  find(isWanted: (catalog: C) => boolean): C | undefined {
    for (const one of this.#kept.keys()) if (isWanted(one)) return one;
    return undefined;
  }

  /** Keeps a catalog, and returns what ends this use of it. */
  use(catalog: C): () => void {
    this.#uses.set(catalog, (this.#uses.get(catalog) ?? 0) + 1);
    this.#kept.set(catalog, catalog);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = this.#uses.get(catalog)! - 1;
      if (left > 0) return void this.#uses.set(catalog, left);
      this.#uses.delete(catalog);
      if (!this.#kept.has(catalog)) catalog.sift.dispose();
    };
  }

  drop(catalog: C): void {
    if (this.#kept.delete(catalog)) this.#end(catalog);
  }

  #end(catalog: C): void {
    if (!this.#uses.has(catalog)) catalog.sift.dispose();
  }
}
