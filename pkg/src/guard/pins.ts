/** The pins of each owner, in the order in which they were made. */

import type { Owner } from "../core/reviewer.js";
import type { Pinned } from "../suspicious/pinned.js";
import { Spellings } from "../suspicious/spellings.js";
import type { ToolPin } from "../types/index.js";
import { MAX_PINS } from "./options.js";

/** Pins that are kept of all sessions' own tools together, and of one session. The session whose pins are the oldest loses them first. */
const OWN_PINS = 200_000;
const PINS_OF_ONE = 5_000;

/** Characters of definitions that are kept as JSON. Beyond them only hashes are, so that every change of such a tool is one. */
const MOST_CHARS = 128_000_000;

type Tool = Pick<ToolPin, "server" | "name">;

/** A pin, whose definition is JSON. */
type Kept = Omit<ToolPin, "definition"> & { text?: string };

/** Pins by owner. Shared tools have one set of pins in all catalogs that share the guard. */
export class Pins {
  readonly #shared = new Map<string, Kept>();
  readonly #own = new Map<string, Map<string, Kept>>();
  /** How the names in each table are read, by server; made when a server's tools are reviewed. */
  readonly #spellings = new WeakMap<Map<string, Kept>, Map<string, Spellings>>();
  #ownCount = 0;
  #chars = 0;

  constructor(saved: readonly ToolPin[]) {
    for (const pin of saved) this.#shared.set(keyOf(pin), this.#kept(pin));
  }

  /** The pinned name of the same server that a tool without a pin could be taken for. */
  like(owner: Owner, { server, name }: Tool): string | undefined {
    return this.#names(owner)?.get(server)?.like(name);
  }

  /** Whether any tool of a server is pinned. */
  knows(owner: Owner, server: string): boolean {
    return this.#names(owner)?.has(server) === true;
  }

  /** The names of pinned tools by server. */
  #names(owner: Owner): Map<string, Spellings> | undefined {
    const table = this.#table(owner);
    if (table === undefined) return undefined;
    let known = this.#spellings.get(table);
    if (known === undefined) {
      known = new Map();
      this.#spellings.set(table, known);
      for (const pin of table.values()) spellingsOf(known, pin.server).add(pin.name);
    }
    return known;
  }

  /** What is pinned of a tool. */
  of(owner: Owner, tool: Tool): Pinned | undefined {
    const kept = this.#table(owner)?.get(keyOf(tool));
    if (kept === undefined) return undefined;
    const { text, ...rest } = kept;
    const pin: Pinned = { seen: "", ...rest };
    // Read only where it is looked at: most definitions are as they were.
    const get = () => JSON.parse(text!) as object;
    return text === undefined ? pin : Object.defineProperty(pin, "definition", { get, enumerable: true });
  }

  size(owner: Owner): number {
    return this.#table(owner)?.size ?? 0;
  }

  hasRoom(owner: Owner): boolean {
    return this.size(owner) < (owner.sessionNumber === 0 ? MAX_PINS : PINS_OF_ONE);
  }

  add(owner: Owner, { server, name }: Tool, pin: Pinned): void {
    const table = this.#table(owner) ?? new Map<string, Kept>();
    const before = table.size;
    const key = keyOf({ server, name });
    this.#chars -= table.get(key)?.text?.length ?? 0;
    table.set(key, this.#kept({ ...pin, server, name }));
    const known = this.#spellings.get(table);
    if (known !== undefined) spellingsOf(known, server).add(name);
    if (owner.sessionNumber === 0) return;
    this.#own.set(ownKey(owner), table);
    this.#ownCount += table.size - before;
    if (this.#ownCount > OWN_PINS) this.#drop(this.#own.keys().next().value!);
  }

  all(): ToolPin[] {
    return [...this.#shared.values()].map(({ text, ...pin }) => {
      return text === undefined ? pin : { ...pin, definition: JSON.parse(text) as unknown };
    });
  }

  forget(server: string): number {
    const gone = [...this.#shared].filter(([, pin]) => pin.server === server);
    for (const [key, pin] of gone) {
      this.#shared.delete(key);
      this.#chars -= pin.text?.length ?? 0;
    }
    this.#spellings.get(this.#shared)?.delete(server);
    return gone.length;
  }

  gone(owner: Owner): void {
    if (owner.sessionNumber !== 0) this.#drop(ownKey(owner));
    else for (const key of [...this.#own.keys()]) if (key.startsWith(`${owner.core} `)) this.#drop(key);
  }

  #kept({ definition, ...pin }: ToolPin): Kept {
    const text = definition === undefined ? "" : JSON.stringify(definition);
    if (text === "" || this.#chars + text.length > MOST_CHARS) return pin;
    this.#chars += text.length;
    return { ...pin, text };
  }

  #drop(key: string): void {
    this.#ownCount -= this.#own.get(key)?.size ?? 0;
    for (const { text } of this.#own.get(key)?.values() ?? []) this.#chars -= text?.length ?? 0;
    this.#own.delete(key);
  }

  #table(owner: Owner): Map<string, Kept> | undefined {
    return owner.sessionNumber === 0 ? this.#shared : this.#own.get(ownKey(owner));
  }
}

function spellingsOf(known: Map<string, Spellings>, server: string): Spellings {
  const made = known.get(server) ?? new Spellings(server);
  known.set(server, made);
  return made;
}

/** A tool as a key. */
export const keyOf = ({ server, name }: Tool): string => JSON.stringify([server, name]);

const ownKey = ({ core, sessionNumber }: Owner): string => `${core} ${sessionNumber}`;
