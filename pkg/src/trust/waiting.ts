/** Stores the definitions that wait for your program's approval. */

import type { Owner, SubmittedList } from "../core/reviewer.js";
import type { QuarantinedTool, ToolPin } from "../types/index.js";
import { Recent } from "../base/recent.js";
import type { Tool } from "./names.js";
import type { Pinned } from "./pinned.js";

/**
 * The maximum number of waiting definitions, and of their characters. The oldest are removed until they are listed again.
 */
const MAX_ENTRIES = 10_000;
const MOST_CHARS = 64_000_000;

/** A definition that waits for approval. */
export interface WaitingTool {
  owner: Owner;
  tool: QuarantinedTool;
  /** Its pin after the approval. */
  pin: Pinned;
  /** True if the tool is used in the meantime, without its additions. */
  isUsed: boolean;
  /** The entry to register, as JSON, and its index in its list. */
  text: string;
  place: number;
  /** Returns the catalog; undefined after it was garbage-collected. */
  catalog(): object | undefined;
  later: SubmittedList<unknown>["later"];
}

/** The waiting definitions, in the order of quarantine. */
export class Waiting {
  readonly #entries = new Recent<string, WaitingTool>(MAX_ENTRIES, () => {}, {
    most: MOST_CHARS,
    of: ({ text }) => text.length,
  });
  /** A number that grows with every change. */
  revision = 0;

  /** Returns an owner's waiting definitions by server, without tools that are used in the meantime. */
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
    this.#entries.set(idOf(entry.owner, entry.tool), entry);
    this.revision += 1;
  }

  remove(owner: Owner, tool: Tool): void {
    if (this.#entries.delete(idOf(owner, tool))) this.revision += 1;
  }

  /** Removes the waiting definitions of a server. */
  drop(owner: Owner, server: string): void {
    this.#deleteWhere((entry) => isSame(entry.owner, owner) && entry.tool.server === server);
  }

  /** Removes the waiting definitions of an owner; for the session number 0, of the whole catalog. */
  gone(owner: Owner): void {
    this.#deleteWhere(({ owner: of }) => of.core === owner.core && (owner.sessionNumber === 0 || isSame(of, owner)));
  }

  /** Returns the waiting definitions by server, name and hash: the same definition may wait in several catalogs. */
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
    for (const { owner, tool } of [...this.#entries.values()].filter(fits)) this.remove(owner, tool);
  }
}

/** Returns a key of a definition. */
export const pinKey = ({ server, name, hash }: ToolPin): string => JSON.stringify([hash, server, name]);

const idOf = ({ core, sessionNumber }: Owner, { server, name }: Tool): string =>
  JSON.stringify([core, sessionNumber, server, name]);

const isSame = (one: Owner, other: Owner): boolean => one.core === other.core && one.sessionNumber === other.sessionNumber;
