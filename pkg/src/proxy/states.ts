/** Remembers what a conversation has found, under keys from which neither its texts nor the client's credentials can be read. */

import { reasonOf } from "../boundary.js";
import { ToolSiftError } from "../errors.js";
import type { KeyValueStore } from "../store/types.js";
import { fieldsOf } from "./fields.js";
import { SESSION_HEADER } from "./headers.js";
import type { Settings } from "./options.js";
import type { Asked } from "./wire.js";

const VERSION = 1;
/** Names of one conversation that are kept: more than a session reveals. */
const MOST_NAMES = 2_000;
/** Characters of one record at most; a larger one is nobody's. */
const MOST_CHARS = 1_048_576;
/** A store that is slower is done without. */
const TIMEOUT_MS = 2_000;
/** The longest session header. */
const MOST_HEADER = 512;
/** The headers that say whose request it is: two clients never share what was found. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** What is known of one conversation. */
export interface Known {
  /** Names in the order of their reveal. */
  revealed: readonly string[];
}

/** One conversation during one request. */
export interface Conversation extends Known {
  /** Keeps what is revealed now; `told` is the beginning of the reply for the client. */
  save(told: string, revealed: readonly string[]): Promise<void>;
}

/** Keeps conversations in memory, or in a storage. */
export class States {
  readonly #storage: KeyValueStore;
  readonly #ttl: number;
  readonly #problem: (message: string) => void;

  constructor({ storage, stateTtl, maxConversations }: Settings, problem: (message: string) => void) {
    this.#storage = storage ?? new Memory(maxConversations, stateTtl);
    this.#ttl = stateTtl;
    this.#problem = problem;
  }

  /**
   * The conversation of a request: by the client's header, by the vendor's own id, or by how it begins. A conversation that
   * has no reply yet is known by its first one from now on.
   *
   * @throws ToolSiftError `session_id_invalid`
   */
  async of(asked: Asked, headers: Headers, query: URLSearchParams): Promise<Conversation> {
    const { conversation, beginning } = asked;
    const given = headers.get(SESSION_HEADER) ?? undefined;
    if (given !== undefined && (given === "" || given.length > MOST_HEADER)) {
      const message = `${SESSION_HEADER} has ${given.length} characters; 1 to ${MOST_HEADER}`;
      throw new ToolSiftError("session_id_invalid", message);
    }
    const whose = [...CREDENTIALS.map((name) => headers.get(name)), query.get("key")];
    const keyOf = (...about: string[]) => hashed(JSON.stringify([whose, ...about]));
    const begun = (reply: string) => keyOf("beginning", beginning.first, reply);
    const id = given ?? conversation;
    const isNew = id === undefined && beginning.reply === undefined;
    const key = isNew ? undefined : id === undefined ? await begun(beginning.reply!) : await keyOf(given === undefined ? "vendor" : "header", id);
    const revealed = key === undefined ? [] : await this.#read(key);
    return {
      revealed,
      save: async (told, names) => {
        if (names.length === 0 || (key !== undefined && String(names) === String(revealed))) return;
        await this.#write(key ?? (await begun(told)), names);
      },
    };
  }

  async #read(key: string): Promise<string[]> {
    try {
      const found: unknown = await inTime(async () => this.#storage.getItem(key));
      if (typeof found === "string" && found.length > MOST_CHARS) return [];
      const { toolsift, revealed, expires } = fieldsOf(typeof found === "string" ? JSON.parse(found) : found);
      if (toolsift !== VERSION || !Array.isArray(revealed) || (typeof expires === "number" && expires < Date.now())) return [];
      return revealed.filter((name) => typeof name === "string").slice(0, MOST_NAMES);
    } catch (error) {
      this.#problem(`the state of a conversation could not be read, so its messages alone say what it found: ${reasonOf(error)}`);
      return [];
    }
  }

  async #write(key: string, names: readonly string[]): Promise<void> {
    const expires = this.#ttl === 0 ? null : Date.now() + this.#ttl * 1_000;
    const record = JSON.stringify({ toolsift: VERSION, expires, revealed: names.slice(0, MOST_NAMES) });
    try {
      await inTime(async () => this.#storage.setItem(key, record, this.#ttl === 0 ? {} : { ttl: this.#ttl }));
    } catch (error) {
      this.#problem(`the state of a conversation could not be written: ${reasonOf(error)}`);
    }
  }
}

/** The most recently used records, in this process. */
class Memory implements KeyValueStore {
  readonly #most: number;
  readonly #ttlMs: number;
  readonly #records = new Map<string, { value: string; expires: number }>();

  constructor(most: number, ttl: number) {
    this.#most = most;
    this.#ttlMs = ttl === 0 ? Infinity : ttl * 1_000;
  }

  getKeys(base: string): string[] {
    return [...this.#records.keys()].filter((key) => key.startsWith(base));
  }

  getItem(key: string): string | null {
    const found = this.#records.get(key);
    if (found === undefined || found.expires < Date.now()) return null;
    this.#keep(key, found.value);
    return found.value;
  }

  setItem(key: string, value: string): void {
    this.#keep(key, value);
    for (const oldest of this.#records.keys()) if (this.#records.size > this.#most) this.#records.delete(oldest);
  }

  removeItem(key: string): void {
    this.#records.delete(key);
  }

  #keep(key: string, value: string): void {
    this.#records.delete(key);
    this.#records.set(key, { value, expires: Date.now() + this.#ttlMs });
  }
}

async function hashed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `toolsift:proxy:${hex}`;
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
