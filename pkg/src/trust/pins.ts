/** The pins of a guard: a book for each server, of the shared tools and of the own tools of sessions. */

import type { Owner } from "../core/reviewer.js";
import type { ToolPin } from "../types/index.js";
import { Book, type Room } from "./book.js";
import { MAX_PINS } from "./options.js";
import { isList } from "../base/values.js";
import { isObject } from "../wire/fields.js";
import { neutralIn } from "./inspect.js";

/** Pins that are kept of all sessions together, and of one session's server. The oldest session loses its pins first. */
const OWN_PINS = 200_000;
const PINS_OF_ONE = 5_000;
/** Characters of definitions that are kept of all. */
const MOST_CHARS = 64_000_000;

type Books = Map<string, Book>;

/** Books by owner. Shared tools have one book of their server in all catalogs that share the guard. */
export class Pins {
  readonly #shared: Books = new Map();
  readonly #own = new Map<string, Books>();
  readonly #room: Room = { left: MOST_CHARS };

  constructor(saved: readonly ToolPin[]) {
    for (const { server, name, definition, seen = "", hash } of saved) {
      const pin = { hash, seen, ...(definition !== undefined && { definition: definition as object }) };
      this.of({ core: 0, sessionNumber: 0 }, server).set(name, "pinned", pin);
    }
  }

  /** The book of a server. */
  of(owner: Owner, server: string): Book {
    const isShared = owner.sessionNumber === 0;
    const books = isShared ? this.#shared : (this.#own.get(ownKey(owner)) ?? new Map<string, Book>());
    let book = books.get(server);
    if (book === undefined) {
      book = new Book(server, new Map(), isShared ? MAX_PINS : PINS_OF_ONE, this.#room);
      books.set(server, book);
      if (!isShared) this.#own.set(ownKey(owner), books);
    }
    return book;
  }

  all(): ToolPin[] {
    return [...this.#shared].flatMap(([server, book]) =>
      [...book.entries].map(([name, { pinned }]) => {
        const { hash, seen, definition } = pinned!;
        return { server, name, hash, ...(definition !== undefined && { definition: structuredClone(definition), seen }) };
      }),
    );
  }

  /** Forgets the shared pins of a server. Returns how many they were. */
  forget(server: string): number {
    const book = this.#shared.get(server);
    this.#shared.delete(server);
    book?.free();
    return book?.entries.size ?? 0;
  }

  /** Bounds what is kept of sessions. */
  trim(): void {
    let count = [...this.#own.values()].reduce((sum, books) => sum + sizeOf(books), 0);
    for (const [key, books] of this.#own) {
      if (count <= OWN_PINS) break;
      count -= sizeOf(books);
      this.#drop(key);
    }
  }

  gone(owner: Owner): void {
    if (owner.sessionNumber !== 0) this.#drop(ownKey(owner));
    else for (const key of [...this.#own.keys()]) if (key.startsWith(`${owner.core} `)) this.#drop(key);
  }

  #drop(key: string): void {
    for (const book of this.#own.get(key)?.values() ?? []) book.free();
    this.#own.delete(key);
  }
}

const sizeOf = (books: Books): number => [...books.values()].reduce((sum, book) => sum + book.entries.size, 0);

const ownKey = ({ core, sessionNumber }: Owner): string => `${core} ${sessionNumber}`;

/** A definition that can be told from others. */
export interface Named {
  server: string | null;
  name: string;
  definition: Record<string, unknown>;
}

/** The definitions of an entry; of what has no name, none: the catalog refuses it. */
export function definitionsOf(entry: unknown, server: string | null): Named[] {
  if (!isObject(entry)) return [];
  const { functionDeclarations: declared } = entry;
  return (Array.isArray(declared) ? declared : [entry]).flatMap((one: unknown) => {
    if (!isObject(one)) return [];
    const { name = isObject(one["function"]) ? one["function"]["name"] : undefined, server: own } = one;
    if (typeof name !== "string" || name === "") return [];
    return [{ server: server ?? (typeof own === "string" ? own : null), name, definition: one }];
  });
}

/** The entry with some of its definitions as they are shown, undefined for those that go; undefined where none is left. */
export function replaced(
  entry: Record<string, unknown>,
  others: ReadonlyMap<unknown, object | undefined>,
): Record<string, unknown> | undefined {
  const { functionDeclarations: declared } = entry;
  const shown = (one: unknown): unknown => (others.has(one) ? others.get(one) : one);
  if (others.size === 0) return entry;
  if (!Array.isArray(declared)) return shown(entry) as Record<string, unknown> | undefined;
  const left = declared.map(shown).filter((one) => one !== undefined);
  return left.length === 0 ? undefined : { ...entry, functionDeclarations: left };
}

/** An entry with its hidden characters as escapes. Names stay as they are, because calls need them. */
export function escapedIn(entry: Record<string, unknown>): Record<string, unknown> {
  const { name, server, function: inner, functionDeclarations: declared, ...rest } = entry;
  const shown: Record<string, unknown> = { ...neutralIn(rest), name };
  if (server !== undefined) shown["server"] = server;
  if (inner !== undefined) shown["function"] = isObject(inner) ? escapedIn(inner) : inner;
  if (declared !== undefined) {
    shown["functionDeclarations"] = isList(declared)
      ? declared.map((one) => (isObject(one) ? escapedIn(one) : one))
      : declared;
  }
  return shown;
}
