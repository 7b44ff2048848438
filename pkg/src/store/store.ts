/** Keeps sessions beyond their process: processes that share a store share the reveals of a session. */

import { plain } from "../base/plain-data.js";
import { aside, kind } from "../base/values.js";
import { requireMethods } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { Recent } from "../base/recent.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type { SessionOptions } from "../types/index.js";
import { keyValueStore, settings, type StoreSettings } from "./options.js";
import { goneOf, keyOf, union, type State, type Tool } from "./record.js";
import { RECORDS, Records, type Found } from "./records.js";
import { writtenAt } from "./keys.js";
import type { KeyValueStore, SessionStoreOptions } from "./types.js";

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

/** The most sessions whose stored state is remembered, unless the core keeps more sessions. */
const REMEMBERED = 4_096;

interface Known {
  /** What the store holds, as far as this process has read and written it. */
  stored: State;
  /** The newest record of that; undefined where there is none. */
  newest: string | undefined;
  /** When the first record of that expires. */
  expires: number;
  /** What the store was last seen to hold. What is known beyond that has to be written again. */
  seen: State;
  /** The records that the next one replaces. */
  keys: string[];
  /** The reveals of the session in memory at the last comparison. */
  shown: readonly Tool[];
  /** Reveals that counted no more at an earlier comparison, since the last save. */
  gone: ReadonlySet<string>;
  /** Identifies that session: it may have been evicted since, and opened again under the same id. */
  session: string;
}

/**
 * Sessions that outlive a process, in any storage of `unstorage`: memory, files, Redis, Cloudflare KV, Vercel KV and so
 * on. Processes may share a session: nothing that one of them reveals is lost.
 *
 * ```ts
 * const store = new SessionStore(sift, createStorage({ driver }), { ttl: 7 * 24 * 3600 });
 * const answer = await store.use("chat-42", (session) => runAgent(session), { scope });
 * ```
 *
 * Make one for each `ToolSift` and keep it: it remembers which of the reveals in memory are news. A scope is never stored:
 * pass it with every `open` and `use`, as with `sift.session`.
 */
export class SessionStore {
  readonly #sift: ToolSift;
  readonly #settings: StoreSettings;
  readonly #records: Records;
  readonly #known: Recent<string, Known>;
  /** The sessions that a `use` could not save. */
  readonly #unsaved: Recent<string, true>;
  readonly #uses = new Queues();
  readonly #calls = new Queues();

  /**
   * @param store a storage of `unstorage`, or any other object with these four methods
   * @throws ToolSiftError `option_unknown` (a misspelt key, with the nearest valid one), `option_invalid`,
   * `limit_out_of_range`
   */
  constructor(sift: ToolSift, store: KeyValueStore, options: SessionStoreOptions = {}) {
    requireMethods("sift", sift, ["restore"], "a ToolSift");
    this.#sift = sift;
    this.#settings = settings(options);
    this.#records = new Records(keyValueStore(store), this.#settings);
    // Otherwise a tool that was concealed in an open session would come back if the session is not remembered.
    const remembered = Math.max(REMEMBERED, sift.settings.limits.sessions);
    this.#known = new Recent(remembered);
    this.#unsaved = new Recent(remembered);
  }

