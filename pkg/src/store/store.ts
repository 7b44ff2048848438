/** Keeps sessions beyond their process: processes that share a store share the reveals of a session. */

import { plain } from "../base/plain-data.js";
import { aside, kind, reasonOf } from "../base/values.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { Recent } from "../base/recent.js";
import { aFunction, type Shape, shaped, wholeOf } from "../base/shape.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import { inTime } from "../loop/ending.js";
import type { SessionOptions } from "../types/index.js";
import { keyOf } from "./keys.js";
import type { KeyValueStore, SessionStoreOptions } from "./types.js";

const OPTIONS: Shape<SessionStoreOptions> = {
  // Ten years: a larger value was probably meant in milliseconds.
  ttl: wholeOf(0, 315_360_000),
  prefix,
  // Ten minutes: an agent that waits longer for its store seems to hang.
  timeoutMs: wholeOf(1, 600_000),
  onUnsaved: aFunction,
};
const DEFAULT = { ttl: 2_592_000, prefix: "toolsift", timeoutMs: 5_000 };
/** With the longest name of a session, a key stays below the 512 bytes that Cloudflare KV accepts. */
const PREFIX_CHARS = 128;
/** The most sessions of which is remembered that they could not be saved. */
const UNSAVED = 4_096;
/** How often a session is saved again because another process has written it meanwhile. */
const TRIES = 64;

class Queues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work of the same session has ended, whether or not it failed. */
  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(id) ?? Promise.resolve()).then(work, work);
    this.#last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    }
  }
}

/**
 * Sessions that outlive a process: in files, in Redis, or in any storage of `unstorage`. Processes may share a session: each
 * reads its record before it writes it, and adds what it has revealed.
 *
 * ```ts
 * const store = new SessionStore(sift, fileStore("./sessions"), { ttl: 7 * 24 * 3600 });
 * const answer = await store.use("chat-42", (session) => runAgent(session), { scope });
 * ```
 *
 * A scope is never stored: pass it with every `open` and `use`, as with `sift.session`.
 */
export class SessionStore {
  readonly #sift: ToolSift;
  readonly #settings: typeof DEFAULT & Pick<SessionStoreOptions, "onUnsaved">;
  readonly #store: KeyValueStore;
  /** The sessions that a `use` could not save. */
  readonly #unsaved = new Recent<string, true>(UNSAVED);
  readonly #uses = new Queues();
  readonly #calls = new Queues();

  /**
   * @param store what `fileStore` or `redisStore` returns, a storage of `unstorage`, or any other object with these methods
   * @throws ToolSiftError `option_unknown` (a misspelt key, with the nearest valid one), `option_invalid`,
   * `limit_out_of_range`
   */
  constructor(sift: ToolSift, store: KeyValueStore, options: SessionStoreOptions = {}) {
    requireMethods("sift", sift, ["restore"], "a ToolSift");
    const advice = "what `createStorage` of unstorage returns, or an object with the same methods";
    requireMethods("store", store, ["getItem", "setItem", "removeItem"], advice);
    this.#sift = sift;
    this.#store = store;
    this.#settings = { ...DEFAULT, ...shaped(options, OPTIONS) };
  }

