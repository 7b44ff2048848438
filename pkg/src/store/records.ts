/**
 * Reads, writes and removes records. None is ever changed: a newer one is written, then those are removed whose
 * content it holds. So nobody can overwrite what another process has just written.
 */

import { aside, isList, kind, reasonOf } from "../values.js";
import { ToolSiftError } from "../errors.js";
import { inTime } from "../loop/ending.js";
import { baseOf, recordName, writtenAt } from "./keys.js";
import type { StoreSettings } from "./options.js";
import { CHARS, readRecord, REVEALS, TORN, written } from "./record.js";
import type { StoredRecord } from "./record.js";
import type { State } from "./state.js";
import type { KeyValueStore } from "./types.js";

/** The most records of one session: one for each process that writes it, and superseded records that still settle. */
const RECORDS = 1_024;
/** Keys of one list; a storage may list those of other sessions too. */
const KEYS = 1_000_000;
/** The most superseded records that settle; older ones are removed early, so that the session can still be read. */
const SETTLING = RECORDS / 2;
/** Records that are read or removed at once. */
const AT_ONCE = 32;
/** How often keys are listed again if records disappear between listing and reading. */
const LISTS = 64;
/** The pauses in milliseconds before a file that is just being written is read again. */
const WAITS = [10, 20, 40, 80, 160, 320];
/** Beyond the time of one call, a torn record is this old before it counts as dead: clocks of machines differ. */
const DEAD_MS = 60_000;
/** Torn records that are remembered, so that each is waited for and reported once. */
const TORN_KNOWN = 1_024;

/** The records of a session in the store. */
export interface Found {
  states: State[];
  /** The keys of these states, of expired ones and of torn ones that nobody writes any more. */
  keys: string[];
  /** When the first of them expires. */
  expires: number;
}

/** The records of sessions in one store. */
export class Records {
  readonly #store: KeyValueStore;
  readonly #settings: StoreSettings;
  readonly #torn = new Set<string>();

