/** The definitions that wait for the host. */

import type { Asked, Owner } from "../reviewer.js";
import type { HeldTool, ToolPin } from "../types.js";
import { keyOf } from "./pins.js";

/** At most so many wait, and so many characters of their definitions. The oldest have to be listed again to be accepted. */
const MOST = 10_000;
const MOST_CHARS = 64_000_000;

/** A definition that waits. */
export interface Entry {
  owner: Owner;
  tool: HeldTool;
  /** The entry to be registered, as JSON. */
  text: string;
  /** Undefined once the catalog is gone. */
  catalog(): object | undefined;
  later: Asked<unknown>["later"];
}

/** What waits, in the order in which it was held. */
export class Waiting {
  readonly #entries = new Map<string, Entry>();
  #chars = 0;

  add(entry: Entry): void {
    this.remove(entry.owner, entry.tool);
    this.#entries.set(idOf(entry.owner, entry.tool), entry);
    this.#chars += entry.text.length;
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MOST && this.#chars <= MOST_CHARS) break;
      this.#delete(id);
    }
  }

  remove(owner: Owner, tool: Pick<ToolPin, "server" | "name">): void {
    this.#delete(idOf(owner, tool));
  }

  /** Forgets what waits of a server. */
  drop(owner: Owner, server: string): void {
    this.#deleteWhere((entry) => same(entry.owner, owner) && entry.tool.server === server);
  }

  /** Forgets what waits of an owner; with the opening 0, of the whole catalog. */
  gone(owner: Owner): void {
    this.#deleteWhere(({ owner: of }) => of.host === owner.host && (owner.opening === 0 || of.opening === owner.opening));
  }

  /** What waits with this server, name and hash, in each catalog. */
  of({ server, name, hash }: ToolPin): Entry[] {
    return this.#alive().filter(({ tool }) => tool.hash === hash && tool.name === name && tool.server === server);
  }

  /** Each definition once, also where several catalogs hold it. */
  all(): HeldTool[] {
    const tools = new Map<string, HeldTool>();
    for (const { tool } of this.#alive()) tools.set(`${tool.hash}${keyOf(tool)}`, structuredClone(tool));
    return [...tools.values()];
  }

  #alive(): Entry[] {
    this.#deleteWhere(({ catalog }) => catalog() === undefined);
    return [...this.#entries.values()];
  }

  #deleteWhere(fits: (entry: Entry) => boolean): void {
    for (const [id, entry] of [...this.#entries]) if (fits(entry)) this.#delete(id);
  }

  #delete(id: string): void {
    this.#chars -= this.#entries.get(id)?.text.length ?? 0;
    this.#entries.delete(id);
  }
}

const idOf = ({ host, opening }: Owner, tool: Pick<ToolPin, "server" | "name">): string => `${host} ${opening} ${keyOf(tool)}`;

const same = (one: Owner, other: Owner): boolean => one.host === other.host && one.opening === other.opening;
