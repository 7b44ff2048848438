/** Owns the memory of one core. It checks that the core exists and is not in use. */

import { run } from "./boundary.js";
import { ownFields, plain } from "../base/plain-data.js";
import { type Core, core } from "./bindings.js";
import { ToolSiftError } from "../base/errors.js";
import { Finder } from "./finder.js";
import { type Reviewer, reviewerOf } from "./reviewer.js";
import type { SearchResult, SkillReader, ToolSiftOptions } from "../types/index.js";
import { kind, reasonOf } from "../base/values.js";

/** The maximum number of sessions of a core. */
const MOST_SESSIONS = 100_000;

/** Owns one core. Its memory is freed by `dispose`, or by the garbage collector some time after the last handle is gone. */
export class OwnedCore {
  static #count = 0;
  /** The number of this core in the process. */
  readonly number = ++OwnedCore.#count;
  readonly reviewer: Reviewer | undefined;
  /** The functions that read the files of skills, by `readerKey`. */
  readonly readers = new Map<string, SkillReader>();
  /**
   * The functions that read the files of quarantined skills, by the place in their list. The key is the function that
   * registers the skills once they are accepted.
   */
  readonly waitingReaders = new WeakMap<object, ReadonlyMap<number, SkillReader>>();
  readonly #finder = new Finder();
  /** The numbers of the sessions that registered their own tools. */
  readonly #own = new Set<number>();
  #core: Core | undefined;
  #busy = false;
  #failure: string | undefined;

  /** Makes an empty catalog, or the catalog of an index. */
  constructor(options: ToolSiftOptions, index?: Uint8Array) {
    const { countTokens: _, guard, ...others } = ownFields("options", options);
    // Read from `options`, because in an instance of a class it may be a method.
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

  /** Returns the definition of a discovery tool or a shared tool in MCP's format. */
  definition(name: string): object | undefined {
    const written = this.use((core) => core.definition(name));
    return written === undefined ? undefined : (JSON.parse(written) as object);
  }

  /** Runs a function with the core. All access to the core goes through here. */
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

  /** Makes another, empty catalog. */
  beside(): OwnedCore {
    return new OwnedCore({});
  }

  search(query: string, options: unknown): SearchResult {
    return this.use((core) => this.#finder.search(core, query, options));
  }

  /** Refuses a core that was interrupted in a call, for example by a stack overflow: it stays locked. */
  #check(core: Core): void {
    if (this.#failure === undefined) return;
    try {
      core.revision();
      this.#failure = undefined;
    } catch {
      throw new ToolSiftError("internal", `${this.#failure}; make another ToolSift`);
    }
  }

  /** Records that a session registered its own tools. */
  note(sessionNumber: number): void {
    this.#own.add(sessionNumber);
    // Evicted sessions are not reported. Above the maximum, the oldest session is certainly gone.
    if (this.#own.size > MOST_SESSIONS) this.disown(this.#own.values().next().value!);
  }

  /** Checks if a session registered its own tools. */
  hasOwn(sessionNumber: number): boolean {
    return this.#own.has(sessionNumber);
  }

  /** Removes the data of a closed session. */
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
      // A core that was interrupted in a call stays locked and cannot be freed.
      if (this.#failure === undefined) throw error;
    }
  }
}

type CountTokens = (text: string) => unknown;

/** Wraps a counter so that it never throws (that would leave the core locked), but returns a count or the problem's text. */
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