  constructor(store: KeyValueStore, settings: StoreSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /**
   * The records of a session that have not expired. A torn record is waited for and then skipped: what it was to
   * replace is removed only after a whole one is written.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`
   */
  async read(id: string): Promise<Found> {
    const base = await baseOf(this.#settings.prefix, id);
    const read = new Map<string, StoredRecord>();
    const gone = new Set<string>();
    let waits = 0;
    for (let lists = 1; ; lists++) {
      const listed = await this.#list(base);
      const wanted = listed.filter((key) => !read.has(key) && !gone.has(key));
      const before = gone.size;
      const torn: string[] = [];
      for (let from = 0; from < wanted.length; from += AT_ONCE) {
        const answers = wanted.slice(from, from + AT_ONCE).map(async (key) => {
          const answer = await this.#ask(`getItem(${JSON.stringify(key)})`, () => this.#store.getItem(key));
          // No key is written twice: a record that is gone stays gone, and its successor is in the next list.
          if (answer === null || answer === undefined) return void gone.add(key);
          const record = readRecord(id, answer);
          if (typeof record !== "string") read.set(key, record);
          else if (record === TORN) torn.push(key);
          else throw garbled(`${JSON.stringify(key)} cannot be read: ${record}`);
        });
        await Promise.all(answers);
      }
      const dead = torn.filter((key) => this.#isDead(key, base));
      const wait = torn.every((key) => dead.includes(key) || this.#torn.has(key)) ? undefined : WAITS[waits++];
      if (wait !== undefined) {
        await new Promise((done) => setTimeout(done, wait));
      } else if (gone.size === before || lists >= LISTS) {
        for (const key of torn) this.#report(id, key);
        return currentRecords(listed, read, dead);
      }
    }
  }

  /** Whether a torn record is so old that no process can still be writing it. */
  #isDead(key: string, base: string): boolean {
    return Date.now() - (writtenAt(key, base) ?? 0) > this.#settings.timeoutMs + DEAD_MS;
  }

  /** Tells the host of a torn record, once. */
  #report(session: string, key: string): void {
    if (this.#torn.has(key)) return;
    if (this.#torn.size >= TORN_KNOWN) this.#torn.clear();
    this.#torn.add(key);
    aside(() => this.#settings.onTorn?.({ session, key }));
  }

  /**
   * Writes a record, and answers its key and when it expires.
   *
   * @throws ToolSiftError `store_failed`; `revealed_full` for more than a record may hold
   */
  async write(id: string, state: State): Promise<{ key: string; expires: number }> {
    const { prefix, ttl } = this.#settings;
    const now = Date.now();
    const expires = ttl === 0 ? Infinity : now + 1_000 * ttl;
    const text = written(id, state, expires);
    if (state.revealed.size > REVEALS || text.length > CHARS) {
      const size = `${state.revealed.size} reveals in ${text.length} characters`;
      throw new ToolSiftError("revealed_full", `the session holds ${size}; a store takes ${REVEALS} in ${CHARS}`);
    }
    const key = `${await baseOf(prefix, id)}${recordName(now)}`;
    const options = ttl === 0 ? [] : ([{ ttl }] as const);
    try {
      await this.#ask(`setItem(${JSON.stringify(key)})`, () => this.#store.setItem(key, text, ...options));
    } catch (error) {
      // A full disk leaves half a file, which nobody could read. The removal is not awaited and may fail too.
      this.#remove(key).catch(() => undefined);
      throw error;
    }
    return { key, expires };
  }

  /** Removes superseded records, and returns those that remain: they are too young, or the store failed. */
  async removeSuperseded(id: string, keys: readonly string[]): Promise<string[]> {
    const base = await baseOf(this.#settings.prefix, id);
    const settled = Date.now() - this.#settings.settleMs;
    // The oldest first: names begin with the time of writing.
    const sorted = [...keys].sort();
    const due = sorted.filter((key, at) => at < sorted.length - SETTLING || (writtenAt(key, base) ?? 0) <= settled);
    const removed = new Set<string>();
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const before = removed.size;
      const some = due.slice(from, from + AT_ONCE).map((key) =>
        this.#remove(key).then(
          () => removed.add(key),
          () => undefined,
        ),
      );
      await Promise.all(some);
      // A record that cannot be removed now takes a little room, and is tried again with the next record.
      if (removed.size === before) break;
    }
    return sorted.filter((key) => !removed.has(key));
  }

  /**
   * Removes everything that the store has of a session.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`
   */
  async removeAll(id: string): Promise<void> {
    const keys = await this.#list(await baseOf(this.#settings.prefix, id), Infinity);
    for (let from = 0; from < keys.length; from += AT_ONCE) {
      await Promise.all(keys.slice(from, from + AT_ONCE).map((key) => this.#remove(key)));
    }
  }

  async #list(base: string, most = RECORDS): Promise<string[]> {
    const call = `getKeys(${JSON.stringify(base)})`;
    const keys = await this.#ask(call, () => this.#store.getKeys(base));
    if (!isList(keys)) throw garbled(`${call} answered ${kind(keys)}, no list`);
    if (keys.length > KEYS) throw garbled(`${call} answered a list of ${keys.length}; at most ${KEYS}`);
    // A scan may return the same key several times.
    const ours = [...new Set<unknown>(keys)].filter(
      (key): key is string => typeof key === "string" && writtenAt(key, base) !== undefined,
    );
    if (ours.length <= most) return ours;
    throw garbled(`there are ${ours.length} records under ${JSON.stringify(base)}, more than ${most}`);
  }

  #remove(key: string): Promise<unknown> {
    return this.#ask(`removeItem(${JSON.stringify(key)})`, () => this.#store.removeItem(key));
  }

  /** The reply of the store. */
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

/** Records that were read and may have expired. */
function currentRecords(listed: string[], read: Map<string, StoredRecord>, dead: string[]): Found {
  const now = Date.now();
  const alive = [...read.values()].filter(({ expires }) => expires > now);
  return {
    states: alive.map(({ state }) => state),
    keys: listed.filter((key) => read.has(key) || dead.includes(key)),
    expires: Math.min(Infinity, ...alive.map(({ expires }) => expires)),
  };
}

function garbled(problem: string): ToolSiftError {
  const advice = "nothing was removed or overwritten; remove what is no record of toolsift, or delete the session";
  return new ToolSiftError("store_garbled", `${problem} (${advice})`);
}
