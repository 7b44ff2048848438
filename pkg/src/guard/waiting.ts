/** The definitions that wait for the host. */

import type { SubmittedList, Owner } from "../core/reviewer.js";
import type { Pinned } from "../suspicious/pinned.js";
import type { HeldTool, ToolPin } from "../types/index.js";
import { keyOf } from "./pins.js";

/** At most so many wait, and so many characters of their definitions. The oldest have to be listed again to be accepted. */
const MOST = 10_000;
const MOST_CHARS = 64_000_000;

/** A definition that waits. */
export interface WaitingTool {
  owner: Owner;
  tool: HeldTool;
  /** What will be its pin. */
  pin: Pinned;
  /** Whether the tool is used meanwhile, without what was added to it. */
  isUsed: boolean;
  /** The entry to be registered, as JSON. */
  text: string;
  /** Undefined once the catalog is gone. */
  catalog(): object | undefined;
  later: SubmittedList<unknown>["later"];
}

/** What waits, in the order in which it was held. */
export class Waiting {
  readonly #entries = new Map<string, WaitingTool>();
  /** The keys of entries by the hash that the host accepts: one definition may wait in several catalogs. */
  readonly #byPin = new Map<string, Set<string>>();
  #chars = 0;
  #revision = 0;

  /** A number that grows whenever something else waits. */
  get revision(): number {
    return this.#revision;
  }

  /** What waits of an owner, by server; without tools that are used meanwhile. */
  definitionsOf(owner: Owner): Map<string, object[]> {
    const found = new Map<string, object[]>();
    for (const { owner: of, isUsed, tool } of this.#entries.values()) {
      if (isUsed || !same(of, owner)) continue;
      const those = found.get(tool.server) ?? [];
      those.push(tool.definition as object);
      found.set(tool.server, those);
    }
    return found;
  }

  add(entry: WaitingTool): void {
    this.remove(entry.owner, entry.tool);
    const id = idOf(entry.owner, entry.tool);
    this.#entries.set(id, entry);
    this.#revision += 1;
    this.#chars += entry.text.length;
    const pin = pinOf(entry.tool);
    this.#byPin.set(pin, (this.#byPin.get(pin) ?? new Set()).add(id));
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

  /** Forgets what waits of an owner; with the number 0, of the whole catalog. */
  gone(owner: Owner): void {
    const isGone = ({ owner: of }: WaitingTool) =>
      of.core === owner.core && (owner.sessionNumber === 0 || of.sessionNumber === owner.sessionNumber);
    for (const [id, entry] of [...this.#entries]) if (isGone(entry)) this.#delete(id);
  }

  /** What waits with this server, name and hash, in each catalog. */
  of(tool: ToolPin): WaitingTool[] {
    const found = [...(this.#byPin.get(pinOf(tool)) ?? [])].map((id) => this.#entries.get(id)!);
    return found.filter(({ catalog }) => catalog() !== undefined);
  }

  /** Each definition once, also where several catalogs hold it. */
  all(): HeldTool[] {
    const tools = new Map<string, HeldTool>();
    for (const { tool, isUsed } of this.#alive()) if (!isUsed) tools.set(pinOf(tool), structuredClone(tool));
    return [...tools.values()];
  }

  #alive(): WaitingTool[] {
    this.#deleteWhere(({ catalog }) => catalog() === undefined);
    return [...this.#entries.values()];
  }

  #deleteWhere(fits: (entry: WaitingTool) => boolean): void {
    for (const [id, entry] of [...this.#entries]) if (fits(entry)) this.#delete(id);
  }

  #delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#revision += 1;
    this.#chars -= entry.text.length;
    const pin = pinOf(entry.tool);
    const same = this.#byPin.get(pin);
    same?.delete(id);
    if (same?.size === 0) this.#byPin.delete(pin);
  }
}

const pinOf = (tool: ToolPin): string => `${tool.hash}${keyOf(tool)}`;

const idOf = ({ core, sessionNumber }: Owner, tool: Pick<ToolPin, "server" | "name">): string =>
  `${core} ${sessionNumber} ${keyOf(tool)}`;

const same = (one: Owner, other: Owner): boolean => one.core === other.core && one.sessionNumber === other.sessionNumber;
