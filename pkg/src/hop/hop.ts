/** One model call in the proxy or the AI SDK middleware. The model may search during it, which needs several requests. */

import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import { searchAhead, type Conversation } from "../loop/ahead.js";
import { Driver } from "../loop/driver.js";
import { type Decided, decided } from "../loop/rounds.js";
import type { RankOptions } from "../types/index.js";
import type { AheadOptions, ModelCall, RunOptions } from "../loop/types.js";
import { Recent } from "../base/recent.js";

/** The settings of one model call. */
export interface HopSettings extends AheadOptions, RankOptions, Pick<RunOptions, "onEvent"> {
  /** The maximum number of requests in which the model may search. In one more request it must answer. */
  maxRounds: number;
}

/**
 * One model call. Its session is closed when the call ends. It loads tools before the first request, and settles replies.
 */
export class Hop {
  readonly session: Session;
  requests = 0;
  readonly #driver: Driver;
  readonly #maxRounds: number;

  /**
   * @param idPrefix the beginning of the session's id
   * @param recall loads the tools that the conversation has loaded before
   */
  constructor(
    sift: ToolSift,
    idPrefix: string,
    { maxRounds, ...settings }: HopSettings,
    conversation: Conversation,
    recall: (session: Session) => void,
  ) {
    this.#maxRounds = maxRounds;
    this.session = sift.session(`${idPrefix}/${crypto.randomUUID()}`, { scope: "all" });
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
   * Begins a request. The last request has no discovery tools, so that the model must answer.
   *
   * @returns true for the last request
   */
  begin(): boolean {
    this.requests += 1;
    return this.requests > this.#maxRounds;
  }

  /** Decides the calls of the reply. Answers the calls that are not the client's, which `isReal` checks. */
  settle(calls: readonly ModelCall[], isReal: (call: ModelCall) => boolean, signal?: AbortSignal): Promise<Decided> {
    return decided(this.#driver, calls, isReal, this.requests > this.#maxRounds, signal);
  }
}

interface Made {
  readonly text: string;
  readonly sift: ToolSift;
}

/** Stores the most recently used catalogs. */
export class RecentCatalogs<C extends Made> {
  readonly #kept: Recent<C, C>;
  readonly #uses = new Map<C, number>();

  /**
   * @param most the maximum number of catalogs
   * @param mostChars the maximum number of characters of all their tool lists together
   */
  constructor(most: number, mostChars: number = Infinity) {
    this.#kept = new Recent(most, (one) => this.#end(one), { most: mostChars, of: ({ text }) => text.length });
  }

  find(isWanted: (catalog: C) => boolean): C | undefined {
    for (const one of this.#kept.keys()) if (isWanted(one)) return one;
    return undefined;
  }

  /** Stores a catalog, and returns a function that ends this use of it. */
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
