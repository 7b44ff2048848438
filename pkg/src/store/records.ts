/**
 * Reads, writes and removes records. None is ever changed: a newer one is written, which names those whose content it has, and
 * then these are removed. So nobody can overwrite what another process has just written.
 */

import { aside, isList, kind, reasonOf } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { inTime } from "../loop/ending.js";
import { baseOf, recordName, writtenAt } from "./keys.js";
import type { StoreSettings } from "./options.js";
import { CHARS, readRecord, REVEALS, TORN, written, type State, type StoredRecord } from "./record.js";
import type { KeyValueStore } from "./types.js";

/** The most records of one session: one for each process that writes it, and superseded records that still settle. */
export const RECORDS = 1_024;
/** Keys of one list; a storage may list those of other sessions too. */
const KEYS = 1_000_000;
/** The most superseded records that settle; older ones are removed early, so that the session can still be read. */
const SETTLING = RECORDS / 2;
/** Records that are read or removed at once. */
const AT_ONCE = 32;
/** How often keys are listed again if records disappear between listing and reading. */
const LISTS = 64;
/** Beyond the time of one call, a torn record is this old before it counts as dead: clocks of machines differ. */
const DEAD_MS = 60_000;

/** The records of a session in the store. */
export interface Found {
  /** Those that have not expired and that no other replaces, by their keys, the oldest first. */
  records: Map<string, StoredRecord>;
  /** The keys of all. */
  keys: string[];
}

/** The records of sessions in one store. */
export class Records {
  readonly #store: KeyValueStore;
  readonly #settings: StoreSettings;

  constructor(store: KeyValueStore, settings: StoreSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /**
   * The records of a session. A torn record is skipped: what it replaces is removed only after all of it is written. One whose
   * process has died is told of and removed.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`
   */
  async read(id: string): Promise<Found> {
    const base = await baseOf(this.#settings.prefix, id);
    const read = new Map<string, StoredRecord>();
    const gone = new Set<string>();
    for (let lists = 1; ; lists++) {
      const listed = await this.#list(base);
      const before = gone.size;
      const wanted = listed.filter((key) => !read.has(key) && !gone.has(key));
      await inParts(wanted, async (key) => {
        const answer = await this.#ask(`getItem(${JSON.stringify(key)})`, () => this.#store.getItem(key));
        // No key is written twice: a record that is gone stays gone, and its successor is in the next list.
        if (answer === null || answer === undefined) return gone.add(key);
        const record = readRecord(id, answer);
        if (typeof record !== "string") return read.set(key, record);
        if (record !== TORN) throw garbled(`${JSON.stringify(key)} cannot be read: ${record}`);
        if (Date.now() - (writtenAt(key, base) ?? 0) <= this.#settings.timeoutMs + DEAD_MS) return;
        aside(() => this.#settings.onTorn?.({ session: id, key }));
        await this.#remove(key).catch(() => {});
        return gone.add(key);
      });
      if (gone.size > before && lists < LISTS) continue;
      const keys = listed.filter((key) => read.has(key)).sort();
      const replaced = new Set([...read.values()].flatMap(({ replaces }) => replaces.map((name) => base + name)));
      const alive = keys.filter((key) => !replaced.has(key) && read.get(key)!.expires > Date.now());
      return { records: new Map(alive.map((key) => [key, read.get(key)!])), keys };
    }
  }

  async newKey(id: string): Promise<string> {
    return (await baseOf(this.#settings.prefix, id)) + recordName(Date.now());
  }

  /**
   * Writes a record that has the content of others, and answers when it expires.
   *
   * @throws ToolSiftError `store_failed`; `revealed_full` for more than a record may hold
   */
  async write(id: string, key: string, state: State, replaced: readonly string[]): Promise<number> {
    const { ttl } = this.#settings;
    const expires = ttl === 0 ? Infinity : Date.now() + 1_000 * ttl;
    const replaces = replaced.map((one) => one.slice(one.lastIndexOf(":") + 1));
    const text = written(id, { ...state, replaces, expires });
    if (state.revealed.length > REVEALS || text.length > CHARS) {
      const size = `${state.revealed.length} reveals in ${text.length} characters`;
      throw new ToolSiftError("revealed_full", `the session holds ${size}; a store takes ${REVEALS} in ${CHARS}`);
    }
    const options = ttl === 0 ? [] : ([{ ttl }] as const);
    try {
      await this.#ask(`setItem(${JSON.stringify(key)})`, () => this.#store.setItem(key, text, ...options));
    } catch (error) {
      // A full disk leaves half a file, which nobody could read. The removal is not awaited and may fail too.
      this.#remove(key).catch(() => {});
      throw error;
    }
    return expires;
  }

  /** Removes replaced records, and returns those that remain: they are too young, or the store failed. */
  async removeReplaced(keys: readonly string[]): Promise<string[]> {
    const settled = Date.now() - this.#settings.settleMs;
    // The oldest first: names begin with the time of writing.
    const sorted = [...keys].sort();
    const timeOf = (key: string) => writtenAt(key, key.slice(0, key.lastIndexOf(":") + 1)) ?? 0;
    const due = sorted.filter((key, at) => at < sorted.length - SETTLING || timeOf(key) <= settled);
    const removed = new Set<string>();
    // What cannot be removed now takes a little room, and is tried again with the next record.
    await inParts(due, (key) =>
      this.#remove(key).then(
        () => removed.add(key),
        () => false,
      ),
    );
    return sorted.filter((key) => !removed.has(key));
  }

  /**
   * Removes everything that the store has of a session.
   *
   * @throws ToolSiftError `store_failed`, `store_garbled`
   */
  async removeAll(id: string): Promise<void> {
    const keys = await this.#list(await baseOf(this.#settings.prefix, id), Infinity);
    await inParts(keys, (key) => this.#remove(key));
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

/** Works on some keys, a few at once, until all of these few answer false. */
async function inParts(keys: readonly string[], work: (key: string) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const answers = await Promise.all(keys.slice(from, from + AT_ONCE).map(work));
    if (answers.every((answer) => answer === false)) return;
  }
}

function garbled(problem: string): ToolSiftError {
  const advice = "nothing was removed or overwritten; remove what is no record of toolsift, or delete the session";
  return new ToolSiftError("store_garbled", `${problem} (${advice})`);
}
