/** Keeps sessions beyond their process: processes that share a store share the reveals of a session. */

import { plain } from "../plain.js";
import { aside, kind } from "../values.js";
import { requireMethods } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import { Recent } from "../recent.js";
import type { Session } from "../session.js";
import type { ToolSift } from "../sift.js";
import type { SessionOptions } from "../types.js";
import { changesOf } from "./changes.js";
import { random } from "./keys.js";
import { keyValueStore, settings } from "./options.js";
import type { StoreSettings } from "./options.js";
import { Queues } from "./queue.js";
import { Records } from "./records.js";
import type { Found } from "./records.js";
import { keyOf, merge, nothing, tools, without, withTools, withUse } from "./state.js";
import type { State, Tool } from "./state.js";
import type { KeyValueStore, SessionStoreOptions } from "./types.js";

/** The most sessions whose stored state is remembered, unless the core keeps more sessions. */
const REMEMBERED = 4_096;

/** The state of a session between two calls. */
interface SessionState {
  state: State;
  /** The reveals of the session in memory at the last comparison. */
  shown: Tool[];
  /** Identifies that session: it may have been evicted since, and opened again under the same id. */
  key: string;
  /** The records whose content `state` holds. */
  keys: string[];
  expires: number;
  /** Whether `state` holds something that no record holds. */
  isNew: boolean;
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
  readonly #known: Recent<string, SessionState>;
  /** The sessions that a `use` could not save. */
  readonly #unsaved: Recent<string, true>;
  readonly #uses = new Queues();
  readonly #calls = new Queues();
  #writer: string | undefined;
  #reveals = 0;

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
      if (isBare && found.states.some(({ scoped }) => scoped)) this.#refuse(early);
      // The session may have been evicted meanwhile, and is opened again: but never without the scope that it had.
      const session = isBound ? early : this.#sift.session(id, kept);
      const known = this.#follow(session, found);
      this.#show(session, known.state, kept);
      this.#known.set(id, { ...known, ...look(session) });
      return session;
    });
    if (this.#unsaved.has(id)) await this.save(opened);
    return opened;
  }

  /**
   * Saves what the session knows, unless the store has all of it. What other processes saved meanwhile stays beside it,
   * for the next `open` to merge.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`, `revealed_full`: save it again when the store is back;
   * `session_closed` for a session that was closed or evicted, `option_invalid` for one of another `ToolSift`
   */
  async save(session: Session): Promise<void> {
    this.#sift.checkSession(session);
    const { id } = session;
    return this.#calls.run(id, async () => {
      const found = this.#known.has(id) ? undefined : await this.#records.read(id);
      const known = { ...this.#follow(session, found), ...look(session) };
      this.#known.set(id, known);
      if (!known.isNew && !this.#isOld(known)) return void this.#unsaved.delete(id);
      const { key, expires } = await this.#records.write(id, known.state);
      this.#unsaved.delete(id);
      const keys = [...(await this.#records.removeSuperseded(id, known.keys)), key];
      this.#known.set(id, { ...known, keys, expires, isNew: false });
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
    if (this.#known.get(id)?.key !== session.uniqueKey) session.close();
    const advice = 'open it with its scope again, or with the scope "all" if it may see everything';
    const what = `session ${JSON.stringify(id.slice(0, 80))} was saved with a scope, and a scope is not kept`;
    throw new ToolSiftError("scope_required", `${what}: ${advice}`);
  }

  /** Saves a session; changes that cannot be saved stay in memory. */
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

  /** The state of a session: the last known state, its changes in memory since, and the state in the store. */
  #follow(session: Session, found?: Found): SessionState {
    const now = look(session);
    const remote = merge(found?.states ?? []);
    const stored = new Set(tools(remote).map(keyOf));
    // At first sight, tools that the session shares with the store are not new, and tools that it lacks are not concealed.
    const shown = now.shown.filter((tool) => stored.has(keyOf(tool)));
    const first = { state: nothing(), shown, key: "none", keys: [], expires: Infinity, isNew: false };
    const known: SessionState = this.#known.get(session.id) ?? first;
    const { fresh, gone } = changesOf(known.shown, now.shown, known.key === now.key);
    // A session that is saved is in use, however long its work took; only a session that is opened may have expired.
    const isExpired = found !== undefined && !known.isNew && known.expires <= Date.now();
    const before = isExpired ? nothing() : known.state;
    const { turn } = session.snapshot();
    const merged = withTools(merge([without(before, gone), remote]), fresh, () => this.#dot());
    const state = { ...withUse(merged, turn, now.shown), scoped: session.isScoped };
    const isNew = !same(state, found === undefined ? before : remote) || (found === undefined && known.isNew);
    return { ...known, ...found, state, isNew };
  }

  /** Makes the session in memory hold exactly the revealed tools, as far as they exist and it may see them. */
  #show(session: Session, state: State, options: SessionOptions): void {
    const snapshot = session.snapshot();
    const revealed = tools(state);
    if (snapshot.turn === state.turn && JSON.stringify(revealed) === JSON.stringify(snapshot.revealed)) return;
    this.#sift.restore({ ...snapshot, turn: state.turn, revealed }, { ...options, replace: true });
  }

  /** Whether half of the record's lifetime is over: a session in use must not expire. */
  #isOld({ keys, expires }: SessionState): boolean {
    return keys.length > 0 && expires - Date.now() < 500 * this.#settings.ttl;
  }

  /** A name for a reveal that no other process makes. */
  #dot(): string {
    this.#writer ??= random(6);
    return `${this.#writer}.${(this.#reveals++).toString(36)}`;
  }
}

/** The reveals of the session in memory. */
function look(session: Session): Pick<SessionState, "shown" | "key"> {
  return { shown: session.snapshot().revealed, key: session.uniqueKey };
}

/** Whether two states are equal. */
function same(one: State, other: State): boolean {
  const text = ({ turn, scoped, revealed, concealed }: State) =>
    JSON.stringify([turn, scoped, [...revealed], [...concealed]]);
  return text(one) === text(other);
}
