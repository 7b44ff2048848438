/**
 * Follows sessions, to know which search led to a call. A call is credited to the latest search that showed the tool, and the
 * searches right before that one, which led to nothing, are credited as ones that missed it. A call without a search, or one
 * that failed, teaches nothing.
 */

import { Recent } from "../../recent.js";
import { type Evidence, fingerprint, hash, keyOf, type ToolName } from "./evidence.js";

/** Searches of one session that a call may go back to, and for how long. */
const SEARCHES = 4;
const WINDOW_MS = 1_800_000;
/** Searches that may have missed a tool before one showed it: nobody tries more often with the same thing in mind. */
const MISSES = 2;
/** Names that are kept of what a search showed. */
const SHOWN = 64;
/** What one session may teach: words with a tool. A session that goes on and on must not outweigh the others. */
const LESSONS = 256;

/** A search of a session. */
interface Search {
  terms: Map<string, string>;
  shown: Set<string>;
  at: number;
  step: number | undefined;
  /** Whether a call followed it, so that it did not miss what was called later. */
  isAnswered: boolean;
}

interface Followed {
  searches: Search[];
  /** A hash of each word with each tool that it has taught. */
  taught: Set<number>;
}

/** A call of a tool. */
export interface Called {
  /** The name that the model sees, as searches show it. */
  shownAs: string;
  tool: ToolName;
  step: number | undefined;
}

/** The sessions of late. */
export class Sessions {
  readonly #followed: Recent<string, Followed>;

  constructor(most: number) {
    this.#followed = new Recent(most);
  }

  /** How many are followed. */
  get size(): number {
    return this.#followed.size;
  }

  /** A search by words. */
  searched(id: string, terms: Map<string, string>, shown: readonly string[], at: number, step: number | undefined): void {
    const { searches } = this.#of(id);
    searches.push({ terms, shown: new Set(shown.slice(0, SHOWN)), at, step, isAnswered: false });
    if (searches.length > SEARCHES) searches.shift();
  }

  /** Tools were shown after a search, such as those that the model loaded by their names. */
  shown(id: string, names: readonly string[]): void {
    const search = this.#followed.get(id)?.searches.at(-1);
    for (const name of names) if (search !== undefined && search.shown.size < SHOWN) search.shown.add(name);
  }

  /** A call that succeeded. */
  called(id: string, { shownAs, tool, step }: Called, evidence: Evidence, now: number): void {
    const followed = this.#followed.get(id);
    if (followed === undefined) return;
    const searches = followed.searches.filter(({ at }) => now - at <= WINDOW_MS);
    // What is called in the same reply was decided before the search answered.
    const answered = searches.filter((search) => step === undefined || search.step !== step);
    const found = answered.map((search) => search.shown.has(shownAs)).lastIndexOf(true);
    if (found >= 0) {
      this.#teach(id, followed, tool, answered[found]!, false, evidence, now);
      for (const search of missedBefore(answered, found, shownAs))
        this.#teach(id, followed, tool, search, true, evidence, now);
    }
    // What was searched before a call is done with: it is no miss of what is called later.
    for (const search of answered) search.isAnswered = true;
  }

  forget(id: string): void {
    this.#followed.delete(id);
  }

  clear(): void {
    this.#followed.clear();
  }

  #teach(
    id: string,
    { taught }: Followed,
    tool: ToolName,
    search: Search,
    missed: boolean,
    evidence: Evidence,
    now: number,
  ): void {
    const key = keyOf(tool);
    const terms = [...search.terms].filter(([term]) => {
      const lesson = hash(`${term}\n${key}`);
      if (taught.has(lesson) || taught.size >= LESSONS) return false;
      taught.add(lesson);
      return true;
    });
    if (terms.length > 0) evidence.learn(tool, { terms, size: search.terms.size, session: fingerprint(id), missed }, now);
  }

  /** The session of an id, as the one that was used last. */
  #of(id: string): Followed {
    const followed = this.#followed.get(id) ?? { searches: [], taught: new Set<number>() };
    this.#followed.set(id, followed);
    return followed;
  }
}

/** The searches right before one that led to nothing. */
function missedBefore(searches: readonly Search[], found: number, shownAs: string): Search[] {
  const missed: Search[] = [];
  for (let at = found - 1; at >= 0 && missed.length < MISSES; at--) {
    const search = searches[at]!;
    if (search.isAnswered || search.shown.has(shownAs)) break;
    missed.push(search);
  }
  return missed;
}