  /**
   * Opens a session with what any process has saved of it, in an order that is the same for all of them. One that is
   * open here already is brought up to date: what others concealed is concealed, and what was revealed here and not yet
   * saved stays. What a `use` could not save is saved first.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, and what `sift.session` throws; `scope_required` where a process has
   * saved it with a scope, and none is passed. The session in memory is as it was then.
   */
  async open(id: string, options: SessionOptions = {}): Promise<Session> {
    const kept = plain("options", options) as SessionOptions;
    // Refuses a bad id, and another scope than that of the open session, before the store is asked.
    this.#sift.session(id, kept);
    const opened = await this.#calls.run(id, async () => {
      const record = await this.#read(keyOf(this.#settings.prefix, id));
      // The session may have been evicted meanwhile, and is opened again: but never without the scope that it had.
      const session = this.#sift.session(id, kept);
      session.openRecord(record, "scope" in kept);
      return session;
    });
    if (this.#unsaved.has(id)) await this.save(opened);
    return opened;
  }

  /**
   * Saves what the session knows, unless the store has all of it. What other processes saved meanwhile stays beside it,
   * for the next `open` to show.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, `revealed_full`: save it again when the store is back;
   * `session_closed` for a session that was closed or evicted, `option_invalid` for one of another `ToolSift`
   */
  async save(session: Session): Promise<void> {
    this.#sift.checkSession(session);
    const { id } = session;
    return this.#calls.run(id, async () => {
      const key = keyOf(this.#settings.prefix, id);
      for (let tries = 0; tries < TRIES; tries++) {
        const before = await this.#read(key);
        const record = session.saveRecord(before, this.#settings.ttl);
        if (record === undefined || (await this.#write(key, record, before))) return void this.#unsaved.delete(id);
      }
      throw new ToolSiftError("store_failed", `other processes have written ${key} ${TRIES} times meanwhile; save it again`);
    });
  }

  /**
   * Opens a session, does something with it and saves it, also when that throws. Two uses of one session wait for each
   * other, so one must not be made within another. What `work` has returned was paid for, and is given also where it cannot be
   * saved: `onUnsaved` is told then, and the next `open` or `use` of the session fails unless it can be saved by then.
   *
   * @returns what `work` returns
   * @throws what `work` throws, else what `open` throws
   */
  async use<T>(id: string, work: (session: Session) => T | Promise<T>, options: SessionOptions = {}): Promise<T> {
    if (typeof work !== "function") {
      throw new ToolSiftError("option_invalid", `work must be a function, got ${kind(work)}`);
    }
    return this.#uses.run(id, async () => {
      const session = await this.open(id, options);
      try {
        return await work(session);
      } finally {
        await this.save(session).catch((error: ToolSiftError) => {
          this.#unsaved.set(id, true);
          aside(() => this.#settings.onUnsaved?.({ session: id, error }));
        });
      }
    });
  }

  /**
   * Forgets a session, in the store and in this process. A process that still has it in memory brings it back when it
   * saves it.
   *
   * @throws ToolSiftError `store_failed`, `session_id_invalid`
   */
  async delete(id: string): Promise<void> {
    return this.#calls.run(id, async () => {
      const key = keyOf(this.#settings.prefix, id);
      await this.#ask(`removeItem(${JSON.stringify(key)})`, () => this.#store.removeItem(key));
      this.#unsaved.delete(id);
      this.#sift.closeSession(id);
    });
  }

  /** The text of a record; the empty one where there is none. */
  async #read(key: string): Promise<string> {
    const answer = await this.#ask(`getItem(${JSON.stringify(key)})`, () => this.#store.getItem(key));
    return typeof answer === "string" ? answer : answer === null || answer === undefined ? "" : JSON.stringify(answer);
  }

  /** Writes a record, and answers whether nobody has written it since it was read. */
  async #write(key: string, record: string, before: string): Promise<boolean> {
    const { ttl } = this.#settings;
    const options = ttl === 0 ? [] : ([{ ttl }] as const);
    if (this.#store.swapItem !== undefined) {
      const swap = () => this.#store.swapItem!(key, record, before, ...options);
      return (await this.#ask(`swapItem(${JSON.stringify(key)})`, swap)) === true;
    }
    await this.#ask(`setItem(${JSON.stringify(key)})`, () => this.#store.setItem(key, record, ...options));
    return true;
  }

  async #ask(what: string, call: () => unknown): Promise<unknown> {
    try {
      const answer = await inTime(this.#settings.timeoutMs, undefined, call);
      // The file drivers of unstorage answer with the error that they caught.
      if (answer instanceof Error) throw answer;
      return answer;
    } catch (cause) {
      const advice = "the session in memory is as it was, and can be saved again";
      throw new ToolSiftError("store_failed", `the store failed at ${what}: ${reasonOf(cause)} (${advice})`, { cause });
    }
  }
}

function prefix(_: string, value: unknown): void {
  if (typeof value === "string" && value.length <= PREFIX_CHARS && /^[\w-]+(:[\w-]+)*$/.test(value)) return;
  const what = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kind(value);
  const rule = `1 to ${PREFIX_CHARS} letters, digits, "-" and "_", in parts with ":" between`;
  throw new ToolSiftError("option_invalid", `options.prefix is ${what}; it must be ${rule}`);
}
