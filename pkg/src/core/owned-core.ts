/** Owns the memory of one core, and knows whether the core is still there and whether it is in use. */

import { run } from "./boundary.js";
import { ownFields, plain } from "../base/plain-data.js";
import { type Core, core } from "./bindings.js";
import { ToolSiftError } from "../base/errors.js";
import { Finder } from "./finder.js";
import { type Reviewer, reviewerOf } from "./reviewer.js";
import type { SearchResult, SkillReader, ToolSiftOptions } from "../types/index.js";
import { kind, reasonOf } from "../base/values.js";

/** No core keeps more sessions. */
const MOST_SESSIONS = 100_000;

/**
 * Owns one core. The memory is given back by `dispose`, or by the garbage collector some time after the last handle is
 * gone.
 */
export class OwnedCore {
  static #count = 0;
  /** Which of all cores it is. */
  readonly number = ++OwnedCore.#count;
  readonly reviewer: Reviewer | undefined;
  /** What reads the files of skills, by `readerKey`. */
  readonly readers = new Map<string, SkillReader>();
  /**
   * What reads the files of skills that a guard has quarantined, by the object that registers them once they are accepted,
   * and by their places in its list.
   */
  readonly waitingReaders = new WeakMap<object, ReadonlyMap<number, SkillReader>>();
  readonly #finder = new Finder();
  /** The numbers of the sessions that registered tools of their own. */
  readonly #own = new Set<number>();
  #core: Core | undefined;
  #busy = false;
  #failure: string | undefined;

  /** An empty catalog, or that of an index. */
  constructor(options: ToolSiftOptions, index?: Uint8Array) {
    const { countTokens: _, guard, ...others } = ownFields("options", options);
    // Of a class's instance it may be a method.
    const { countTokens } = options;
    this.reviewer = reviewerOf(guard);
    if (countTokens !== undefined && typeof countTokens !== "function") {
      throw new ToolSiftError("option_invalid", `options.countTokens is ${kind(countTokens)}; it must be a function`);
    }
    const settings = plain("options", others);
    const { Core } = core();
    const counter = countTokens === undefined ? undefined : safeCounter((text) => countTokens.call(options, text));
    this.#core = run(() => new Core(settings, counter));
    if (index !== undefined) this.#load(index);
  }

  #load(index: Uint8Array): void {
    try {
      this.use((core) => core.load(index));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Uses the core; the one way in. */
  use<T>(method: (core: Core) => T): T {
    if (this.#core === undefined) throw new ToolSiftError("disposed", "this ToolSift was disposed");
    if (this.#busy) throw new ToolSiftError("reentrant", "countTokens must not use the ToolSift that is calling it");
    this.#check(this.#core);
    this.#busy = true;
    try {
      return run(() => method(this.#core as Core));
    } catch (error) {
      if (ToolSiftError.is(error) && error.code === "internal") this.#failure = error.message;
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** An empty catalog beside this one. */
  beside(): OwnedCore {
    return new OwnedCore({});
  }

  search(query: string, options: unknown): SearchResult {
    return this.use((core) => this.#finder.search(core, query, options));
  }

  /** Refuses a core that was left in the middle of a call, as when the stack overflowed: it is still borrowed. */
  #check(core: Core): void {
    if (this.#failure === undefined) return;
    try {
      core.revision();
      this.#failure = undefined;
    } catch {
      throw new ToolSiftError("internal", `${this.#failure}; make another ToolSift`);
    }
  }

  /** Notes that a session registered tools of its own. */
  note(sessionNumber: number): void {
    this.#own.add(sessionNumber);
    // Nobody reports a session that was evicted; the oldest is gone for certain.
    if (this.#own.size > MOST_SESSIONS) this.disown(this.#own.values().next().value!);
  }

  /** Whether a session registered tools of its own. */
  hasOwn(sessionNumber: number): boolean {
    return this.#own.has(sessionNumber);
  }

  /** Forgets a session that was closed. */
  disown(sessionNumber: number): void {
    this.#own.delete(sessionNumber);
    for (const key of this.readers.keys()) if (key.startsWith(`[${sessionNumber},`)) this.readers.delete(key);
    this.reviewer?.gone({ core: this.number, sessionNumber });
  }

  dispose(): void {
    if (this.#busy) throw new ToolSiftError("reentrant", "countTokens must not dispose the ToolSift that is calling it");
    const core = this.#core;
    this.#core = undefined;
    this.#finder.forget();
    this.reviewer?.gone({ core: this.number, sessionNumber: 0 });
    try {
      core?.free();
    } catch (error) {
      // A core that was left in the middle of a call is still borrowed, and cannot be freed.
      if (this.#failure === undefined) throw error;
    }
  }
}

type CountTokens = (text: string) => unknown;

/** A counter that never throws: what is thrown through wasm leaves the core locked. It returns a count, or what went wrong. */
function safeCounter(countTokens: CountTokens): (text: string) => number | string {
  return (text) => {
    try {
      const count = countTokens(text);
      return typeof count === "number" ? count : `returned ${kind(count)}; a count is a number`;
    } catch (cause) {
      return `threw: ${reasonOf(cause)}`;
    }
  };
}
