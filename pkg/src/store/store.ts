/** Stores sessions for later processes: all processes with the same store share the loaded tools of a session. */

import { plain } from "../base/plain-data.js";
import { aside, kind, reasonOf } from "../base/values.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { Recent } from "../base/recent.js";
import { aFunction, type Shape, shaped, wholeOf } from "../base/shape.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import { workInTime } from "../loop/ending.js";
import type { SessionOptions } from "../types/index.js";
import { keyOf } from "./keys.js";
import type { KeyValueStore, SessionStoreOptions } from "./types.js";

const OPTIONS: Shape<SessionStoreOptions> = {
  // At most ten years, in seconds: a larger value was probably meant in milliseconds.
  ttl: wholeOf(0, 315_360_000),
  prefix,
  // At most ten minutes: an agent that waits longer for its store seems to hang.
  timeoutMs: wholeOf(1, 600_000),
  onUnsaved: aFunction,
};
const DEFAULT = { ttl: 2_592_000, prefix: "toolsift", timeoutMs: 5_000 };
/** The maximum length of a prefix: even with the longest name, a key stays below the 512 bytes of Cloudflare KV. */
const PREFIX_CHARS = 128;
/** The maximum number of remembered sessions that could not be saved. */
const UNSAVED = 4_096;
/** The maximum number of attempts to save a session while other processes write it too. */
const TRIES = 64;

class Queues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a function after all earlier ones of the same session have ended or failed. */
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
 * Stores sessions for later processes: in files, in Redis, or in any storage of `unstorage`. Several processes may share a
 * session: each process reads its record before writing it, and adds the tools that it has loaded.
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
   * @param store the result of `fileStore` or `redisStore`, a storage of `unstorage`, or another object with these methods
   * @throws ToolSiftError `option_unknown` for an unknown key, with the nearest valid key; `option_invalid`;
   *   `limit_out_of_range`
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
   * Opens a session with the state that all processes have saved, in an order that is the same for all of them. An already
   * open session is updated: tools that other processes have removed are deferred again, and tools that were loaded here but
   * not yet saved stay loaded. A session that a `use` could not save is saved first.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, the errors of `sift.session`; `scope_required` if it was saved
   *   with a scope and none is passed. Then the session in memory is unchanged.
   */
  async open(id: string, options: SessionOptions = {}): Promise<Session> {
    const kept = plain("options", options) as SessionOptions;
    // Refuses an invalid id, and another scope than that of the open session, before the store is read.
    this.#sift.session(id, kept);
    const opened = await this.#calls.run(id, async () => {
      const record = await this.#read(keyOf(this.#settings.prefix, id));
      // The session may have been evicted in between. Then it is opened again, but never without its scope.
      const session = this.#sift.session(id, kept);
      session.openRecord(record, "scope" in kept);
      return session;
    });
    if (this.#unsaved.has(id)) await this.save(opened);
    return opened;
  }

  /**
   * Saves a session, unless the store already contains its whole state. The changes of other processes stay in the record,
   * and the next `open` loads them.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, `revealed_full`: save it again when the store works;
   *   `session_closed` for a session that was closed or evicted; `option_invalid` for a session of another `ToolSift`
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
   * Opens a session, runs a function with it and saves it, even if the function throws. Two uses of one session wait for
   * each other, so do not call `use` inside another use of the same session. The result of `work` is returned even if the
   * session cannot be saved: then `onUnsaved` is called, and the next `open` or `use` of the session fails unless it can be
   * saved by then.
   *
   * @returns the result of `work`
   * @throws the errors of `work`, or else the errors of `open`
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
   * Deletes a session from the store and from this process. Another process that still has it in memory stores it again when
   * it saves it.
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

  /** Returns the text of a record; empty if there is none. */
  async #read(key: string): Promise<string> {
    const what = `getItem(${JSON.stringify(key)})`;
    const answer = (await this.#ask(what, () => this.#store.getItem(key))) ?? "";
    // Some storages parse the text. An object may be too deep to be written again.
    return typeof answer === "string" ? answer : String(await this.#ask(what, () => JSON.stringify(answer)));
  }

  /** Writes a record. Returns true if no other process has written it since it was read. */
  async #write(key: string, record: string, before: string): Promise<boolean> {
    const { ttl } = this.#settings;
    const options = ttl === 0 ? [] : ([{ ttl }] as const);
    if (this.#store.swapItem !== undefined) {
      const swap = () => this.#store.swapItem!(key, record, before, { ttl });
      return (await this.#ask(`swapItem(${JSON.stringify(key)})`, swap)) === true;
    }
    await this.#ask(`setItem(${JSON.stringify(key)})`, () => this.#store.setItem(key, record, ...options));
    return true;
  }

  async #ask(what: string, call: () => unknown): Promise<unknown> {
    try {
      const answer = await workInTime(this.#settings.timeoutMs, undefined, call);
      // The file drivers of unstorage return the error that they caught.
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
