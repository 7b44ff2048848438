/** The definitions that wait for the host. */

import type { Owner, SubmittedList } from "../core/reviewer.js";
import type { QuarantinedTool, ToolPin } from "../types/index.js";
import type { Tool } from "./names.js";
import type { Pinned } from "./pinned.js";

/** At most so many wait, and so many characters of their definitions. The oldest have to be listed again to be accepted. */
const MOST = 10_000;
const MOST_CHARS = 64_000_000;

/** A definition that waits. */
export interface WaitingTool {
  owner: Owner;
  tool: QuarantinedTool;
  /** What will be its pin. */
  pin: Pinned;
  /** Whether the tool is used meanwhile, without what was added to it. */
  isUsed: boolean;
  /** The entry to be registered, as JSON, and its place in its list. */
  text: string;
  place: number;
  /** Undefined once the catalog is gone. */
  catalog(): object | undefined;
  later: SubmittedList<unknown>["later"];
}

/** What waits, in the order in which it was quarantined. */
export class Waiting {
  readonly #entries = new Map<string, WaitingTool>();
  #chars = 0;
  /** A number that grows whenever something else waits. */
  revision = 0;

  /** What waits of an owner, by server; without tools that are used meanwhile. */
  definitionsOf(owner: Owner): Map<string, object[]> {
    const found = new Map<string, object[]>();
    for (const { owner: of, isUsed, tool } of this.#entries.values()) {
      if (isUsed || !isSame(of, owner)) continue;
      const those = found.get(tool.server) ?? [];
      those.push(tool.definition as object);
      found.set(tool.server, those);
    }
    return found;
  }

  add(entry: WaitingTool): void {
    this.remove(entry.owner, entry.tool);
    this.#entries.set(idOf(entry.owner, entry.tool), entry);
    this.revision += 1;
    this.#chars += entry.text.length;
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MOST && this.#chars <= MOST_CHARS) break;
      this.#delete(id);
    }
  }

  remove(owner: Owner, tool: Tool): void {
    this.#delete(idOf(owner, tool));
  }

  /** Forgets what waits of a server. */
  drop(owner: Owner, server: string): void {
    this.#deleteWhere((entry) => isSame(entry.owner, owner) && entry.tool.server === server);
  }

  /** Forgets what waits of an owner; with the number 0, of the whole catalog. */
  gone(owner: Owner): void {
    this.#deleteWhere(({ owner: of }) => of.core === owner.core && (owner.sessionNumber === 0 || isSame(of, owner)));
  }

  /** What waits, by server, name and hash: the same definition may wait in several catalogs. */
  byPin(): Map<string, WaitingTool[]> {
    this.#deleteWhere(({ catalog }) => catalog() === undefined);
    const found = new Map<string, WaitingTool[]>();
    for (const entry of this.#entries.values()) {
      const key = pinKey(entry.tool);
      found.set(key, [...(found.get(key) ?? []), entry]);
    }
    return found;
  }

  #deleteWhere(fits: (entry: WaitingTool) => boolean): void {
    for (const [id, entry] of [...this.#entries]) if (fits(entry)) this.#delete(id);
  }

  #delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.revision += 1;
    this.#chars -= entry.text.length;
  }
}

/** A definition as a key. */
export const pinKey = ({ server, name, hash }: ToolPin): string => JSON.stringify([hash, server, name]);

const idOf = ({ core, sessionNumber }: Owner, { server, name }: Tool): string =>
  JSON.stringify([core, sessionNumber, server, name]);

const isSame = (one: Owner, other: Owner): boolean => one.core === other.core && one.sessionNumber === other.sessionNumber;
