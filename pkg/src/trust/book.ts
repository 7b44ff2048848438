/** The pinned and waiting definitions of one server's tools. The guard and the command line review tool lists with it. */

import { Names } from "./names.js";
import { asPinned, firstPin, MAX_DEPTH, type Pinned, pinnedHash, type ServerTool } from "./pinned.js";

/** A tool: its pinned definition, and another one that waits for approval. Without `pinned` the tool was never approved. */
export interface Entry {
  pinned?: Pinned;
  waiting?: Pinned;
}

/** A tool that is used, in the form that the model may see. */
export interface Used {
  tool: object;
  /** The paths of parts that were added since the definition was pinned. `tool` is without them. */
  added: string[];
  /** True if the tool is seen for the first time. */
  isFirst: boolean;
  /** The pin of the whole definition, for later approval. */
  pin: Pinned;
}

/** A quarantined tool, and the reason. */
export interface Quarantined {
  reason: "changed" | "limit";
  message: string;
  /** The pin of the definition, for later approval; undefined for a definition that cannot be pinned. */
  pin?: Pinned;
}

/** The result of the review of a list. */
export interface ListReview {
  /** The tools that may be used, in the order of the list, in the form that the model may see. */
  admitted: ServerTool[];
  quarantined: { name: string; reason: string }[];
  /** The news for a person about used tools: new tools of a known server, and tools with additions (`added`). */
  news: { name: string; added: string[] }[];
  /** True if the book has changed and must be saved. */
  isChanged: boolean;
}

/**
 * The number of characters of definitions that may still be stored. When the room is used up, only hashes are kept. Additions
 * then cannot be told from changes, so both are quarantined.
 */
export interface Room {
  left: number;
}

const MOST_CHARS = 64 * 2 ** 20;

const NEVER_APPROVED = "it is not approved yet";

/** The pinned and waiting definitions of a server's tools, by the tools' names. */
export class Book {
  readonly entries: Map<string, Entry>;
  readonly #server: string;
  readonly #most: number;
  readonly #room: Room;
  #names: Names | undefined;

  /** @param most the maximum number of pinned tools; further tools are quarantined */
  constructor(server: string, entries = new Map<string, Entry>(), most = 5_000, room: Room = { left: MOST_CHARS }) {
    this.#server = server;
    this.entries = entries;
    this.#most = most;
    this.#room = room;
  }

  /** Decides if a tool is used or quarantined. Changes nothing. */
  judge(name: string, tool: object, hash = pinnedHash(tool)): Used | Quarantined {
    if (hash === undefined) return { reason: "limit", message: `its definition is nested deeper than ${MAX_DEPTH} levels` };
    const pin = firstPin(tool, hash);
    const entry = this.entries.get(name);
    if (entry !== undefined) {
      const same = entry.pinned && asPinned(entry.pinned, tool, hash);
      if (same !== undefined) return { ...same, isFirst: false, pin };
      return { reason: "changed", message: entry.pinned ? "its definition changed" : NEVER_APPROVED, pin };
    }
    this.#names ??= new Names([...this.entries.keys()].map((known) => ({ server: this.#server, name: known })));
    const like = this.#names.like({ server: this.#server, name });
    if (like !== undefined)
      return { reason: "changed", message: `clients cannot tell it from ${JSON.stringify(like)}, which is pinned`, pin };
    if (this.entries.size < this.#most) return { tool, added: [], isFirst: true, pin };
    const message = `${this.entries.size} tools of this server are known already, which is the limit`;
    return { reason: "limit", message, pin };
  }

  /** Stores a definition as pinned or as waiting. */
  set(name: string, as: keyof Entry, { definition, ...pin }: Pinned): void {
    const entry = this.entries.get(name);
    this.#room.left += sizeOf(entry?.[as]);
    const size = sizeOf({ definition });
    const isKept = definition !== undefined && size <= this.#room.left;
    if (isKept) this.#room.left -= size;
    this.entries.set(name, { ...entry, [as]: isKept ? { ...pin, definition } : pin });
    if (entry === undefined) this.#names?.add({ server: this.#server, name });
  }

  /** Frees the room of its definitions. */
  free(): void {
    for (const { pinned, waiting } of this.entries.values()) this.#room.left += sizeOf(pinned) + sizeOf(waiting);
  }

  /**
   * Reviews a list and records the result. A new tool is pinned, unless `waits` returns true for its name. A changed tool
   * waits for approval, until its definition is the pinned one again. If a name is listed twice, the pinned definition is
   * used, or else the first one.
   */
  review(tools: readonly unknown[], waits: (name: string) => boolean = () => false): ListReview {
    const made: ListReview = { admitted: [], quarantined: [], news: [], isChanged: false };
    const isKnown = this.entries.size > 0;
    for (const [name, tool] of this.#byName(tools, made.quarantined)) {
      const verdict = this.judge(name, tool);
      const { pin } = verdict;
      if ("reason" in verdict || (verdict.isFirst && waits(name))) {
        made.quarantined.push({ name, reason: "reason" in verdict ? verdict.message : NEVER_APPROVED });
        const isFull = "reason" in verdict && verdict.reason === "limit";
        if (pin !== undefined && !isFull) made.isChanged = this.#wait(name, pin) || made.isChanged;
        continue;
      }
      made.admitted.push(verdict.tool as ServerTool);
      const { isFirst, added } = verdict;
      if (isFirst) this.set(name, "pinned", pin!);
      const isOther = isFirst || this.#wait(name, added.length > 0 ? pin : undefined);
      made.isChanged ||= isOther;
      if ((isFirst && isKnown) || added.length > 0) made.news.push({ name, added });
    }
    return made;
  }

  /** Sets or removes the definition of a tool that waits for approval. Returns true if this changed anything. */
  #wait(name: string, pin: Pinned | undefined): boolean {
    const entry = this.entries.get(name);
    if (entry?.waiting?.hash === pin?.hash) return false;
    if (pin === undefined) {
      this.#room.left += sizeOf(entry!.waiting);
      delete entry!.waiting;
    } else this.set(name, "waiting", pin);
    return true;
  }

  #byName(tools: readonly unknown[], nameless: ListReview["quarantined"]): Map<string, ServerTool> {
    const chosen = new Map<string, ServerTool>();
    for (const one of tools) {
      const tool = Object(one) as ServerTool;
      const { name } = tool;
      if (typeof name !== "string") nameless.push({ name: "(no name)", reason: "the server listed a tool without a name" });
      else if (!chosen.has(name) || this.#isPinned(name, tool)) chosen.set(name, tool);
    }
    return chosen;
  }

  #isPinned(name: string, tool: object): boolean {
    const pinned = this.entries.get(name)?.pinned;
    return pinned !== undefined && asPinned(pinned, tool, pinnedHash(tool) ?? "") !== undefined;
  }
}

const sizeOf = ({ definition }: { definition?: object | undefined } = {}): number =>
  definition === undefined ? 0 : JSON.stringify(definition).length;
