/** The pins of a guard: one book for each server, of shared tools and of sessions' own tools. */

import type { Owner } from "../core/reviewer.js";
import type { ToolPin } from "../types/index.js";
import { Book, type Room } from "./book.js";
import { MAX_PINS } from "./options.js";
import { isList } from "../base/values.js";
import { isObject } from "../wire/fields.js";
import { neutralIn } from "./inspect.js";

/** The maximum number of pins of all sessions together, and of one server in a session. The oldest are removed first. */
const OWN_PINS = 200_000;
const PINS_OF_ONE = 5_000;
/** The maximum number of characters of all stored definitions. */
const MOST_CHARS = 64_000_000;

type Books = Map<string, Book>;

/** The books by owner. Catalogs that share the guard also share the books of shared tools. */
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

  /** Returns the book of a server. */
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

  /** Removes the shared pins of a server. Returns their number. */
  forget(server: string): number {
    const book = this.#shared.get(server);
    this.#shared.delete(server);
    book?.free();
    return book?.entries.size ?? 0;
  }

  /** Limits the number of sessions' pins. */
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

/** A definition with a server and a name, which identify it. */
export interface Named {
  server: string | null;
  name: string;
  definition: Record<string, unknown>;
}

/** Returns the definitions in an entry of a list. Definitions without a name are left out: the catalog refuses them. */
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

/** Returns the entry with some definitions replaced (removed if the replacement is undefined); undefined if none is left. */
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

/** Returns an entry with its hidden characters as escapes. Names stay unchanged, because calls need them. */
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
