/** Stores the state of conversations, under keys from which neither texts nor credentials of the client can be read. */

import { reasonOf } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { workInTime } from "../loop/ending.js";
import { Recent } from "../base/recent.js";
import type { KeyValueStore } from "../store/types.js";
import { fieldsOf, textIn } from "../wire/fields.js";
import { SESSION_HEADER } from "./headers.js";
import type { ProxySettings } from "./options.js";
import type { WireRequest, Chain, ConversationState } from "./wire.js";

const VERSION = 1;
/** The maximum number of stored tool names of one conversation: more than a session loads. */
const MOST_NAMES = 2_000;
/** The maximum length of one record, in characters; the proxy writes no larger record. */
const MOST_CHARS = 1_048_576;
/** The maximum length of all records in memory, in characters. */
const MOST_MEMORY_CHARS = 67_108_864;
/** The time limit of the storage, in ms. After it, the request continues without the storage. */
const TIMEOUT_MS = 2_000;
/** The maximum length of the session header, in characters. */
const MOST_HEADER = 512;
/** The headers that identify the client: two clients never share a state. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** The state at the end of a request. */
export interface Ended {
  /** The mark of the reply for the client. */
  mark: string;
  revealed: readonly string[];
  /** The id of the reply, if the vendor stores it; and the state that the client does not know of it. */
  id?: string | undefined;
  chain?: Chain | undefined;
}

/** The state of one conversation during one request. */
export interface Conversation extends ConversationState {
  /** True if it continues a reply whose state was lost. */
  isLost: boolean;
  /** Saves the state at the end of the request. */
  save(ended: Ended): Promise<void>;
}

/** The tools that a conversation has loaded by value, as JSON texts. */
export interface LoadedTools {
  before: readonly string[];
  /** Saves the tools under an id of the vendor. */
  save(id: string, loaded: readonly string[]): Promise<void>;
}

/** Stores conversations in memory, or in a storage. */
export class States {
  readonly #storage: KeyValueStore;
  readonly #ttl: number;
  readonly #problem: (message: string) => void;

  constructor({ storage, stateTtl, maxConversations }: ProxySettings, problem: (message: string) => void) {
    this.#storage = storage ?? new Memory(maxConversations, stateTtl);
    this.#ttl = stateTtl;
    this.#problem = problem;
  }

  /**
   * Returns the conversation of a request, identified by the client's header, the vendor's own id, or its beginning. A
   * conversation without a reply is stored under its first reply.
   *
   * @param tools the names of the request's tools
   * @throws ToolSiftError `session_id_invalid`
   */
  async of(request: WireRequest, tools: string, headers: Headers, query: URLSearchParams): Promise<Conversation> {
    const { conversation, beginning } = request;
    const given = headers.get(SESSION_HEADER) ?? undefined;
    if (given !== undefined && (given === "" || given.length > MOST_HEADER)) {
      const message = `${SESSION_HEADER} has ${given.length} characters; 1 to ${MOST_HEADER}`;
      throw new ToolSiftError("session_id_invalid", message);
    }
    const client = whose(headers, query);
    const keyOf = (...about: string[]) => hashed(JSON.stringify([client, ...about]));
    const begun = (reply: string) => keyOf("beginning", tools, beginning.first, reply);
    const kept = (id: string) => keyOf("vendor", id);
    const named =
      given !== undefined ? await keyOf("header", given) : conversation === undefined ? undefined : await kept(conversation);
    const isNew = request.follows === undefined && beginning.reply === undefined;
    const before =
      request.follows !== undefined ? await kept(request.follows) : isNew ? undefined : await begun(beginning.reply!);
    const own = named === undefined ? undefined : await this.#read(named);
    // The state of a vendor's stored reply contains the calls that wait for answers, under any id of the conversation.
    const last =
      before === undefined || (own !== undefined && request.follows === undefined) ? undefined : await this.#read(before);
    const known = { revealed: (own ?? last)?.revealed ?? [], chain: last?.chain ?? own?.chain };
    return {
      ...known,
      isLost: request.follows !== undefined && last === undefined,
      save: async ({ mark, revealed, id, chain }) => {
        const isNeeded = revealed.length > 0 || chain !== undefined;
        if (!isNeeded && known.revealed.length === 0 && known.chain === undefined) return;
        const isUnchanged = String(revealed) === String(known.revealed) && chain === undefined && known.chain === undefined;
        const isFollowed = id !== undefined && request.isStored === true;
        const here = named ?? (request.follows === undefined ? (before ?? (await begun(mark))) : undefined);
        // The chain belongs to one reply. It is not stored for a vendor's conversation, which may continue from any reply.
        const writes = [
          here !== undefined && !isUnchanged && (isNeeded || known.chain !== undefined)
            ? this.#write(here, { revealed, chain: conversation === undefined ? undefined : chain })
            : undefined,
          isFollowed && isNeeded ? this.#write(await kept(id), { revealed, chain }) : undefined,
        ];
        await Promise.all(writes);
      },
    };
  }