  /**
   * Opens a session with what any process has saved of it, in an order that is the same for all of them. One that is
   * open here already is brought up to date: what others concealed is concealed, and what was revealed here and not yet
   * saved stays. What a `use` could not save is saved first.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, and what `sift.session` throws; `scope_required` where a process has
   * saved it with a scope, and none is passed; `session_closed` where the session was evicted meanwhile, and its scope is not
   * known here. The session in memory is as it was then.
   */
  async open(id: string, options: SessionOptions = {}): Promise<Session> {
    // Refuses a bad id, and another scope than that of the open session, before the store is asked.
    const kept = plain("options", options) as SessionOptions;
    const early = this.#sift.session(id, kept);
    const isBound = !("scope" in kept) && early.isScoped;
    const opened = await this.#calls.run(id, async () => {
      const found = await this.#records.read(id);
      const isBare = !("scope" in kept) && !early.isScoped;
      if (isBare && [...found.records.values()].some(({ scoped }) => scoped)) this.#refuse(early);
      // The session may have been evicted meanwhile, and is opened again: but never without the scope that it had.
      const session = isBound ? early : this.#sift.session(id, kept);
      const before = this.#known.get(id);
      const known = knownOf(found, before);
      const { state, gone } = joined(session, known.stored, before);
      this.#show(session, state, kept);
      this.#known.set(id, { ...known, shown: session.snapshot().revealed, gone, session: session.uniqueKey });
      return session;
    });
    if (this.#unsaved.has(id)) await this.save(opened);
    return opened;
  }

  /**
   * Saves what the session knows, unless the store has all of it. What other processes saved meanwhile stays beside it,
   * for the next `open` to join.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, `revealed_full`: save it again when the store is back;
   * `session_closed` for a session that was closed or evicted, `option_invalid` for one of another `ToolSift`
   */
  async save(session: Session): Promise<void> {
    this.#sift.checkSession(session);
    const { id } = session;
    return this.#calls.run(id, async () => {
      const known = this.#known.get(id) ?? knownOf(await this.#records.read(id));
      const { state, gone } = joined(session, known.stored, known);
      const shown = { shown: session.snapshot().revealed, session: session.uniqueKey };
      if (JSON.stringify(state) === JSON.stringify(known.seen) && !this.#isOld(known)) {
        this.#known.set(id, { ...known, gone, ...shown });
        return void this.#unsaved.delete(id);
      }
      const key = await this.#records.newKey(id);
      // Where the write fails, it may arrive all the same, later than the next one, which replaces it.
      this.#known.set(id, { ...known, keys: [...known.keys, key].slice(-RECORDS) });
      const expires = await this.#records.write(id, key, state, known.keys);
      this.#unsaved.delete(id);
      const keys = [...(await this.#records.removeReplaced(known.keys)), key];
      this.#known.set(id, { stored: state, seen: state, newest: key, expires, keys, gone: new Set(), ...shown });
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
      let answer: T;
      try {
        answer = await work(session);
      } catch (error) {
        // The first error says more.
        await this.#saved(session);
        throw error;
      }
      await this.#saved(session);
      return answer;
    });
  }

  /** Refuses to open without a scope what had one. What was opened for it is closed; what was open before stays as it was. */
  #refuse(session: Session): never {
    const { id } = session;
    if (this.#known.get(id)?.session !== session.uniqueKey) session.close();
    const advice = 'open it with its scope again, or with the scope "all" if it may see everything';
    const what = `session ${JSON.stringify(id.slice(0, 80))} was saved with a scope, and a scope is not kept`;
    throw new ToolSiftError("scope_required", `${what}: ${advice}`);
  }

  async #saved(session: Session): Promise<void> {
    const { id } = session;
    try {
      await this.save(session);
    } catch (error) {
      this.#unsaved.set(id, true);
      aside(() => this.#settings.onUnsaved?.({ session: id, error: error as ToolSiftError }));
    }
  }

  /**
   * Forgets a session, in the store and in this process. A process that still has it in memory brings it back when it
   * saves it.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, `session_id_invalid`
   */
  async delete(id: string): Promise<void> {
    return this.#calls.run(id, async () => {
      await this.#records.removeAll(id);
      this.#known.delete(id);
      this.#unsaved.delete(id);
      this.#sift.closeSession(id);
    });
  }

  /** Makes the session in memory hold exactly the revealed tools, as far as they exist and it may see them. */
  #show(session: Session, state: State, options: SessionOptions): void {
    const snapshot = session.snapshot();
    const { turn, revealed } = state;
    if (snapshot.turn === turn && JSON.stringify(revealed) === JSON.stringify(snapshot.revealed)) return;
    this.#sift.restore({ ...snapshot, turn, revealed }, { ...options, replace: true });
  }

  /** Whether half of the record's lifetime is over: a session in use must not expire. */
  #isOld({ newest, expires }: Known): boolean {
    return newest !== undefined && expires - Date.now() < 500 * this.#settings.ttl;
  }
}

/**
 * What is known of a session once its records are read. Where a store shows a write late, what this process has written last is
 * known all the same, unless it has expired, or a record that is as new shows that another process has replaced it.
 */
function knownOf({ records, keys }: Found, before?: Known): Known {
  const seen = union([...records.values()]);
  const stored = new Map<string, State>(records);
  const expiring = [...records.values()].map(({ expires }) => expires);
  const { newest, expires = 0 } = before ?? {};
  const isHidden = newest !== undefined && !keys.includes(newest) && expires > Date.now();
  if (isHidden && keys.every((key) => timeOf(key) < timeOf(newest))) {
    // It has what the records have that this process knew.
    for (const key of before!.keys) stored.delete(key);
    stored.set(newest, before!.stored);
    expiring.push(expires);
  }
  const sorted = [...stored.keys()].sort();
  return {
    stored: union(sorted.map((key) => stored.get(key)!)),
    newest: sorted.at(-1),
    expires: Math.min(Infinity, ...expiring),
    seen,
    keys: [...new Set([...keys, ...(before?.keys ?? [])])],
    shown: [],
    gone: new Set(),
    session: "",
  };
}

/**
 * The state of a session: what the store holds, without what was concealed in memory since the last comparison, and with what
 * was revealed in memory since.
 */
function joined(session: Session, stored: State, before: Known | undefined): { state: State; gone: Set<string> } {
  const { turn, revealed: now } = session.snapshot();
  // In a session that was closed or evicted and opened anew, nothing was concealed by being absent.
  const known = before?.session === session.uniqueKey ? before : undefined;
  const gone = new Set([...(known?.gone ?? []), ...goneOf(known?.shown ?? [], now)]);
  const old = new Set(known?.stored.revealed.map(keyOf));
  const kept = stored.revealed.filter((tool) => !gone.has(keyOf(tool)));
  const fresh = now.filter((tool) => gone.has(keyOf(tool)) || !old.has(keyOf(tool)));
  const { revealed } = union([{ turn, scoped: false, revealed: [...kept, ...fresh] }]);
  const uses = new Map(now.map((tool) => [keyOf(tool), tool.used]));
  const used = revealed.map((tool) => ({ ...tool, used: Math.max(tool.used, uses.get(keyOf(tool)) ?? 0) }));
  return { state: { turn: Math.max(turn, stored.turn), scoped: session.isScoped, revealed: used }, gone };
}

const timeOf = (key: string) => writtenAt(key, key.slice(0, key.lastIndexOf(":") + 1)) ?? 0;
