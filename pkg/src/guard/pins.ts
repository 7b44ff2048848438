/** The pins of each owner, in the order in which they were made. */

import type { Owner } from "../reviewer.js";
import { Spellings } from "../suspicious/spellings.js";
import type { ToolPin } from "../types.js";
import { MAX_PINS } from "./options.js";

/** Pins that are kept of all sessions' own tools together, and of one session. The session whose pins are the oldest loses them first. */
const OWN_PINS = 200_000;
const PINS_OF_ONE = 5_000;

/** Pins by owner. Shared tools have one set of pins in all catalogs that share the guard. */
export class Pins {
  readonly #shared = new Map<string, ToolPin>();
  readonly #own = new Map<string, Map<string, ToolPin>>();
  /** How the names in each table are read, by server; made when a server's tools are reviewed. */
  readonly #spellings = new WeakMap<Map<string, ToolPin>, Map<string, Spellings>>();
  #ownCount = 0;

  constructor(saved: readonly ToolPin[]) {
    for (const pin of saved) this.#shared.set(keyOf(pin), pin);
  }

  /** The pinned name of the same server that a tool without a pin could be taken for. */
  like(owner: Owner, { server, name }: Pick<ToolPin, "server" | "name">): string | undefined {
    const table = this.#table(owner);
    if (table === undefined) return undefined;
    let known = this.#spellings.get(table);
    if (known === undefined) {
      known = new Map();
      this.#spellings.set(table, known);
      for (const pin of table.values()) spellingsOf(known, pin.server).add(pin.name);
    }
    return known.get(server)?.like(name);
  }

  /** The hash that is pinned for a tool. */
  of(owner: Owner, tool: Pick<ToolPin, "server" | "name">): string | undefined {
    return this.#table(owner)?.get(keyOf(tool))?.hash;
  }

  size(owner: Owner): number {
    return this.#table(owner)?.size ?? 0;
  }

  hasRoom(owner: Owner): boolean {
    return this.size(owner) < (owner.sessionNumber === 0 ? MAX_PINS : PINS_OF_ONE);
  }

  add(owner: Owner, { server, name, hash }: ToolPin): void {
    const table = this.#table(owner) ?? new Map<string, ToolPin>();
    const before = table.size;
    table.set(keyOf({ server, name }), { server, name, hash });
    const known = this.#spellings.get(table);
    if (known !== undefined) spellingsOf(known, server).add(name);
    if (owner.sessionNumber === 0) return;
    this.#own.set(ownKey(owner), table);
    this.#ownCount += table.size - before;
    if (this.#ownCount > OWN_PINS) this.#drop(this.#own.keys().next().value!);
  }

  all(): ToolPin[] {
    return [...this.#shared.values()].map((pin) => ({ ...pin }));
  }

  forget(server: string): number {
    const gone = [...this.#shared].filter(([, pin]) => pin.server === server);
    for (const [key] of gone) this.#shared.delete(key);
    this.#spellings.get(this.#shared)?.delete(server);
    return gone.length;
  }

  gone(owner: Owner): void {
    if (owner.sessionNumber !== 0) this.#drop(ownKey(owner));
    else for (const key of [...this.#own.keys()]) if (key.startsWith(`${owner.core} `)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#ownCount -= this.#own.get(key)?.size ?? 0;
    this.#own.delete(key);
  }

  #table(owner: Owner): Map<string, ToolPin> | undefined {
    return owner.sessionNumber === 0 ? this.#shared : this.#own.get(ownKey(owner));
  }
}

function spellingsOf(known: Map<string, Spellings>, server: string): Spellings {
  const made = known.get(server) ?? new Spellings(server);
  known.set(server, made);
  return made;
}

/** A tool as a key. */
export const keyOf = ({ server, name }: Pick<ToolPin, "server" | "name">): string => JSON.stringify([server, name]);

const ownKey = ({ core, sessionNumber }: Owner): string => `${core} ${sessionNumber}`;