  /**
   * Returns the tools that a conversation has loaded by value, and a function that saves them for its next request.
   *
   * @param follows the id that the vendor gave the conversation, or the stored reply that a request follows
   */
  async loaded(follows: string | undefined, headers: Headers, query: URLSearchParams): Promise<LoadedTools> {
    const keyOf = (id: string) => hashed(JSON.stringify([whose(headers, query), "loaded", id]));
    const before = follows === undefined ? undefined : await this.#read(await keyOf(follows));
    const save = async (id: string, revealed: readonly string[]) =>
      this.#write(await keyOf(id), { revealed, chain: undefined });
    return { before: before?.revealed ?? [], save };
  }

  async #read(key: string): Promise<ConversationState | undefined> {
    try {
      const found: unknown = await workInTime(TIMEOUT_MS, undefined, async () => this.#storage.getItem(key));
      if (typeof found === "string" && found.length > MOST_CHARS) return undefined;
      const { toolsift, revealed, expires, alias, pending } = fieldsOf(
        typeof found === "string" ? JSON.parse(found) : found,
      );
      if (toolsift !== VERSION || !Array.isArray(revealed) || (typeof expires === "number" && expires < Date.now()))
        return undefined;
      const names = textsIn(revealed).slice(0, MOST_NAMES);
      const chain =
        alias === undefined && pending === undefined ? undefined : { alias: textIn(alias), pending: textsIn(pending) };
      return { revealed: names, chain };
    } catch (error) {
      this.#problem(
        `the state of a conversation could not be read, so its messages alone say what it found: ${reasonOf(error)}`,
      );
      return undefined;
    }
  }

  async #write(key: string, { revealed, chain }: ConversationState): Promise<void> {
    const expires = this.#ttl === 0 ? null : Date.now() + this.#ttl * 1_000;
    const record = JSON.stringify({ toolsift: VERSION, expires, revealed: revealed.slice(0, MOST_NAMES), ...chain });
    if (record.length > MOST_CHARS)
      return this.#problem(`the state of a conversation is too long: ${record.length} characters`);
    try {
      await workInTime(TIMEOUT_MS, undefined, async () =>
        this.#storage.setItem(key, record, this.#ttl === 0 ? {} : { ttl: this.#ttl }),
      );
    } catch (error) {
      this.#problem(`the state of a conversation could not be written: ${reasonOf(error)}`);
    }
  }
}

/** Stores the most recently used records in this process. */
class Memory implements KeyValueStore {
  readonly #ttlMs: number;
  readonly #records: Recent<string, { value: string; expires: number }>;

  constructor(most: number, ttl: number) {
    this.#records = new Recent(most, undefined, { most: MOST_MEMORY_CHARS, of: ({ value }) => value.length });
    this.#ttlMs = ttl === 0 ? Infinity : ttl * 1_000;
  }

  getItem(key: string): string | null {
    const found = this.#records.get(key);
    if (found === undefined || found.expires < Date.now()) return null;
    this.setItem(key, found.value);
    return found.value;
  }

  setItem(key: string, value: string): void {
    this.#records.set(key, { value, expires: Date.now() + this.#ttlMs });
  }

  removeItem(key: string): void {
    this.#records.delete(key);
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Returns the credentials that identify the client. */
export function whose(headers: Headers, query: URLSearchParams): (string | null)[] {
  return [...CREDENTIALS.map((name) => headers.get(name)), query.get("key")];
}

/** Returns a key from which the text cannot be read. */
export async function hashed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `toolsift:proxy:${hex}`;
}
